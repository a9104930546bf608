/* SPDX-License-Identifier: BSD-3-Clause */
/* The methods of predictors.def, by enumerator, and their parameters. */
#include "common/refusal.h"
#include "predict/predictor.h"

const predictor spgemm_predictors[SPGEMM_PREDICTOR_COUNT] = {
    [SPGEMM_PREDICTOR_AUTO] = {.name = "auto"},
#define PREDICTOR(which, method, source, ...)                                  \
    [which] = {.name = #method,                                                \
               .predict = spgemm_predict_##method,                             \
               .cites = source,                                                \
               .limits = __VA_ARGS__},
#include "predict/predictors.def"
#undef PREDICTOR
};

spgemm_predictor spgemm_predictor_resolve(spgemm_predictor choice)
{
    return choice == SPGEMM_PREDICTOR_AUTO ? SPGEMM_PREDICTOR_STRATIFIED
                                           : choice;
}

const char *spgemm_predictor_name(spgemm_predictor which)
{
    return (unsigned)which < SPGEMM_PREDICTOR_COUNT
               ? spgemm_predictors[which].name
               : NULL;
}

const spgemm_predictor_limits *spgemm_predict_limits(spgemm_predictor which)
{
    return (unsigned)which < SPGEMM_PREDICTOR_COUNT
               ? &spgemm_predictors[spgemm_predictor_resolve(which)].limits
               : NULL;
}

static bool holds_integer(const spgemm_integer_range *range, int64_t value)
{
    return value == 0 ||
           (value >= range->least && value <= range->most && range->least > 0);
}

/* NaN is in no range. */
static bool holds_number(const spgemm_number_range *range, double value)
{
    return value == 0 ||
           (value >= range->least && value <= range->most && range->least > 0);
}

static spgemm_status refuse(const spgemm_options *options, const char *name,
                            double value)
{
    return spgemm_refuse(
        SPGEMM_ERROR_INVALID,
        "options.%s is %g, which the predictor %s does not take: see "
        "spgemm_predict_limits()",
        name, value, spgemm_predictor_name(options->predict.method));
}

spgemm_status spgemm_predictor_check(const spgemm_options *options)
{
    if ((unsigned)options->predict.method >= SPGEMM_PREDICTOR_COUNT)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.predict.method is %d, which is none",
                             (int)options->predict.method);
    const spgemm_predictor_limits *limits =
        spgemm_predict_limits(options->predict.method);
    const int64_t size = options->predict.size;
    if (!holds_integer(&limits->size, size) ||
        (limits->size_is_power_of_two && (size & (size - 1)) != 0))
        return refuse(options, "predict.size", (double)size);
    if (!holds_number(&limits->probability, options->predict.probability))
        return refuse(options, "predict.probability",
                      options->predict.probability);
    if (!holds_integer(&limits->budget, options->predict.budget))
        return refuse(options, "predict.budget",
                      (double)options->predict.budget);
    if (!holds_number(&limits->error, options->predict.error))
        return refuse(options, "predict.error", options->predict.error);
    if (options->predict.method == SPGEMM_PREDICTOR_CALLER &&
        !options->predict.row_nnz)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.predict.row_nnz is NULL, but "
                             "options.predict.method is caller");
    return SPGEMM_SUCCESS;
}
