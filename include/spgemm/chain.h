/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of A*B*C, and which of its two orders is cheaper. */
#ifndef SPGEMM_CHAIN_H
#define SPGEMM_CHAIN_H

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What a sample says of a number. */
typedef struct spgemm_estimate {
    double value;
    /** 0: value is exact. NaN: nobody knows. */
    double standard_error;
} spgemm_estimate;

/** One order of a chain. */
typedef struct spgemm_chain_order {
    /** Products of its first multiplication; exact. */
    int64_t first_products;
    /** Entries of the result of that, A*B or B*C. */
    spgemm_estimate first_nnz;
    /** Products of both multiplications together. */
    spgemm_estimate products;
} spgemm_chain_order;

/** What is known of A*B*C before it is multiplied. */
typedef struct spgemm_chain {
    /** nnz(A*B*C). */
    spgemm_estimate nnz;
    /** (A*B)*C. */
    spgemm_chain_order left;
    /** A*(B*C). */
    spgemm_chain_order right;
    /** left is expected to take fewer products. */
    bool is_left_cheaper;

    int64_t rows_sampled;
    /** Counted, of all multiplications. */
    int64_t products_sampled;
    /** On SPGEMM_ERROR_STRUCTURE. */
    spgemm_fault fault;

    /** Why the call failed, as spgemm_error_text(); "" on success. */
    char refusal[SPGEMM_REFUSAL_BYTES];

    /** 0; room for what later versions say. */
    uint64_t reserved[8];
} spgemm_chain;

/**
 * The size of A*B*C and the products of both of its orders, without A*B or B*C:
 * some rows of A are multiplied by B and the result by C, and some rows of B by C.
 *
 * For R*A*P of multigrid the matrices are R, A and P; A*A*A is one matrix three
 * times.
 *
 * @param[out] chain    written on failure, too: why, and where
 * @param[in]  A        m-by-k; values are not read and may be NULL
 * @param[in]  B        k-by-n; index type as A
 * @param[in]  C        n-by-p; index type as A
 * @param[in]  options  NULL for defaults. Used are predict.seed; predict.budget, the
 *                      products to count, about (0: a hundredth of those of A*B
 *                      and B*C, and 2000000 at least); resources.nthreads,
 *                      input_check and allocator. All others are refused by name
 *
 * @retval SPGEMM_ERROR_INVALID        a NULL, an option that is not used
 * @retval SPGEMM_ERROR_SHAPE          columns of A != rows of B, or of B and C
 * @retval SPGEMM_ERROR_STRUCTURE      one of them is malformed: chain->fault
 * @retval SPGEMM_ERROR_UNSUPPORTED    index types differ
 * @retval SPGEMM_ERROR_OVERFLOW       products of A*B or of B*C do not fit int64_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 *
 * @note Time O(rows + nnz of each) and the products counted: 16 rows of A and of
 *       B are, whatever the budget, and what each costs tells how many more.
 *       Memory 40 bytes a row of A and of B, and the rows of A*B that are
 *       sampled. The same for any number of threads. Thread-safe.
 * @note Rows are drawn in proportion to the products that they stand for: M. H.
 *       Hansen, W. N. Hurwitz, Annals of Mathematical Statistics 14(4):333-362,
 *       1943, doi:10.1214/aoms/1177731356.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_predict_chain(
    spgemm_chain *chain, const spgemm_csr *A, const spgemm_csr *B,
    const spgemm_csr *C, const spgemm_options *options);

#ifdef __cplusplus
}
#endif
#endif
