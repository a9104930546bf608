/* SPDX-License-Identifier: BSD-3-Clause */
/* What a kind of matrix is, and what kinds share. A new kind is a file that
   defines `const matrix_kind kind_NAME`, and a line in kinds.def. */
#ifndef MATGEN_KIND_H
#define MATGEN_KIND_H

#include <stdlib.h>

#include "common/rng.h"
#include "generate.h"

/* Columns are int32_t, and so are rows: a matrix may be transposed. */
enum { MOST_ROWS = INT32_MAX - 1 };

enum { MUST_BE_GIVEN = -1 };

typedef struct size_range {
    const char *name; /* as in the help; NULL: the kind has no such size */
    int64_t least;
    int64_t most;
    int64_t fallback; /* where it is not given, or MUST_BE_GIVEN */
} size_range;

typedef struct matrix_kind {
    const char *name;
    const char *help;
    size_range sizes[GENERATOR_SIZES];
    int64_t dofs; /* unknowns a node where the recipe has 0; 0: no nodes */
    bool has_own_values;
    /* A with sorted rows; its values are set afterwards, unless they are its
       own. The sizes are in their ranges. A is written on success only. */
    spgemm_status (*make)(spgemm_csr *A, const recipe *r);
} matrix_kind;

/* ---- Random numbers ------------------------------------------------------ */

/* Streams that have nothing to do with each other. */
enum {
    STREAM_COLUMNS = 0,
    STREAM_DEGREES = 1,
    STREAM_VALUES = 2,
    STREAM_POINTS = 3
};

static inline uint64_t stream_seed(const recipe *r, uint64_t stream)
{
    return rng_bits(r->seed, stream);
}

/* ---- Sizes --------------------------------------------------------------- */

/** x * y if that is a number of rows; otherwise, and if x is none, 0. */
static inline int64_t rows_times(int64_t x, int64_t y)
{
    return x > 0 && y > 0 && x <= MOST_ROWS / y ? x * y : 0;
}

/* ---- Keys ---------------------------------------------------------------- */

static inline int compare_keys(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *)x;
    const uint64_t b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

static inline void sort_keys(uint64_t *keys, int64_t count)
{
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
}

/* ---- Matrices by rows ---------------------------------------------------- */

/** Row i holds what fill() writes, in any order and perhaps twice; it writes
    bound(i) columns at most and returns how many. */
typedef struct row_rule {
    int64_t nrows; /* not in 1..MOST_ROWS: INVALID */
    int64_t ncols; /* likewise */
    const void *context;
    int64_t (*bound)(const void *context, int64_t i);
    int64_t (*fill)(const void *context, int64_t i, int32_t *columns);
} row_rule;

spgemm_status make_rows(spgemm_csr *A, const row_rule *rule);

/** Sort columns and drop what occurs twice; returns how many are left. */
int64_t sort_unique(int32_t *columns, int64_t count);

/** Row i holds column(i, 0), ..., column(i, degree - 1), each once; where rows
    differ, up to column(i, degree_of(i) - 1). */
typedef struct place_rule {
    int64_t nrows;
    int64_t ncols;
    int64_t degree;
    int64_t (*column)(const recipe *r, int64_t i, int64_t k); /* -1: none */
    int64_t (*degree_of)(const recipe *r, int64_t i);         /* NULL: alike */
} place_rule;

spgemm_status make_places(spgemm_csr *A, const recipe *r,
                          const place_rule *rule);

/** The graph of nodes that the rule says, with node v expanded to the rows and
    columns v * dofs, ..., v * dofs + dofs - 1, and each entry to a dense
    block. */
spgemm_status make_nodes(spgemm_csr *A, const row_rule *rule, int64_t dofs);

#endif
