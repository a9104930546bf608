/* SPDX-License-Identifier: BSD-3-Clause */
/* One input, run and checked. */
#ifndef SPGEMM_TESTS_CROSS_RUN_H
#define SPGEMM_TESTS_CROSS_RUN_H

#include "expect.h"
#include "tally.h"

/** What a seed stands for; of x, the heaps stay. */
void cross_draw(crossing *x, uint64_t seed);

/** Its calls. x->wrong says what was found. */
void cross_run(crossing *x, tally *t);

/** The clock of the machine, which is not that of the library. */
double seconds_now(void);

/** How teams are made, by the seed. */
void teams_choose(uint64_t seed);

/** Of each entry point: what was drawn, and what C is then. */
void run_product(crossing *x, const causes *c, const spgemm_csr *want,
                 tally *t);
void run_plan(crossing *x, const causes *c, const spgemm_csr *want, tally *t);
void run_stream(crossing *x, const causes *c, const spgemm_csr *want, tally *t);
void run_predict(crossing *x, const causes *c, const spgemm_csr *want,
                 tally *t);
void run_matrix(crossing *x, tally *t);
void run_rap(crossing *x, tally *t);

/** The prediction of the three of ENTRY_RAP. */
void run_chain(crossing *x, tally *t);

/** The call itself of ENTRY_RAP. */
spgemm_status multiply_three(crossing *x, spgemm_csr *C, spgemm_report *report);

/** C as it is passed: `C`, unless it is wrong. */
static inline spgemm_csr *output_of(crossing *x, spgemm_csr *C)
{
    spgemm_csr *const outputs[] = {C, NULL, &x->args->A, &x->args->B,
                                   &x->args->R};
    return outputs[x->wrong_output];
}

/** The options as they are passed. */
static inline const spgemm_options *options_of(const crossing *x)
{
    return x->has_options ? &x->args->options : NULL;
}

#endif
