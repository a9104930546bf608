/* SPDX-License-Identifier: BSD-3-Clause */
/* R A P, the next coarser matrix of multigrid. */
#ifndef SPGEMM_RAP_H
#define SPGEMM_RAP_H

#include "spgemm/options.h"
#include "spgemm/report.h"
#include "spgemm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * C = R (A P), where rows of W = A P are made, used for the rows of C that need
 * them, and overwritten by the next.
 *
 * C is bit for bit what two calls make of it, W = A P and C = R W, each by
 * spgemm_predicted(). nnz(C) is predicted from at most 64 rows of R that are
 * counted through both products. W is made as a whole, as by two calls, where the
 * rows that must be kept are a quarter of it or more, where there are few
 * products, and for SPGEMM_ROWS_UNSORTED.
 *
 * @param[out] C  rows of R by columns of P; on error left as it was. C may not be
 *                R, A or P
 * @param[in]  R  NULL: C = P^T A P, or P^H A P if product.op_a is
 *                SPGEMM_OP_CONJUGATE_TRANSPOSE; product.op_b must then be NONE
 * @param[in]  A  types as R and P. Transpose it beforehand, where that is wanted
 * @param[in]  P  may be R or A
 * @param[in]  options  NULL for defaults. product.op_a and product.rows are of R,
 *                product.op_b and product.cols of P; product.alpha, beta, D,
 *                row_order, the filter and resources.out are of C;
 *                product.semiring and the other resources are of both products
 *                together. Of predict, seed and slack are of nnz(C), and the rest
 *                is refused
 * @param[out] report   NULL if not wanted. products, rows_by_accumulator, chunks,
 *                blocks, overflow and seconds are of both products, what is
 *                predicted, allocated and found of C; predictor is
 *                SPGEMM_PREDICTOR_AUTO where that is from rows of R
 * @retval as spgemm_predicted()
 *
 * @note Where each row of W is needed by about one row of R (P of aggregates, one
 *       unknown) and has 16 products or more in the mean, with SPGEMM_PLUS_TIMES, no
 *       mask and nothing done to the sums, it is made beside that row of C: then
 *       0.5 to 0.9 of the time of two calls was measured, and no window is held, but 4
 *       bytes for each column of P a thread.
 * @note Elsewhere time as of both products, and of handing rows of W on: what is
 *       gained is memory. Row k of W is kept from the first row of R that
 *       has column k or a later one to the last that has k or an earlier one: a
 *       band where rows and columns of R are in one order, as those of a grid and
 *       of aggregates that are numbered along it.
 * @note Memory as spgemm_predicted() for C, twice those rows of W,
 *       11 bytes for each row of A and 8 for each of R.
 * @note Thread-safe, as spgemm_predicted().
 *
 * Sample: M. H. Hansen, W. N. Hurwitz, Annals of Mathematical Statistics
 * 14(4):333-362, 1943, doi:10.1214/aoms/1177731356.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_rap(
    spgemm_csr *C, const spgemm_csr *R, const spgemm_csr *A,
    const spgemm_csr *P, const spgemm_options *options, spgemm_report *report);

#ifdef __cplusplus
}
#endif
#endif
