/* SPDX-License-Identifier: BSD-3-Clause */
/* The pass of a call: what it lends to those who execute it. */
#ifndef SPGEMM_SPGEMM_PASS_OF_CALL_H
#define SPGEMM_SPGEMM_PASS_OF_CALL_H

#include "spgemm/execute/pass.h"
#include "spgemm/pipeline/call.h"

static inline pass_input pass_of_call(call *c)
{
    return (pass_input){.kernels = c->kernels,
                        .ops = &c->ops,
                        .schedule = &c->p,
                        .products = c->counts.total,
                        .progress = &c->progress,
                        .m = &c->m};
}

/* What a context holds is in no call's limit: with one, it stays unused. */
static inline spgemm_context *context_of_call(const call *c)
{
    return c->options.resources.memory_limit_bytes > 0
               ? NULL
               : c->options.resources.context;
}

#endif
