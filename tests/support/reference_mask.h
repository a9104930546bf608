/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row of a mask names: duplicates are one entry, or their sum. */
#ifndef SPGEMM_TESTS_REFERENCE_MASK_H
#define SPGEMM_TESTS_REFERENCE_MASK_H

#include "spgemm/spgemm.h"

/** An entry of a row. */
typedef struct mask_place {
    int64_t column;
    int64_t p;
} mask_place;

/** Columns that row i of options->filter.mask names, in order; returns how many.
    `places` and `columns` have room for the entries of the row. */
int64_t reference_mask_row(const spgemm_options *options, int64_t i,
                           mask_place *places, int64_t *columns);

#endif
