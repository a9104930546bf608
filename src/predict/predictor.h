/* SPDX-License-Identifier: BSD-3-Clause */
/* The predictor contract: one function a method, one line in predictors.c. */
#ifndef SPGEMM_PREDICT_PREDICTOR_H
#define SPGEMM_PREDICT_PREDICTOR_H

#include "alloc/memory.h"
#include "predict/prediction.h"
#include "predict/products.h"
#include "spgemm/predict.h"

/* Counts nnz of rows of C: row_nnz[t] of row rows[t], for t in [0, count).
   Given by whoever calls a predictor, so that samples and the symbolic pass
   are counted by the same kernels. */
typedef spgemm_status row_counter(void *context, const int64_t *rows,
                                  int64_t count, int64_t *row_nnz);

/* One of `parts` equal ranges of the columns that a row of C may have. */
typedef struct row_part {
    int64_t row;
    int64_t part; /* in [0, parts) */
    int64_t parts;
    int64_t products; /* out: in that range */
    int64_t nnz;      /* out: in that range */
} row_part;

/* Counts products and nnz of parts of rows: a row of a million products need
   not be counted whole to be sampled. */
typedef spgemm_status part_counter(void *context, row_part *parts,
                                   int64_t count);

/* Entries of a row of C that may be kept. */
typedef int64_t row_bound(void *context, int64_t row);

typedef struct predict_input {
    const spgemm_csr *A;
    const spgemm_csr *B;
    const product_counts *counts;
    const spgemm_options *options; /* seed, nthreads, row_nnz, predict_* */
    row_counter *count_rows;
    part_counter *count_parts; /* NULL where B is not sorted */
    /* NULL: C is A*B. Otherwise rows are counted as they are kept, and their
       classes have bounds. */
    row_bound *bound_of_row;
    void *count_context;
    bool wants_rows; /* nnz of each is asked for, not only used */
    memory *m;
} predict_input;

/**
 * Fill *out, which is zeroed. row_nnz, if set, is taken from in->m and given
 * back by the caller, with nrows elements, on failure too.
 *
 * The same for any number of threads. The result may be wrong, never unsafe.
 */
typedef spgemm_status predict_fn(prediction *out, const predict_input *in);

typedef struct predictor {
    const char *name; /* in options, reports and plots */
    predict_fn *predict;
    const char *cites;
    spgemm_predictor_limits limits; /* of the parameters in the options */
} predictor;

/** Indexed by spgemm_predictor. */
extern const predictor spgemm_predictors[SPGEMM_PREDICTOR_COUNT];

/** The method that `choice` stands for: AUTO is resolved. */
spgemm_predictor spgemm_predictor_resolve(spgemm_predictor choice);

/** Whether there is such a method, and it takes the parameters in these options:
    SPGEMM_ERROR_INVALID, named, if not. */
spgemm_status spgemm_predictor_check(const spgemm_options *options);

/** options->predict.size, or what 0 stands for. */
static inline int64_t predict_size(const spgemm_options *options,
                                   spgemm_predictor method)
{
    return options->predict.size ? options->predict.size
                                 : spgemm_predictors[method].limits.size.preset;
}

/** options->predict.probability, or what 0 stands for. */
static inline double predict_probability(const spgemm_options *options,
                                         spgemm_predictor method)
{
    return options->predict.probability > 0
               ? options->predict.probability
               : spgemm_predictors[method].limits.probability.preset;
}

#define PREDICTOR(which, method, source, ...)                                  \
    predict_fn spgemm_predict_##method;
#include "predict/predictors.def"
#undef PREDICTOR

#endif
