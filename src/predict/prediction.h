/* SPDX-License-Identifier: BSD-3-Clause */
/* What a predictor says of C = A*B: the total with its standard error, and
   nnz of every row, either one by one or as products / compression of the
   row's class, class c being the rows with 2^c <= products < 2^(c+1). */
#ifndef SPGEMM_PREDICT_PREDICTION_H
#define SPGEMM_PREDICT_PREDICTION_H

#include <math.h>
#include <stdint.h>

#include "common/checked.h"

enum { PREDICTION_CLASSES = 63 };

typedef struct prediction {
    double nnz;
    double standard_error; /* 0: exact; NaN: none */
    int64_t rows_sampled;
    int64_t products_sampled;
    double compression[PREDICTION_CLASSES];
    double *row_nnz; /* [nrows], or NULL: use compression */
} prediction;

/* floor(log2(products)), products > 0. */
static inline int prediction_class(int64_t products)
{
    return 63 - __builtin_clzll((uint64_t)products);
}

/* Predicted nnz of row i, kept within what is possible: [1, bound] where the
   row has products, and bound = min(products, ncols) at most. */
static inline int64_t prediction_row(const prediction *p,
                                     int64_t row,
                                     int64_t products,
                                     int64_t ncols)
{
    if (products == 0)
        return 0;
    const double predicted =
        p->row_nnz
            ? p->row_nnz[row]
            : (double)products / p->compression[prediction_class(products)];
    return checked_capacity(predicted, 1, min_i64(products, ncols));
}

static inline void prediction_fill(prediction *p, double compression)
{
    for (int c = 0; c < PREDICTION_CLASSES; c++)
        p->compression[c] = compression;
}

/* Of a method that predicts the total only: each row gets its share by
   products, as Du et al. do for the methods before theirs. */
static inline void prediction_set_total(prediction *p,
                                        double nnz,
                                        double standard_error,
                                        int64_t products,
                                        int64_t bound)
{
    p->nnz = fmin(nnz, (double)bound);
    p->standard_error = standard_error;
    prediction_fill(p, p->nnz > 0 ? (double)products / p->nnz : 1.0);
}

#endif
