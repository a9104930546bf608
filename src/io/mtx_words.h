/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines and their words. A line ends with '\n' and is always given whole;
   carriage returns count as blanks. */
#ifndef SPGEMM_IO_MTX_WORDS_H
#define SPGEMM_IO_MTX_WORDS_H

#include <stdbool.h>
#include <string.h>

static inline bool mtx_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline const char *mtx_skip_blanks(const char *text)
{
    while (mtx_is_blank(*text))
        text++;
    return text;
}

/* Whether a line holds nothing but blanks or a comment. */
static inline bool mtx_is_empty_line(const char *line)
{
    const char *text = mtx_skip_blanks(line);
    return *text == '\n' || *text == '%';
}

/* The line after this one, in a text where every line is ended. */
static inline const char *mtx_next_line(const char *line, const char *end)
{
    return (const char *)memchr(line, '\n', (size_t)(end - line)) + 1;
}

typedef struct mtx_word {
    const char *begin;
    const char *end; /* equals begin: there was no word */
} mtx_word;

/* The first word at or after `text`, on its line. */
static inline mtx_word mtx_next_word(const char *text)
{
    mtx_word word;
    word.begin = mtx_skip_blanks(text);
    word.end = word.begin;
    while (!mtx_is_blank(*word.end) && *word.end != '\n')
        word.end++;
    return word;
}

static inline bool mtx_word_is_missing(mtx_word word)
{
    return word.begin == word.end;
}

/* Whether the word is `lower`, in any case. ASCII, whatever the locale. */
static inline bool mtx_word_is(mtx_word word, const char *lower)
{
    const char *text = word.begin;
    for (; text < word.end && *lower; text++, lower++) {
        const char c = *text;
        if ((c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != *lower)
            return false;
    }
    return text == word.end && !*lower;
}

#endif
