/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters that a method can have: a ladder of each. */
#ifndef BENCH_SETTINGS_H
#define BENCH_SETTINGS_H

#include "spgemm/predict.h"

enum { SETTING_WORD_BYTES = 48 };

/**
 * Step k of a method's parameters, each in its turn, the others as they are by
 * default: into the options, and as a word, "size=64". Step 0 is "default".
 *
 * @param[in] products  of the pair: budgets are shares of it
 * false: there are no more steps.
 */
bool setting_apply(spgemm_options *options, char word[SETTING_WORD_BYTES],
                   spgemm_predictor method, int64_t products, int k);

#endif
