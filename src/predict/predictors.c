/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of predictors: a new one is a file and a line here. */
#include "common/refusal.h"
#include "predict/predictor.h"

#define DU "Du et al., arXiv:2207.13848"

/* Least, most, default. Rows of a uniform sample: 0 is as many as published. */
#define SAMPLED_ROWS 1, INT64_MAX, 0

/* Hashes kept: standard errors of 3 % by default and 0.1 % at best. */
#define HASHES 1, 1 << 20, 1024

const predictor spgemm_predictors[SPGEMM_PREDICTOR_COUNT] = {
    [SPGEMM_PREDICTOR_AUTO] = {.name = "auto"},
    [SPGEMM_PREDICTOR_UPPER_BOUND] = {.name = "upper_bound",
                                      .predict = spgemm_predict_upper_bound,
                                      .cites = DU ", algorithm 1"},
    [SPGEMM_PREDICTOR_PRECISE] =
        {.name = "precise",
         .predict = spgemm_predict_precise,
         .cites = "Gustavson, ACM TOMS 4(3), 1978, doi:10.1145/355791.355796"},
    [SPGEMM_PREDICTOR_MIN_HASH] = {.name = "min_hash",
                                   .predict = spgemm_predict_min_hash,
                                   .cites = "Bar-Yossef et al., RANDOM 2002, "
                                            "doi:10.1007/3-540-45726-7_1",
                                   .limits = {.size = {HASHES}}},
    [SPGEMM_PREDICTOR_KMV_SAMPLED] =
        {.name = "kmv_sampled",
         .predict = spgemm_predict_kmv_sampled,
         .cites = "Amossen, Campagna, Pagh, RANDOM 2010, arXiv:1006.4173",
         .limits = {.size = {HASHES}, .probability = {0.001, 1, 1}}},
    [SPGEMM_PREDICTOR_BHASH] =
        {.name = "bhash",
         .predict = spgemm_predict_bhash,
         .cites = "Anh, Fan, Wen, ICS 2016, doi:10.1145/2925426.2926273",
         .limits = {.size = {HASHES}, .probability = {0.001, 1, 0.1}}},
    [SPGEMM_PREDICTOR_SAMPLED_NNZ] = {.name = "sampled_nnz",
                                      .predict = spgemm_predict_sampled_nnz,
                                      .cites = DU ", section IV-C",
                                      .limits = {.size = {SAMPLED_ROWS}}},
    [SPGEMM_PREDICTOR_SAMPLED_CR] = {.name = "sampled_cr",
                                     .predict = spgemm_predict_sampled_cr,
                                     .cites = DU ", section IV-D",
                                     .limits = {.size = {SAMPLED_ROWS}}},
    [SPGEMM_PREDICTOR_STRATIFIED] =
        {.name = "stratified",
         .predict = spgemm_predict_stratified,
         .cites = "separate ratio estimator, Cochran, Sampling Techniques, "
                  "1977, 6.10",
         .limits = {.budget = {1, INT64_MAX, 0}, .error = {1e-6, 1, 0}}},
    [SPGEMM_PREDICTOR_COHEN] = {.name = "cohen",
                                .predict = spgemm_predict_cohen,
                                .cites = "Cohen, J. Comb. Optim. 2(4), 1998",
                                .limits = {.size = {3, 4096, 32}}},
    [SPGEMM_PREDICTOR_HYPERLOGLOG] =
        {.name = "hyperloglog",
         .predict = spgemm_predict_hyperloglog,
         .cites = "Flajolet et al., AofA 2007; Li, Guidi, arXiv:2604.19004",
         .limits = {.size = {16, 65536, 64}, .size_is_power_of_two = true}},
    [SPGEMM_PREDICTOR_ROW_INDEPENDENT] =
        {.name = "row_independent",
         .predict = spgemm_predict_row_independent,
         .cites = "Lin et al., PACMMOD 2024, doi:10.1145/3654959"},
    [SPGEMM_PREDICTOR_ROW_INDEPENDENT_RATIO] =
        {.name = "row_independent_ratio",
         .predict = spgemm_predict_row_independent_ratio,
         .cites = "ratio estimator, Cochran, Sampling Techniques, 1977, 6.4",
         .limits = {.size = {SAMPLED_ROWS}}},
    [SPGEMM_PREDICTOR_CALLER] = {.name = "caller",
                                 .predict = spgemm_predict_caller},
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

static spgemm_status
refuse(const spgemm_options *options, const char *name, double value)
{
    return spgemm_refuse(
        SPGEMM_ERROR_INVALID,
        "options.%s is %g, which the predictor %s does not take: see "
        "spgemm_predict_limits()",
        name, value, spgemm_predictor_name(options->predictor));
}

spgemm_status spgemm_predictor_check(const spgemm_options *options)
{
    if ((unsigned)options->predictor >= SPGEMM_PREDICTOR_COUNT)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             "options.predictor is %d, which is none",
                             (int)options->predictor);
    const spgemm_predictor_limits *limits =
        spgemm_predict_limits(options->predictor);
    const int64_t size = options->predict_size;
    if (!holds_integer(&limits->size, size) ||
        (limits->size_is_power_of_two && (size & (size - 1)) != 0))
        return refuse(options, "predict_size", (double)size);
    if (!holds_number(&limits->probability, options->predict_probability))
        return refuse(options, "predict_probability",
                      options->predict_probability);
    if (!holds_integer(&limits->budget, options->predict_budget))
        return refuse(options, "predict_budget",
                      (double)options->predict_budget);
    if (!holds_number(&limits->error, options->predict_error))
        return refuse(options, "predict_error", options->predict_error);
    if (options->predictor == SPGEMM_PREDICTOR_CALLER && !options->row_nnz)
        return spgemm_refuse(
            SPGEMM_ERROR_INVALID,
            "options.row_nnz is NULL, but options.predictor is caller");
    return SPGEMM_SUCCESS;
}
