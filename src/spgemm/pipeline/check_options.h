/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are within what they may be: what can be told without A and B. */
#ifndef SPGEMM_SPGEMM_PIPELINE_CHECK_OPTIONS_H
#define SPGEMM_SPGEMM_PIPELINE_CHECK_OPTIONS_H

#include "spgemm/spgemm.h"

/** @retval SPGEMM_ERROR_INVALID  the refusal names the option and its value */
spgemm_status spgemm_options_check(const spgemm_options *options);

/** Whether entries are dropped by value. */
bool spgemm_options_drop(const spgemm_options *options);

#endif
