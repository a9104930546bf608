/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of C = A*B without computing C. */
#ifndef SPGEMM_PREDICT_H
#define SPGEMM_PREDICT_H

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a predictor says of C = A*B. */
typedef struct spgemm_prediction {
    /** The method used. */
    spgemm_predictor predictor;
    /** Exact. */
    int64_t products;
    /** Sum over rows of min(products, ncols), or of what a mask or keep_top
        leaves of that: nnz never exceeds it. */
    int64_t bound;
    /** Predicted entries of C. */
    double nnz;

    /** Of nnz, entries; 0: nnz is exact. NaN: nobody knows, since the method
        has none, its sample showed no spread, or it only tells of A*B. */
    double standard_error;
    int64_t rows_sampled;
    int64_t products_sampled;
    /** Counting the products of each row. */
    double products_seconds;
    /** The method itself. */
    double predict_seconds;
    /** On SPGEMM_ERROR_STRUCTURE. */
    spgemm_fault fault;

    /** Why the call failed: names the argument or the option, and what it was.
        "" on success. */
    char refusal[SPGEMM_REFUSAL_BYTES];

    /** 0; room for what later versions say. */
    uint64_t reserved[8];
} spgemm_prediction;

/** What a parameter of a method may be besides 0, its default. */
typedef struct spgemm_integer_range {
    /** 0: the method has no such parameter. */
    int64_t least;
    int64_t most;
    /** What 0 stands for; 0: it depends on the matrices. */
    int64_t preset;
} spgemm_integer_range;

/** The same of a number. */
typedef struct spgemm_number_range {
    double least;
    double most;
    double preset;
} spgemm_number_range;

/** What a method takes of the parameters of spgemm_options. */
typedef struct spgemm_predictor_limits {
    spgemm_integer_range size;
    bool size_is_power_of_two;
    spgemm_number_range probability;
    spgemm_integer_range budget;
    spgemm_number_range error;
} spgemm_predictor_limits;

/**
 * The parameters of a method; AUTO's are those of the method it stands for.
 * NULL if there is no such method. Never to be freed.
 */
SPGEMM_API const spgemm_predictor_limits *
spgemm_predict_limits(spgemm_predictor predictor);

/**
 * Predict nnz(C), and on request nnz of each of its rows: of C as it will be,
 * masked, and less what is dropped, if these are asked for.
 *
 * Of the rows that stratified samples it counts what is kept: by structure under
 * a mask and with keep_top, by value where entries are dropped; precise counts it
 * in all rows. Other methods tell of A*B, within the bound of C.
 *
 * @param[out] prediction  written on failure, too: why, and where
 * @param[in]  A        m-by-k; values are read with drops only, and may be NULL
 *                      without alpha, drops and keep_top
 * @param[in]  B        k-by-n; index type as A. May be A itself.
 * @param[in]  options  NULL for defaults; refused are beta, D, slack, context
 *                      and out. Of the memory limit stratified takes no more
 *                      than an eighth for lists
 * @param[out] row_nnz  [rows of C] predicted entries of each; NULL if not wanted
 *
 * @retval SPGEMM_ERROR_INVALID  a parameter that the method does not take
 * @retval as spgemm_predicted()
 *
 * @note Time O(nrows + nnz(A)) and memory 11 bytes a row, 4 a row of B while
 *       products are counted, and by method, with s the size, p the
 *       probability and k the rows of B:
 *
 *       method                  more time                 more memory, bytes
 *       upper_bound, caller     none                      8 a row
 *       precise                 all products              16 a row, tables
 *       min_hash                all products              16 s a thread
 *       kmv_sampled             nnz(B), sort by row       24 k + 8 p nnz(A)
 *                                                         + 8 p nnz(B)
 *                                                         + 16 s a thread
 *       bhash                   nnz(B), p p products      16 k + 8 p nnz(B)
 *                                                         + 16 s a thread
 *       sampled_nnz, sampled_cr the sampled rows          tables
 *       stratified              the sampled rows;         tables;
 *                               where these differ much,  then 16 k + 4 nnz(B)
 *                               the rows of B they meet;  + 12 a column;
 *                               for row_nnz, where rows   then 64 k + 8 a row
 *                               differ, nnz(A) + nnz(B)
 *       cohen                   s nnz(A) + s nnz(B)       4 s k + 8 a row
 *       hyperloglog             s nnz(A) + nnz(B)         (s + 8) k + 8 a row
 *       row_independent         k logarithms              8 k + 8 a row
 *       row_independent_ratio   that, the sampled rows    the same, tables
 *
 *       Tables: per thread one of the longest row counted.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_predict(
    spgemm_prediction *prediction, const spgemm_csr *A, const spgemm_csr *B,
    const spgemm_options *options, double *row_nnz);

#ifdef __cplusplus
}
#endif
#endif
