/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of a row of C from some of the entries of its row of A: of F products,
   n were looked at, which have Z columns, f1 of them once and f2 twice. So many
   have not been met,

       f0 = f1^2 / (2 f2),   nnz = Z + f0 (1 - exp(-(F - n) / n * f1 / f0)).

   It costs a few products where the row has thousands: that tells rows which
   compress from those which do not, and what a row has that is too expensive to
   count.

   Where each column has the same number k of products, that is k / (k - 1) times too
   much, and Z + f1^2 / (2 f2 + n / (F - n) f1) is right: it may be off by half of what
   they differ by. Where columns are unequally likely it is too
   little, the more so the fewer products are looked at: it may be off by what twice as
   many make of it.

   A. Chao, Scandinavian Journal of Statistics 11:265-270, 1984, f0; T.-J. Shen,
   A. Chao, C.-F. Lin, Ecology 84(3):798-804, 2003, the extrapolation;
   A. Chao, C.-W. Lin, Biometrics 68(3):912-921, 2012, f0 of a finite F. */
#ifndef SPGEMM_PREDICT_STRATIFIED_PARTIAL_ROWS_H
#define SPGEMM_PREDICT_STRATIFIED_PARTIAL_ROWS_H

#include "predict/predictor.h"

typedef struct partial_row {
    int64_t row;
    int64_t entries;   /* of A, to look at */
    int64_t times;     /* to look at as many others, for a mean; 0: at none */
    bool is_corrected; /* for bias: 2 nnz less what half of the entries say */
    int64_t products;  /* out: looked at, or to be */
    double nnz;        /* out: of the whole row */
    double variance;   /* out: of what was said each time, over nnz squared */
    /* Out, of a corrected one, over nnz: what the other half of the entries adds to
       what one half says, and what equal columns would take away. */
    double trend;
    double gap;
} partial_row;

/** Finds what looking at each of `count` rows costs, and looks at none. */
void spgemm_partial_rows_cost(const predict_input *in, partial_row *rows,
                              int64_t count, uint64_t seed);

/**
 * Estimates `count` rows, each of which has products.
 *
 * @note Time and memory O(products of the entries looked at). The same for any
 *       number of threads.
 */
spgemm_status spgemm_partial_rows_estimate(const predict_input *in,
                                           partial_row *rows, int64_t count,
                                           uint64_t seed);

#endif
