/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread works in, and may leave behind for the next call. */
#include "spgemm/execute/workspace.h"

void spgemm_workspace_begin(workspace *w, const kernels *k,
                            spgemm_semiring semiring, size_t value_size,
                            size_t index_size)
{
    if (w->numeric != k->numeric || w->semiring != semiring ||
        w->chunks.value_size != value_size) {
        spgemm_workspace_clear(w);
        spgemm_scratch_init(&w->s, w->m, k->has_sums ? value_size : 0,
                            index_size);
        spgemm_chunk_store_init(&w->chunks, w->m, index_size, value_size);
        w->numeric = k->numeric;
        w->semiring = semiring;
    }
    w->chunks.made = 0;
    spgemm_scratch_forget_repeats(&w->s);
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        w->s.rows_by_accumulator[a] = 0;
}

void spgemm_workspace_clear(workspace *w)
{
    if (!w->numeric)
        return;
    spgemm_chunk_store_clear(&w->chunks);
    spgemm_scratch_clear(&w->s);
    w->numeric = NULL;
}
