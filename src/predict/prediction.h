/* SPDX-License-Identifier: BSD-3-Clause */
/* What a predictor says of C = A*B: the total with its standard error, and
   nnz of every row, either one by one or as products / compression of the
   row's class: rows of about as many products, from about as many rows of B,
   the longest of which is about as many times as long as their mean. */
#ifndef SPGEMM_PREDICT_PREDICTION_H
#define SPGEMM_PREDICT_PREDICTION_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/checked.h"

/* Levels of products, of entries of A's row, and of the longest row of B over
   the mean, the last of each for all above. */
#define CLASS_PRODUCTS 63
#define CLASS_LENGTHS  4
#define CLASS_SKEWS    4

enum { PREDICTION_CLASSES = CLASS_PRODUCTS * CLASS_LENGTHS * CLASS_SKEWS };

typedef struct prediction {
    double nnz;
    double standard_error; /* 0 only where is_exact; NaN: none */
    bool is_exact;         /* nnz is what C has, if no hashes collide */
    int64_t rows_sampled;
    int64_t products_sampled;
    double compression[PREDICTION_CLASSES];
    double *row_nnz; /* [nrows], or NULL: use compression */
} prediction;

/* floor(log2(n)), n > 0. */
static inline int floor_log2(int64_t n)
{
    return 63 - __builtin_clzll((uint64_t)n);
}

/* The class of a row of C with products > 0, from `length` rows of B, the
   longest of `longest` entries. Products by powers of 2, lengths by powers of
   4, longest / (products / length) by powers of 2. Measured, standard error of
   93 matrices squared, 0.5 % of the products sampled, the mean of all and the
   worst: products alone 1.06, 6.2 %; and lengths 0.87, 5.4; all three 0.80,
   4.5. */
static inline int prediction_class(int64_t products, int64_t length,
                                   int64_t longest)
{
    const int c = floor_log2(products);
    const int d = floor_log2(length);
    const int skew = floor_log2(longest) + d - c;
    const int length_level = (int)min_i64(d / 2, CLASS_LENGTHS - 1);
    const int skew_level = skew < 0 ? 0 : (int)min_i64(skew, CLASS_SKEWS - 1);
    return (c * CLASS_LENGTHS + length_level) * CLASS_SKEWS + skew_level;
}

/* Of a row of which at most `bound` entries are kept, 0 < bound <= products: by
   products and by their ratio, both by powers of 2. */
#define CLASS_BOUNDS (CLASS_LENGTHS * CLASS_SKEWS)

static inline int prediction_kept_class(int64_t products, int64_t bound)
{
    const int c = floor_log2(products);
    return c * CLASS_BOUNDS +
           (int)min_i64(c - floor_log2(bound), CLASS_BOUNDS - 1);
}

/* Of a row of which none is kept: no row of one product is kept in part. */
#define CLASS_KEPT_NONE 1

/* Predicted nnz of a row, kept within what is possible: [1, bound] where it
   has products, and bound = min(products, ncols) at most. */
static inline int64_t prediction_row(const prediction *p, int64_t row,
                                     int64_t products, int class, int64_t ncols)
{
    if (products == 0)
        return 0;
    const double predicted =
        p->row_nnz ? p->row_nnz[row] : (double)products / p->compression[class];
    /* To the nearest. */
    return checked_capacity(predicted - 0.5, 1, min_i64(products, ncols));
}

static inline void prediction_fill(prediction *p, double compression)
{
    for (int c = 0; c < PREDICTION_CLASSES; c++)
        p->compression[c] = compression;
}

/* Of a method that predicts the total only: each row gets its share by
   products, as Du et al. do for the methods before theirs. */
static inline void prediction_set_total(prediction *p, double nnz,
                                        double standard_error, int64_t products,
                                        int64_t bound)
{
    p->nnz = fmin(nnz, (double)bound);
    p->standard_error = standard_error;
    prediction_fill(p, p->nnz > 0 ? (double)products / p->nnz : 1.0);
}

#endif
