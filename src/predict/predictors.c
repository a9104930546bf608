/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of predictors: a new one is a file and a line here. */
#include "predict/predictor.h"

#define DU "Du et al., arXiv:2207.13848"

const predictor spgemm_predictors[SPGEMM_PREDICTOR_COUNT] = {
    [SPGEMM_PREDICTOR_AUTO] = {"auto", NULL, NULL},
    [SPGEMM_PREDICTOR_UPPER_BOUND] = {"upper_bound", spgemm_predict_upper_bound,
                                      DU ", algorithm 1"},
    [SPGEMM_PREDICTOR_PRECISE] =
        {"precise", spgemm_predict_precise,
         "Gustavson, ACM TOMS 4(3), 1978, doi:10.1145/355791.355796"},
    [SPGEMM_PREDICTOR_SAMPLED_NNZ] = {"sampled_nnz", spgemm_predict_sampled_nnz,
                                      DU ", section IV-C"},
    [SPGEMM_PREDICTOR_SAMPLED_CR] = {"sampled_cr", spgemm_predict_sampled_cr,
                                     DU ", section IV-D"},
    [SPGEMM_PREDICTOR_STRATIFIED] =
        {"stratified", spgemm_predict_stratified,
         "separate ratio estimator, Cochran, Sampling Techniques, 1977, 6.10"},
    [SPGEMM_PREDICTOR_CALLER] = {"caller", spgemm_predict_caller, NULL},
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
