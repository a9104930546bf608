/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a method of prediction, from the command line. */
#ifndef TOOLS_PARAMETERS_H
#define TOOLS_PARAMETERS_H

#include "arguments.h"
#include "spgemm/predict.h"

/**
 * --size, --probability, --budget and --target-error into the options, for
 * their predictor. false, after a message with what the method takes, if one
 * was given that it does not take. With is_one_of_many one that it does not
 * have at all is left out instead.
 */
bool parameters_set(spgemm_options *options, const arguments *args,
                    bool is_one_of_many);

#endif
