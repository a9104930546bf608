/* SPDX-License-Identifier: BSD-3-Clause */
/* One product, many values: the structure of C is found once. */
#ifndef SPGEMM_PLAN_H
#define SPGEMM_PLAN_H

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is known of a product whose patterns do not change. */
typedef struct spgemm_plan spgemm_plan;

/**
 * C = A*B as spgemm_predicted(), and a plan to repeat it for other values.
 *
 * @param[out] plan     free with spgemm_plan_destroy()
 * @param[out] C        as spgemm_predicted()
 * @param[in]  options  NULL for defaults. Kept, except resources.progress and
 *                      resources.out: what the others point to (alpha, beta, D,
 *                      mask, rows, cols, user and its zero, context, allocator)
 *                      must live as long as the plan. What drops
 *                      entries by value (drop_zeros, drop_tolerance, keep_top,
 *                      SPGEMM_MASK_VALUES) is refused
 * @retval as spgemm_predicted(); SPGEMM_ERROR_UNSUPPORTED for such options
 * @note Memory that stays with the plan: O(rows of C), of 64-bit columns 4 bytes an
 *       entry of A and B and, where places are kept, of C, and a byte for each
 *       product of most rows, two where the row has more than 256 entries: where
 *       in C it is added; of D two bytes for each entry of such rows. In all that
 *       is never more than C's entries take: rows that would take more do without,
 *       as do rows that repeat others or, without D and mask, are taken together
 *       with others, and products by a semiring of the caller. No row has it where
 *       the limit or the memory has no room for it. To find it takes O(products):
 *       beside spgemm_predicted() a plan takes about a third longer; with D or a
 *       mask, or where rows of C span more than 2^20 columns, 1.3 to 2.8 times as
 *       long.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_plan_create(
    spgemm_plan **plan, spgemm_csr *C, const spgemm_csr *A, const spgemm_csr *B,
    const spgemm_options *options, spgemm_report *report);

/**
 * The values of C = A*B for other values of A and B, into C's array of values:
 * bit for bit those of a fresh call.
 *
 * @param[in]     A, B  of the patterns that were planned for; others are
 *                      refused, by a checksum of rowptr and colidx, as are
 *                      others of mask, D, rows and cols of the options
 * @param[in,out] C     of spgemm_plan_create() of this plan, its rowptr and
 *                      colidx as they were, by their checksum; or a copy of it
 * @retval SPGEMM_ERROR_PATTERN        A, B or C is not what was planned for
 * @retval SPGEMM_ERROR_INVALID        C.values is missing, or overlaps an array of
 *         A, B, D or the mask
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY, SPGEMM_ERROR_MEMORY_LIMIT (that of the
 *         plan's options): some of C's values may be new, the others are not
 * @note Thread-safe: a plan may serve several calls, with a C each. Rows whose
 *       products have known places count as SPGEMM_ACCUMULATOR_DENSE in the
 *       report. Time O(products + entries of A, B and C).
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_plan_repeat(const spgemm_plan *plan, spgemm_csr *C, const spgemm_csr *A,
                   const spgemm_csr *B, spgemm_report *report);

/**
 * spgemm_plan_repeat() that tells how far it has come, and may be stopped.
 *
 * @param[in] progress  as resources.progress of spgemm_options; NULL: nobody asks
 * @param[in] progress_context  given to it
 * @retval SPGEMM_ERROR_CANCELLED  progress returned other than 0: some of C's values
 *         may be new, the others are not
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_plan_repeat_watched(
    const spgemm_plan *plan, spgemm_csr *C, const spgemm_csr *A,
    const spgemm_csr *B, int (*progress)(void *progress_context, double done),
    void *progress_context, spgemm_report *report);

/** Accepts NULL. */
SPGEMM_API void spgemm_plan_destroy(spgemm_plan *plan);

#ifdef __cplusplus
}
#endif
#endif
