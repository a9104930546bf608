/* SPDX-License-Identifier: BSD-3-Clause */
/* "\x93NUMPY", a version, the length of the rest, and a Python dictionary:
   {'descr': '<f8', 'fortran_order': False, 'shape': (3,), }. Versions 1, 2 and
   3 differ in the length of the length and in the encoding of names, which
   numbers do not have. NEP 1, and numpy/lib/format.py. */
#include "npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const unsigned char magic[] = {0x93, 'N', 'U', 'M', 'P', 'Y'};

static size_t length_bytes(unsigned char version)
{
    return version == 1 ? 2 : 4;
}

size_t npy_header_bytes(const unsigned char prefix[NPY_PREFIX_BYTES])
{
    const unsigned char version = prefix[sizeof magic];
    if (memcmp(prefix, magic, sizeof magic) != 0 || version < 1 || version > 3)
        return 0;
    const size_t begin = sizeof magic + 2;
    size_t bytes = begin + length_bytes(version);
    for (size_t k = 0; k < length_bytes(version); k++)
        bytes += (size_t)prefix[begin + k] << (8 * k);
    return bytes < NPY_PREFIX_BYTES ? 0 : bytes;
}

/* ---- The dictionary ----------------------------------------------------- */

typedef struct cursor {
    const char *at;
    const char *end;
} cursor;

static void skip_blanks(cursor *c)
{
    while (c->at < c->end && strchr(" \t\r\n", *c->at) && *c->at)
        c->at++;
}

/* This character, blanks before it left out. */
static bool take(cursor *c, char wanted)
{
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    const size_t length = strlen(word);
    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length) != 0)
        return false;
    c->at += length;
    return true;
}

/* A string in single or double quotes, without escapes. */
static bool take_string(cursor *c, char *text, size_t size)
{
    size_t used = 0;
    skip_blanks(c);
    if (c->at == c->end || (*c->at != '\'' && *c->at != '"'))
        return false;
    const char quote = *c->at++;
    while (c->at < c->end && *c->at != quote) {
        if (*c->at < ' ' || *c->at > '~' || *c->at == '\\' || used + 1 == size)
            return false;
        text[used++] = *c->at++;
    }
    text[used] = '\0';
    return take(c, quote);
}

/* Digits; Python 2 may have written an L after them. */
static bool take_count(cursor *c, int64_t *count)
{
    int64_t n = 0;
    skip_blanks(c);
    const char *const begin = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if (__builtin_mul_overflow(n, 10, &n) ||
            __builtin_add_overflow(n, *c->at - '0', &n))
            return false;
    if (c->at == begin)
        return false;
    if (c->at < c->end && *c->at == 'L')
        c->at++;
    *count = n;
    return true;
}

/* (), (3,), (3, 4). */
static bool take_shape(cursor *c, npy_header *h)
{
    h->ndims = 0;
    if (!take(c, '('))
        return false;
    while (!take(c, ')')) {
        if (h->ndims == NPY_MOST_DIMENSIONS ||
            !take_count(c, &h->shape[h->ndims]))
            return false;
        h->ndims++;
        if (!take(c, ','))
            return h->ndims > 1 && take(c, ')');
    }
    return true;
}

/* "<f8": order, kind, bytes; of 'U' characters, of four bytes each. */
static bool split_dtype(npy_header *h)
{
    const char *const text = h->dtype;
    cursor digits = {text, text + strlen(text)};
    h->item_bytes = 0;
    if (!*text || !strchr("<>|=", *text) || !text[1])
        return false;
    h->order = text[0];
    h->kind = text[1];
    digits.at += 2;
    if (h->kind == 'O')
        return true;
    if (!take_count(&digits, &h->item_bytes) || h->item_bytes > INT32_MAX)
        return false;
    h->item_bytes *= h->kind == 'U' ? 4 : 1;
    return digits.at == digits.end || *digits.at == '[';
}

/* The value of a key; NULL, or what is wrong. */
static const char *take_value(cursor *c, npy_header *h, const char *key)
{
    if (strcmp(key, "shape") == 0)
        return take_shape(c, h) ? NULL : "its shape is no tuple of counts";
    if (strcmp(key, "fortran_order") == 0)
        return take_word(c, "True") || take_word(c, "False")
                   ? NULL
                   : "its fortran_order is neither True nor False";
    if (strcmp(key, "descr") != 0)
        return "its header has an unknown key";
    skip_blanks(c);
    if (c->at < c->end && *c->at == '[')
        return "its elements are structures, not numbers";
    return take_string(c, h->dtype, sizeof h->dtype) && split_dtype(h)
               ? NULL
               : "its descr is no dtype";
}

const char *npy_parse(npy_header *h, const char *header, size_t length)
{
    static const char *const keys[] = {"descr", "fortran_order", "shape"};
    enum { NKEYS = sizeof keys / sizeof *keys };
    static const char damaged[] = "its header is no dictionary of NumPy's";
    unsigned seen = 0;
    const size_t begin = sizeof magic + 2;
    cursor c = {header + begin +
                    length_bytes((unsigned char)header[sizeof magic]),
                header + length};
    *h = (npy_header){0};
    if (!take(&c, '{'))
        return damaged;
    while (!take(&c, '}')) {
        char key[NPY_DTYPE_BYTES];
        if (!take_string(&c, key, sizeof key) || !take(&c, ':'))
            return damaged;
        const char *why = take_value(&c, h, key);
        if (why)
            return why;
        for (unsigned k = 0; k < NKEYS; k++)
            seen |= (unsigned)(strcmp(key, keys[k]) == 0) << k;
        if (!take(&c, ',') && (c.at == c.end || *c.at != '}'))
            return damaged;
    }
    skip_blanks(&c);
    return c.at == c.end && seen == (1u << NKEYS) - 1 ? NULL : damaged;
}

/* ---- Types -------------------------------------------------------------- */

/* What is written of each type of values, and what is read: of the types that
   hold a dtype, the first. */
static const struct {
    spgemm_value_type type;
    char kind;
    char item_bytes;
    const char *dtype; /* NULL: read only */
} types[] = {{SPGEMM_FP64, 'f', 8, "<f8"},    {SPGEMM_FP32, 'f', 4, "<f4"},
             {SPGEMM_CFP64, 'c', 16, "<c16"}, {SPGEMM_CFP32, 'c', 8, "<c8"},
             {SPGEMM_INT64, 'i', 8, "<i8"},   {SPGEMM_INT32, 'i', 4, "<i4"},
             {SPGEMM_BOOL, 'b', 1, "|b1"},    {SPGEMM_INT32, 'i', 1, NULL},
             {SPGEMM_INT32, 'i', 2, NULL},    {SPGEMM_INT32, 'u', 1, NULL},
             {SPGEMM_INT32, 'u', 2, NULL},    {SPGEMM_INT64, 'u', 4, NULL}};

enum { NTYPES = sizeof types / sizeof *types };

const char *npy_refusal(const npy_header *h)
{
    if (h->kind == 'O')
        return "Python objects are not read";
    if (h->order == '>')
        return "big-endian numbers are not read";
    if (h->order != '<' && h->kind != 'S' && h->item_bytes > 1)
        return "the order of its bytes is not known";
    if (h->kind == 'u' && h->item_bytes == 8)
        return "no type of values here holds integers of 64 bits without sign";
    return NULL;
}

bool npy_is_index(const npy_header *h, spgemm_index_type *type)
{
    *type = h->item_bytes == 8 ? SPGEMM_I64 : SPGEMM_I32;
    return h->kind == 'i' && (h->item_bytes == 4 || h->item_bytes == 8);
}

bool npy_is_value(const npy_header *h, spgemm_value_type *type)
{
    for (int k = 0; k < NTYPES; k++) {
        *type = types[k].type;
        if (h->kind == types[k].kind && h->item_bytes == types[k].item_bytes)
            return true;
    }
    return false;
}

const char *npy_value_dtype(spgemm_value_type type)
{
    for (int k = 0; k < NTYPES; k++)
        if (types[k].type == type)
            return types[k].dtype;
    return NULL;
}

/* ---- Writing ------------------------------------------------------------ */

void npy_format(char header[NPY_WRITTEN_BYTES], const char *dtype,
                int64_t count)
{
    const size_t begin = sizeof magic + 4;
    char shape[32] = "()";
    char text[NPY_WRITTEN_BYTES];
    if (count >= 0)
        snprintf(shape, sizeof shape, "(%" PRId64 ",)", count);
    const int used = snprintf(
        text, sizeof text,
        "{'descr': '%s', 'fortran_order': False, 'shape': %s, }", dtype, shape);
    memset(header, ' ', NPY_WRITTEN_BYTES);
    memcpy(header, magic, sizeof magic);
    header[sizeof magic] = 1;
    header[sizeof magic + 1] = 0;
    header[begin - 2] = (char)(NPY_WRITTEN_BYTES - begin);
    header[begin - 1] = 0;
    memcpy(header + begin, text, (size_t)used);
    header[NPY_WRITTEN_BYTES - 1] = '\n';
}
