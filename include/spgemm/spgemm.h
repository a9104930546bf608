/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libspgemm: C = A*B for sparse matrices in compressed sparse rows (CSR),
 * allocated from a prediction of nnz(C) and multiplied in one pass.
 *
 * Read in this order: status.h, csr.h, options.h, report.h, and the products
 * below. Words: `nnz` counts stored entries, explicit zeros included;
 * `products` is the number of scalar multiplications, the sum over A(i,k) of
 * nnz(B(k,:)); `compression` is products / nnz(C).
 */
#ifndef SPGEMM_H
#define SPGEMM_H

#include "spgemm/alloc.h"
#include "spgemm/csr.h"
#include "spgemm/export.h"
#include "spgemm/options.h"
#include "spgemm/rap.h"
#include "spgemm/report.h"
#include "spgemm/semiring.h"
#include "spgemm/status.h"
#include "spgemm/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * C = A*B, allocated from a prediction of its size, multiplied in one pass.
 *
 * The size of C is predicted, not counted: no symbolic pass is made. A wrong
 * prediction costs time or memory, never correctness: rows that outgrow their
 * chunk go to an overflow pool, and C is the same, bit for bit, whatever was
 * predicted, for any number of threads, on any CPU: each C(i,j) is the sum of
 * its products, begun at +0, in the order of A's row, and a NaN is the one of
 * positive sign and no payload. Entries that cancel to zero are kept. The
 * product of complex numbers is (ac - bd) + (ad + bc)i, each of its six
 * operations rounded. A semiring of yours answers for its own bits.
 *
 * @param[out] C        m-by-n. Its arrays are allocated here; free them with
 *                      spgemm_csr_destroy(). On error *C is left as it was.
 *                      C may not be A, B, D or the mask.
 * @param[in]  A        m-by-k; rows in any order, duplicates are summed
 * @param[in]  B        k-by-n; types as A. May be A itself.
 * @param[in]  options  NULL for defaults
 * @param[out] report   NULL if not wanted
 *
 * @retval SPGEMM_SUCCESS
 * @retval SPGEMM_ERROR_INVALID        a NULL, an unknown enum value, slack below 1, a parameter that the predictor does not take, rows or columns out of range, columns that do not increase, reserved set, C is A, B, D or the mask
 * @retval SPGEMM_ERROR_SHAPE          columns of op(A) != rows of op(B)
 * @retval SPGEMM_ERROR_STRUCTURE      A or B is malformed: report->fault
 * @retval SPGEMM_ERROR_UNSUPPORTED    types of A and B differ, are not built, or the values of one
 *                                     of them alone are NULL
 * @retval SPGEMM_ERROR_OVERFLOW       products do not fit int64_t, or C's bytes size_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @retval SPGEMM_ERROR_MEMORY_LIMIT   C would not fit options.resources.memory_limit_bytes: the
 *                                     report has what was predicted
 *
 * @note Time O(nrows + nnz(A) + products / nthreads). Memory: C, 11 bytes a
 *       row, and per thread a few chunks and an accumulator, which is at most
 *       some MB or a table of the longest row of C.
 * @note Thread-safe. A and B may be shared, and must not change meanwhile.
 *
 * Method: row-wise product of Gustavson [1]; prediction after Du et al. [2],
 * by classes of rows.
 *   [1] F. G. Gustavson, ACM TOMS 4(3):250-269, 1978, doi:10.1145/355791.355796
 *   [2] Z. Du et al., Predicting the Output Structure of Sparse Matrix
 *       Multiplication with Sampled Compression Ratio, arXiv:2207.13848
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_predicted(spgemm_csr *C, const spgemm_csr *A, const spgemm_csr *B,
                 const spgemm_options *options, spgemm_report *report);

/**
 * C = A*B in two passes: a symbolic pass counts nnz(C) row by row, C is
 * allocated exactly, a numeric pass fills it. Otherwise as spgemm_predicted();
 * options.predict is refused.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_precise(spgemm_csr *C, const spgemm_csr *A, const spgemm_csr *B,
               const spgemm_options *options, spgemm_report *report);

/**
 * C = A*B in one pass into arrays of min(products, ncols) entries a row, then
 * compacted. Otherwise as spgemm_predicted(); options.predict is refused.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_upper_bound(spgemm_csr *C, const spgemm_csr *A, const spgemm_csr *B,
                   const spgemm_options *options, spgemm_report *report);

#ifdef __cplusplus
}
#endif
#endif
