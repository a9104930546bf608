/* SPDX-License-Identifier: BSD-3-Clause */
/* Parameters that a method can have: a ladder of each. */
#include "settings.h"

#include <stdio.h>

enum { STEPS = 8 };

typedef enum parameter {
    SIZE,
    PROBABILITY,
    BUDGET,
    TARGET, /* predict_error */
    PARAMETERS
} parameter;

/* 0 ends a ladder. */
static const struct {
    const char *name;
    double steps[STEPS];
} ladders[PARAMETERS] = {
    [SIZE] = {"size", {4, 16, 64, 256, 1024, 4096}},
    [PROBABILITY] = {"probability", {0.01, 0.03, 0.1, 0.3}},
    [BUDGET] = {"budget", {1e-5, 1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03}},
    [TARGET] = {"error", {0.1, 0.03, 0.01, 0.003, 0.001}},
};

static bool is_integer(const spgemm_integer_range *range, int64_t value)
{
    return range->least > 0 && value >= range->least && value <= range->most;
}

static bool is_number(const spgemm_number_range *range, double value)
{
    return range->least > 0 && value >= range->least && value <= range->most;
}

/* false: the method does not take it. */
static bool set(spgemm_options *options, parameter which, double value)
{
    const spgemm_predictor_limits *can =
        spgemm_predict_limits(options->predict.method);
    switch (which) {
    case SIZE:
        options->predict.size = (int64_t)value;
        return is_integer(&can->size, options->predict.size);
    case PROBABILITY:
        options->predict.probability = value;
        return is_number(&can->probability, value);
    case BUDGET:
        options->predict.budget = (int64_t)value;
        return is_integer(&can->budget, options->predict.budget);
    default:
        options->predict.error = value;
        return is_number(&can->error, value);
    }
}

bool setting_apply(spgemm_options *options, char word[SETTING_WORD_BYTES],
                   spgemm_predictor method, int64_t products, int k)
{
    const spgemm_options plain = *options;
    options->predict.method = method;
    snprintf(word, SETTING_WORD_BYTES, "default");
    if (k == 0)
        return true;
    int found = 0;
    for (int which = 0; which < PARAMETERS; which++)
        for (int s = 0; s < STEPS && ladders[which].steps[s] > 0; s++) {
            const double step = ladders[which].steps[s];
            *options = plain;
            options->predict.method = method;
            if (!set(options, (parameter)which,
                     which == BUDGET ? step * (double)products : step) ||
                ++found < k)
                continue;
            snprintf(word, SETTING_WORD_BYTES, "%s=%g%s", ladders[which].name,
                     step, which == BUDGET ? " of products" : "");
            return true;
        }
    return false;
}
