/* SPDX-License-Identifier: BSD-3-Clause */
/* Seeded matrices: every shape and pattern on which products go wrong. */
#ifndef SPGEMM_TESTS_GENERATE_H
#define SPGEMM_TESTS_GENERATE_H

#include "build_csr.h"
#include "dice.h"

/** What the values are. */
typedef enum value_kind {
    VALUES_INTEGER,   /* -4 .. 4, zero included: sums are exact and cancel */
    VALUES_ARBITRARY, /* any magnitude: the order of a sum shows in its bits */
    VALUES_SPECIAL,   /* NaN, infinities, -0, denormals, overflowing sums */
    VALUE_KINDS
} value_kind;

/** One source of matrices. */
typedef struct maker {
    dice dice;
    spgemm_index_type index_type;
    value_kind values;
} maker;

double make_value(maker *m);

spgemm_csr make_empty(maker *m, int64_t nrows, int64_t ncols);
spgemm_csr make_identity(maker *m, int64_t n); /* values 1 */
spgemm_csr make_diagonal(maker *m, int64_t n);

/* Each place within `halfwidth` of the diagonal is taken with chance `fill`. */
spgemm_csr make_banded(maker *m, int64_t n, int64_t halfwidth, double fill);

/* Erdos-Renyi: `per_row` columns anywhere in each row, sorted, distinct. */
spgemm_csr make_uniform(maker *m, int64_t nrows, int64_t ncols,
                        int64_t per_row);

/* The same with repeated columns, in no order. */
spgemm_csr make_jumbled(maker *m, int64_t nrows, int64_t ncols,
                        int64_t per_row);

/* R-MAT (.57, .19, .19, .05): 2^scale rows, `edges` entries, duplicates. */
spgemm_csr make_rmat(maker *m, int scale, int64_t edges);

/* Every entry is there. */
spgemm_csr make_all_entries(maker *m, int64_t nrows, int64_t ncols);

/* `nnz` entries in a matrix of mostly empty rows. */
spgemm_csr make_hypersparse(maker *m, int64_t nrows, int64_t ncols,
                            int64_t nnz);

/* A chain of `nodes` nodes, each bound to `reach` on either side, `dofs`
   unknowns a node: runs of columns, equal rows. */
spgemm_csr make_fem(maker *m, int64_t nodes, int64_t reach, int64_t dofs);

/* Row `row` has `length` equally spaced columns, all others none. */
spgemm_csr make_one_row(maker *m, int64_t nrows, int64_t ncols, int64_t row,
                        int64_t length);

/* Column `column` has an entry in every row. */
spgemm_csr make_one_column(maker *m, int64_t nrows, int64_t ncols,
                           int64_t column);

/* `per_row` columns, all multiples of `stride`. */
spgemm_csr make_strided(maker *m, int64_t nrows, int64_t ncols, int64_t per_row,
                        int64_t stride);

/** Rows of `size` entries of A that meet rows of `size` entries of B. `count` of
    them have `size` entries in C, being of a clique, and as many nearly size^2;
    nothing tells them apart, and they lie in any order. size divides count. */
void make_cliques(maker *m, int64_t count, int64_t size, spgemm_csr *A,
                  spgemm_csr *B);

/* Every `period`-th row has `many` columns, the others `few`. */
spgemm_csr make_mixed(maker *m, int64_t nrows, int64_t ncols, int64_t few,
                      int64_t many, int64_t period);

/** A product to try. */
typedef struct product_case {
    const char *name;
    void (*make)(maker *m, spgemm_csr *A, spgemm_csr *B);
} product_case;

extern const product_case product_cases[];
extern const int product_case_count;

/** The pair of case `number`; free both with free_csr(). */
void make_case(int number, spgemm_index_type index_type, value_kind values,
               spgemm_csr *A, spgemm_csr *B);

/** The number of a case by its name; ends the test when there is none. */
int find_case(const char *name);

#endif
