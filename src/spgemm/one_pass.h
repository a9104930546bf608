/* SPDX-License-Identifier: BSD-3-Clause */
/* C's entries in one pass: what products that predict nnz(C) have in common. */
#ifndef SPGEMM_SPGEMM_ONE_PASS_H
#define SPGEMM_SPGEMM_ONE_PASS_H

#include "alloc/growable.h"
#include "spgemm/pipeline/call.h"

/** SPGEMM_ERROR_MEMORY_LIMIT or out of memory where C, as it is predicted, is
    sure not to fit: before anything large is allocated. */
spgemm_status spgemm_one_pass_check(const call *c);

/** Room for the entries that are predicted. false: no memory. */
bool spgemm_one_pass_begin(growable *entries, call *c);

/** The entries, all placed, to c->made. */
spgemm_status spgemm_one_pass_finish(call *c, growable *entries);

#endif
