/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of rows, one after the other: FIRST-LAST, or FIRST alone. A range ends
   with the first row that the matrix does not have, which the library refuses
   by its number. */
#include "row_list.h"

#include <errno.h>
#include <inttypes.h>

#include "common/checked.h"

typedef struct range {
    int64_t first;
    int64_t last;
} range;

/* A number without a sign at *text, which moves behind it. */
static bool take_number(const char **text, int64_t *n)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    *n = strtoimax(*text, &end, 10);
    *text = end;
    return errno == 0;
}

/* The range at *text, and the comma behind it. */
static bool take_range(const char **text, range *r)
{
    if (!take_number(text, &r->first))
        return false;
    r->last = r->first;
    if (**text == '-') {
        ++*text;
        if (!take_number(text, &r->last) || r->last < r->first)
            return false;
    }
    if (**text != ',')
        return **text == '\0';
    ++*text;
    return **text != '\0';
}

static int64_t last_of(const range *r, int64_t nrows)
{
    return min_i64(r->last, max_i64(r->first, nrows));
}

int64_t row_list_count(const char *text, int64_t nrows)
{
    range r;
    int64_t count = 0;
    do {
        if (!take_range(&text, &r))
            return -1;
        count = saturating_add_i64(count, last_of(&r, nrows) - r.first + 1);
    } while (*text);
    return count;
}

void row_list_fill(int64_t *rows, const char *text, int64_t nrows)
{
    range r;
    while (*text && take_range(&text, &r)) {
        const int64_t count = last_of(&r, nrows) - r.first + 1;
        for (int64_t k = 0; k < count; k++)
            *rows++ = r.first + k;
    }
}
