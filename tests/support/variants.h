/* SPDX-License-Identifier: BSD-3-Clause */
/* The three multiplies as a table. */
#ifndef SPGEMM_TESTS_VARIANTS_H
#define SPGEMM_TESTS_VARIANTS_H

#include "spgemm/spgemm.h"

typedef spgemm_status multiply_function(spgemm_csr *C,
                                        const spgemm_csr *A,
                                        const spgemm_csr *B,
                                        const spgemm_options *options,
                                        spgemm_report *report);

typedef struct multiply_variant {
    const char *name;
    multiply_function *multiply;
} multiply_variant;

enum { VARIANT_PREDICTED, VARIANT_PRECISE, VARIANT_UPPER_BOUND, VARIANT_COUNT };

static const multiply_variant multiply_variants[VARIANT_COUNT] = {
    [VARIANT_PREDICTED] = {"predicted", spgemm_predicted},
    [VARIANT_PRECISE] = {"precise", spgemm_precise},
    [VARIANT_UPPER_BOUND] = {"upper_bound", spgemm_upper_bound},
};

#endif
