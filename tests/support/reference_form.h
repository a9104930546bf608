/* SPDX-License-Identifier: BSD-3-Clause */
/* Every form of the product as the headers promise it, slowly, sharing no code
   with src/:

     C = drop(mask(alpha op(A)(rows, :) op(B)(:, cols) + beta D)) */
#ifndef SPGEMM_TESTS_REFERENCE_FORM_H
#define SPGEMM_TESTS_REFERENCE_FORM_H

#include "reference_ring.h"

/**
 * Of the options, those that say what C is are looked at: semiring, user, op_a,
 * op_b, alpha, beta, D, rows, cols, mask, mask_mode, drop_zeros, drop_tolerance,
 * keep_top, top_by. All must make sense. Rows of C are sorted. Free with free_csr().
 */
spgemm_csr reference_form(const spgemm_csr *A, const spgemm_csr *B,
                          const spgemm_options *options);

#endif
