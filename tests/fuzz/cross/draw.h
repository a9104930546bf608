/* SPDX-License-Identifier: BSD-3-Clause */
/* From a seed to the arguments of a call. */
#ifndef SPGEMM_TESTS_CROSS_DRAW_H
#define SPGEMM_TESTS_CROSS_DRAW_H

#include "crossing.h"
#include "generate.h"

/** How the entries of a matrix lie. */
typedef enum layout {
    LAYOUT_RANDOM,
    LAYOUT_RUNS,    /* columns in runs, rows like the row before */
    LAYOUT_SHIFTED, /* rows as the row before, a column to the right */
    LAYOUT_LONG,    /* one long row, the others short */
    LAYOUT_DENSE,
    LAYOUT_SPREAD, /* rows of one length, over all columns */
    LAYOUT_SINGLE, /* rows of one entry at most */
    LAYOUT_BAND,   /* near the diagonal */
    LAYOUT_MIXED,  /* few long rows, many short ones */
    LAYOUT_COUNT
} layout;

/** What a matrix is drawn from. */
typedef struct recipe {
    int64_t nrows;
    int64_t ncols;
    layout layout;
    int64_t length;         /* of a row, about */
    int64_t most;           /* entries; rows after them are empty */
    bool is_jumbled;        /* in any order, with duplicates */
    const int64_t *palette; /* its columns alone; NULL: all */
    int64_t npalette;
    spgemm_index_type index_type;
    spgemm_value_type value_type;
    value_kind values;
    bool is_pattern; /* without values */
} recipe;

/** Entries of a matrix. */
enum { MOST_ENTRIES = 40000, MOST_LARGE_ENTRIES = 1 << 20 };

/** A matrix in the arena. */
spgemm_csr draw_matrix(dice *d, const recipe *r);

/** Other values for the same pattern. */
void draw_new_values(dice *d, spgemm_csr *X, value_kind kind);

/** One value in the arena. */
void *draw_one_value(dice *d, spgemm_value_type type, value_kind kind);

/** All of a crossing but its `out`: x->seed says which. */
void draw_crossing(crossing *x);

/** options.resources.out, for a C of so many entries; or none. */
void draw_out(crossing *x, int64_t nrows, int64_t nnz, bool has_values);

/** Make one argument wrong, in one of many ways. */
void draw_damage(crossing *x);

/** Change the pattern of a matrix so that it stays well formed; false: it has
    nothing to change. */
bool draw_another_pattern(dice *d, spgemm_csr *X);

#endif
