/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are within what they may be: what can be told without A and B. */
#ifndef SPGEMM_SPGEMM_PIPELINE_CHECK_OPTIONS_H
#define SPGEMM_SPGEMM_PIPELINE_CHECK_OPTIONS_H

#include <stdbool.h>

#include "spgemm/spgemm.h"

/** What a function of the interface does, as far as its options go: those that
    it does not use are refused. */
typedef struct entry_point {
    const char *name;
    bool predicts;   /* options.predict */
    bool multiplies; /* values are read, working memory is kept */
    bool makes_c;    /* options.resources.out */
} entry_point;

/** @retval SPGEMM_ERROR_INVALID  the refusal names the option and its value */
spgemm_status spgemm_options_check(const spgemm_options *options,
                                   const entry_point *self);

/** Whether which entries C has depends on values of A and B, or what is asked
    for is only said of matrices that have them. */
bool spgemm_options_read_values(const spgemm_options *options);

#endif
