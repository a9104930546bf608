/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages, and the word that a mistyped one was meant to be. */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "plain.h"
#include "status.h"

static const char *program = "spgemm";

void message_set_program(const char *name)
{
    program = name;
}

int message(int status, const char *format, ...)
{
    char text[PLAIN_BYTES];
    char plain[2 * PLAIN_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "%s: %s\n", program, plain_text(plain, sizeof plain, text));
    return status;
}

int message_end(spgemm_status status)
{
    return status == SPGEMM_ERROR_SHAPE || status == SPGEMM_ERROR_STRUCTURE ||
                   status == SPGEMM_ERROR_UNSUPPORTED
               ? TOOL_INPUT
               : TOOL_FAILURE;
}

int message_failure(const char *what, spgemm_status status)
{
    /* "" where it was not the library that failed last. */
    const char *why = spgemm_error_text();
    return message(message_end(status), "%s: %s", what,
                   *why ? why : spgemm_status_string(status));
}

int message_system(const char *what)
{
    return message(TOOL_FAILURE, "%s: %s", what, strerror(errno));
}

enum { LONGEST_WORD = 32 };

static int min_int(int x, int y)
{
    return x < y ? x : y;
}

/* Insertions, deletions and replacements from one word to the other. V. I.
   Levenshtein, Soviet Physics Doklady 10(8):707-710, 1966. */
static int distance(const char *from, const char *to)
{
    int above[LONGEST_WORD + 1];
    const int width = (int)strnlen(to, LONGEST_WORD);
    for (int c = 0; c <= width; c++)
        above[c] = c;
    for (int r = 0; from[r] && r < LONGEST_WORD; r++) {
        int corner = above[0];
        above[0] = r + 1;
        for (int c = 0; c < width; c++) {
            const int replaced = corner + (from[r] != to[c]);
            corner = above[c + 1];
            above[c + 1] = min_int(replaced, 1 + min_int(corner, above[c]));
        }
    }
    return above[width];
}

const char *nearest(const char *word, const char *(*choice)(int k))
{
    const char *best = NULL;
    int least = 1 + (int)strnlen(word, LONGEST_WORD) / 2;
    for (int k = 0; choice(k); k++) {
        const int changes = distance(word, choice(k));
        if (changes < least) {
            least = changes;
            best = choice(k);
        }
    }
    return best;
}
