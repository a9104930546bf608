/* SPDX-License-Identifier: BSD-3-Clause */
/* The parameters of a method of prediction, checked against what the library
   says that it takes. */
#include "parameters.h"

#include <inttypes.h>
#include <stdio.h>

#include "message.h"
#include "status.h"

/* Of one parameter of one method. */
typedef struct parameter {
    const char *option;
    const char *method;
    bool is_one_of_many;
} parameter;

static bool refuse_any(const parameter *p)
{
    if (!p->is_one_of_many)
        message(TOOL_USAGE, "--%s: the method %s has no such parameter",
                p->option, p->method);
    return p->is_one_of_many;
}

/* false: refused. *field is written if the method has the parameter. */
static bool set_integer(int64_t *field, const parameter *p,
                        const arguments *args,
                        const spgemm_integer_range *range, bool is_power_of_two)
{
    if (!arguments_has(args, p->option))
        return true;
    if (range->least == 0)
        return refuse_any(p);
    const int64_t value = arguments_integer(args, p->option, 0);
    char most[32] = "";
    if (range->most < INT64_MAX)
        snprintf(most, sizeof most, "..%" PRId64, range->most);
    if (value < range->least || value > range->most ||
        (is_power_of_two && (value & (value - 1)) != 0)) {
        message(TOOL_USAGE, "--%s: %s takes %s%" PRId64 "%s, not %" PRId64,
                p->option, p->method,
                is_power_of_two ? "a power of two in " : "", range->least,
                *most ? most : " or more", value);
        return false;
    }
    *field = value;
    return true;
}

static bool set_number(double *field, const parameter *p, const arguments *args,
                       const spgemm_number_range *range)
{
    if (!arguments_has(args, p->option))
        return true;
    if (!(range->least > 0))
        return refuse_any(p);
    const double value = arguments_number(args, p->option, 0);
    if (!(value >= range->least && value <= range->most)) {
        message(TOOL_USAGE, "--%s: %s takes %g..%g, not %g", p->option,
                p->method, range->least, range->most, value);
        return false;
    }
    *field = value;
    return true;
}

bool parameters_set(spgemm_options *options, const arguments *args,
                    bool is_one_of_many)
{
    const spgemm_predictor_limits *limits =
        spgemm_predict_limits(options->predict.method);
    const char *method =
        spgemm_predictor_name(options->predict.method == SPGEMM_PREDICTOR_AUTO
                                  ? SPGEMM_PREDICTOR_STRATIFIED
                                  : options->predict.method);
    const parameter size = {"size", method, is_one_of_many};
    const parameter probability = {"probability", method, is_one_of_many};
    const parameter budget = {"budget", method, is_one_of_many};
    const parameter error = {"target-error", method, is_one_of_many};
    return set_integer(&options->predict.size, &size, args, &limits->size,
                       limits->size_is_power_of_two) &&
           set_number(&options->predict.probability, &probability, args,
                      &limits->probability) &&
           set_integer(&options->predict.budget, &budget, args, &limits->budget,
                       false) &&
           set_number(&options->predict.error, &error, args, &limits->error);
}
