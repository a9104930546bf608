/* SPDX-License-Identifier: BSD-3-Clause */
/* C's entries in one pass: as many as are predicted, within what is left. */
#include "spgemm/one_pass.h"

#include <inttypes.h>
#include <math.h>

#include "common/checked.h"
#include "common/refusal.h"
#include "spgemm/execute/ordered.h"

/* Where nobody knows how much is dropped by value or by a complement, nor says so,
   C begins with this share of the entries of A*B, and grows. */
#define DROPPING_SHARE 0.25

static bool is_dropping(const epilogue *f)
{
    return f && (epilogue_drops_by_value(f) || f->is_complement);
}

/* Entries to allocate for C. */
static int64_t c_capacity(const call *c)
{
    const bool is_blind = is_dropping(c->ops.epilogue) &&
                          isnan(c->prediction.standard_error) &&
                          c->options.predict.slack == 0;
    const double share = is_blind ? DROPPING_SHARE : 1.0;
    return checked_capacity(share * spgemm_call_expected(c),
                            min_i64(c->counts.bound, 1), c->counts.bound);
}

/* Whether C goes into the caller's arrays, as far as is known. A pattern is copied
   there in the end. */
static bool is_lent(const call *c)
{
    const spgemm_out *out = c->options.resources.out;
    return out && c->ops.value_size > 0 &&
           spgemm_call_expected(c) <= (double)out->capacity;
}

/* C is sure to have so many standard errors less than predicted, or such a share
   of it, whichever is less: an error bar may be wrong. What may fit is multiplied,
   or counted by the way of two passes. */
#define SURE_ERRORS 5.0
#define SURE_SHARE  0.5

/* Whether C is sure not to fit: before anything large is allocated. */
static bool is_hopeless(const call *c)
{
    const prediction *p = &c->prediction;
    const double least =
        fmin(SURE_SHARE * p->nnz, p->nnz - SURE_ERRORS * p->standard_error);
    return !is_dropping(c->ops.epilogue) && !is_lent(c) &&
           spgemm_call_bytes_of(c, least) > spgemm_call_bytes_left(c);
}

static spgemm_status refuse_hopeless(const call *c)
{
    const size_t limit = c->options.resources.memory_limit_bytes;
    const int64_t nnz = c->report.nnz_predicted;
    const size_t bytes = (size_t)nnz * spgemm_call_entry_bytes(c) +
                         8 * ((size_t)c->counts.nrows + 1);
    if (limit == 0)
        return spgemm_refuse(SPGEMM_ERROR_OUT_OF_MEMORY,
                             "C is predicted to take %zu bytes, which the "
                             "address space of the process has no room for",
                             bytes);
    return spgemm_refuse(
        SPGEMM_ERROR_MEMORY_LIMIT,
        "options.resources.memory_limit_bytes is %zu, and C alone, of "
        "%" PRId64 " entries, is predicted to take %zu beside %zu held",
        limit, nnz, bytes, (size_t)((double)limit - spgemm_call_bytes_left(c)));
}

spgemm_status spgemm_one_pass_check(const call *c)
{
    return is_hopeless(c) ? refuse_hopeless(c) : SPGEMM_SUCCESS;
}

/* As many entries as the limit leaves room for beside the team's memory, but
   as many as are predicted: then it may stop on the way. */
static int64_t capacity_within(const call *c, int64_t capacity)
{
    const double entry = (double)spgemm_call_entry_bytes(c);
    const double chunks = CHUNKS_A_THREAD * (double)c->p.chunk_capacity * entry;
    const double team = spgemm_call_team(c) * (SCRATCH_BYTES + chunks);
    const double room = (spgemm_call_bytes_left(c) - team) / entry;
    return checked_capacity(fmax(room, c->prediction.nnz), min_i64(capacity, 1),
                            capacity);
}

bool spgemm_one_pass_begin(growable *entries, call *c)
{
    if (is_lent(c)) {
        spgemm_growable_lend(
            entries, &c->m, spgemm_index_size(c->made.index_type),
            c->ops.value_size, c->options.resources.out, c->counts.bound);
        return true;
    }
    return spgemm_growable_init(
        entries, &c->m, spgemm_index_size(c->made.index_type),
        c->ops.value_size, capacity_within(c, c_capacity(c)), c->counts.bound);
}

spgemm_status spgemm_one_pass_finish(call *c, growable *entries)
{
    c->made.nnz = entries->used;
    c->report.allocated_bytes =
        entries->allocated_bytes +
        (size_t)(c->made.nrows + 1) * sizeof *c->made.rowptr;
    if (!spgemm_growable_finish(entries, &c->made.colidx, &c->made.values))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    return SPGEMM_SUCCESS;
}
