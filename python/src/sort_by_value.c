/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C in the order of their values: C(i,j1) >= C(i,j2) >= ... */
#include <stdlib.h>
#include <string.h>

#include "core.h"

/* Entries that are sorted by insertion; longer rows are merged of such runs. */
enum { RUN = 16 };

/* Keys ascend as values descend. */
typedef struct entry {
    uint64_t key;
    int64_t at; /* in the row */
} entry;

/* Room for the longest row. */
typedef struct room {
    entry *entries;
    entry *merged;
    char *copy; /* of columns, or of values */
} room;

/* ---- Keys ------------------------------------------------------------------ */

static uint64_t key_of_integer(int64_t x)
{
    return (uint64_t)x ^ INT64_MAX;
}

/* NaN is before all; -0.0 equals 0.0. The bits of doubles of one sign are ordered as
   their magnitudes. */
static uint64_t key_of_double(double x)
{
    uint64_t bits;
    if (x != x)
        return 0;
    x += 0.0; /* of -0.0: 0.0 */
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? bits : bits ^ INT64_MAX;
}

#define SET_KEYS(type, key_of)                                                 \
    do {                                                                       \
        const type *x = (const type *)C->values + begin;                       \
        for (int64_t t = 0; t < n; t++)                                        \
            entries[t] = (entry){key_of(x[t]), t};                             \
    } while (0)

/* Of entries [begin, begin + n) of C. */
static void set_keys(entry *entries, const spgemm_csr *C, int64_t begin,
                     int64_t n)
{
    switch (C->value_type) {
    case SPGEMM_FP32:
        SET_KEYS(float, key_of_double);
        break;
    case SPGEMM_FP64:
        SET_KEYS(double, key_of_double);
        break;
    case SPGEMM_INT32:
        SET_KEYS(int32_t, key_of_integer);
        break;
    case SPGEMM_INT64:
        SET_KEYS(int64_t, key_of_integer);
        break;
    default:
        SET_KEYS(uint8_t, key_of_integer);
    }
}

/* ---- A stable sort: columns ascend already, and equals keep their order ---- */

static void sort_run(entry *run, int64_t n)
{
    for (int64_t t = 1; t < n; t++) {
        const entry e = run[t];
        int64_t to = t;
        for (; to > 0 && run[to - 1].key > e.key; to--)
            run[to] = run[to - 1];
        run[to] = e;
    }
}

/* Of two sorted runs that meet at `middle` one, without branches on keys: what they
   decide cannot be foreseen. */
static void merge_runs(entry *to, const entry *from, int64_t middle, int64_t n)
{
    const entry *a = from;
    const entry *b = from + middle;
    while (a < from + middle && b < from + n) {
        const bool is_second = b->key < a->key;
        *to++ = *(is_second ? b : a);
        a += !is_second;
        b += is_second;
    }
    const size_t left = (size_t)(from + middle - a);
    memcpy(to, a, left * sizeof *to);
    memcpy(to + left, b, (size_t)(from + n - b) * sizeof *to);
}

/* Where the n entries are then. */
static const entry *sort_entries(room *r, int64_t n)
{
    entry *from = r->entries;
    entry *to = r->merged;
    for (int64_t t = 0; t < n; t += RUN)
        sort_run(from + t, n - t < RUN ? n - t : RUN);
    for (int64_t width = RUN; width < n; width *= 2) {
        for (int64_t t = 0; t < n; t += 2 * width) {
            const int64_t count = n - t < 2 * width ? n - t : 2 * width;
            merge_runs(to + t, from + t, count < width ? count : width, count);
        }
        entry *other = from;
        from = to;
        to = other;
    }
    return from;
}

/* ---- Rows ------------------------------------------------------------------ */

/* x[t] becomes x[order[t].at]; copy: room for their bytes. Compiled once for each
   size, which is a constant there. */
static inline __attribute__((always_inline)) void
move_of(char *x, const entry *order, int64_t n, char *copy, size_t size)
{
    memcpy(copy, x, (size_t)n * size);
    for (int64_t t = 0; t < n; t++)
        memcpy(x + (size_t)t * size, copy + (size_t)order[t].at * size, size);
}

static void move(char *x, const entry *order, int64_t n, char *copy,
                 size_t size)
{
    switch (size) {
    case 8:
        move_of(x, order, n, copy, 8);
        break;
    case 4:
        move_of(x, order, n, copy, 4);
        break;
    default:
        move_of(x, order, n, copy, 1);
    }
}

static void sort_row(spgemm_csr *C, int64_t begin, int64_t n, room *r)
{
    const size_t size = spgemm_value_bytes(C->value_type);
    const size_t width = spgemm_python_index_bytes(C);
    set_keys(r->entries, C, begin, n);
    const entry *order = sort_entries(r, n);
    move((char *)C->values + (size_t)begin * size, order, n, r->copy, size);
    move((char *)C->colidx + (size_t)begin * width, order, n, r->copy, width);
}

static int64_t longest_row(const spgemm_csr *C)
{
    int64_t longest = 1;
    for (int64_t i = 0; i < C->nrows; i++) {
        const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
        longest = n > longest ? n : longest;
    }
    return longest;
}

bool spgemm_python_sort_by_value(spgemm_csr *C)
{
    const size_t longest = (size_t)longest_row(C);
    room r = {.entries = malloc(longest * sizeof *r.entries),
              .merged = malloc(longest * sizeof *r.merged),
              .copy = malloc(longest * sizeof(int64_t))};
    const bool has_room = r.entries && r.merged && r.copy;
    for (int64_t i = 0; has_room && i < C->nrows; i++) {
        const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
        if (n > 1)
            sort_row(C, C->rowptr[i], n, &r);
    }
    free(r.entries);
    free(r.merged);
    free(r.copy);
    C->flags &= ~(uint32_t)SPGEMM_SORTED_ROWS;
    return has_room;
}
