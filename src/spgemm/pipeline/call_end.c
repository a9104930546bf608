/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a call: its report, what it held goes back, C is the caller's. */
#include "common/refusal.h"
#include "common/timer.h"
#include "spgemm/pipeline/call.h"

void spgemm_call_report(call *c, spgemm_status status)
{
    if (status == SPGEMM_SUCCESS) {
        c->report.row_order =
            c->ops.sort_rows ? SPGEMM_ROWS_SORTED : SPGEMM_ROWS_UNSORTED;
        c->report.nnz = c->made.nnz;
        c->report.c_bytes = spgemm_call_c_bytes(c, c->made.nnz);
        c->report.upper_bound_bytes = spgemm_call_c_bytes(c, c->counts.bound);
    }
    c->report.peak_bytes =
        atomic_load(&spgemm_memory_account(&c->m)->peak_bytes) +
        c->context_bytes;
    if (!c->wanted)
        return;
    c->report.total_seconds = timer_seconds() - c->start_seconds;
    spgemm_refusal_copy(c->report.refusal, status);
    *c->wanted = c->report;
}

void spgemm_call_clear(call *c)
{
    spgemm_schedule_clear(&c->p);
    spgemm_analysis_clear(&c->of_A);
    spgemm_analysis_clear(&c->of_B);
    spgemm_epilogue_clear(&c->epilogue, &c->m);
    spgemm_memory_release(&c->m, c->prediction.row_nnz, c->counts.nrows,
                          sizeof *c->prediction.row_nnz);
    c->prediction.row_nnz = NULL;
    spgemm_products_clear(&c->counts, &c->m);
    spgemm_csr_copy_clear(&c->sorted, &c->m);
    spgemm_csr_release(&c->transposed, &c->m);
    spgemm_operands_clear(&c->copies, &c->m);
    spgemm_narrow_clear(&c->narrow, &c->m);
}

spgemm_status spgemm_call_explain(call *c, spgemm_status status)
{
    const size_t needed =
        atomic_load(&spgemm_memory_account(&c->m)->refused_bytes);
    if (status == SPGEMM_ERROR_CANCELLED) {
        if (atomic_load(&c->progress.is_cancelled))
            spgemm_refusal_begin(); /* of what a semiring was refused */
        return spgemm_refuse(status, "progress asked to stop");
    }
    if (status != SPGEMM_ERROR_OUT_OF_MEMORY || needed == 0)
        return status;
    return spgemm_refuse(
        SPGEMM_ERROR_MEMORY_LIMIT,
        "options.resources.memory_limit_bytes is %zu, and at least %zu bytes "
        "were needed",
        c->options.resources.memory_limit_bytes, needed);
}

spgemm_status spgemm_call_end(call *c, spgemm_csr *C, spgemm_status status)
{
    SPGEMM_ASSERT_EXPENSIVE(status < 0 || !c->made.rowptr ||
                            spgemm_csr_check(&c->made, NULL) == SPGEMM_SUCCESS);
    status = spgemm_refusal_end(spgemm_call_explain(c, status));
    spgemm_call_report(c, status);
    spgemm_call_clear(c);
    if (status == SPGEMM_SUCCESS)
        spgemm_call_deliver(c, C);
    else
        spgemm_call_discard(c);
    return status;
}
