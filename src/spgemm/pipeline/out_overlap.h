/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays that C goes into are nobody else's. */
#ifndef SPGEMM_SPGEMM_PIPELINE_OUT_OVERLAP_H
#define SPGEMM_SPGEMM_PIPELINE_OUT_OVERLAP_H

#include "spgemm/pipeline/check_options.h"

/** @retval SPGEMM_ERROR_INVALID  options.resources.out, for a C of nrows rows, overlaps an
                                  array of A, B, D or the mask, a list, or itself
    @note Time O(1). A and B have passed spgemm_csr_check_header(). */
spgemm_status spgemm_out_check_overlap(const spgemm_options *options,
                                       const spgemm_csr *A, const spgemm_csr *B,
                                       const operand_names *names,
                                       int64_t nrows);

/** @retval SPGEMM_ERROR_INVALID  C's values overlap any of these
    @note Time O(1). */
spgemm_status spgemm_values_check_overlap(const spgemm_options *options,
                                          const spgemm_csr *A,
                                          const spgemm_csr *B,
                                          const operand_names *names,
                                          const spgemm_csr *C);

#endif
