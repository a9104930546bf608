/* SPDX-License-Identifier: BSD-3-Clause */
/* C = A*B in one pass into min(products, ncols) entries a row, then compacted.
   The same kernels and blocks as the product of one pass. */
#include <string.h>

#include "common/timer.h"
#include "common/try.h"
#include "spgemm/direct.h"

/* Entries for every block at its bound, and their places. Rows are whole: the
   bounds of parts would add up to more than the bound of their row. */
static int64_t bound_blocks(direct *d)
{
    for (int64_t b = 0; b < d->c->p.count; b++)
        d->block_nnz[b] = d->c->p.blocks[b].bound;
    return spgemm_direct_offsets(d);
}

/* Moves each block down to where the one before it ends. */
static void compact(direct *d)
{
    const spgemm_csr *C = &d->c->made;
    const size_t index_size = spgemm_index_size(C->index_type);
    const size_t value_size = spgemm_value_size(C->value_type);
    char *colidx = C->colidx;
    char *values = C->values;
    size_t end = 0;
    for (int64_t b = 0; b < d->c->p.count; b++) {
        const size_t from = (size_t)d->offset[b];
        const size_t n = (size_t)d->block_nnz[b];
        memmove(colidx + end * index_size, colidx + from * index_size,
                n * index_size);
        memmove(values + end * value_size, values + from * value_size,
                n * value_size);
        end += n;
    }
}

/* A shrink that fails is no failure: the array stays longer than need be. */
static void *shrink(call *c, void *array, int64_t had, int64_t nnz, size_t size)
{
    void *shrunk = spgemm_memory_resize(&c->m, array, had, nnz, size);
    return shrunk ? shrunk : array;
}

static spgemm_status multiply(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    direct d;
    SPGEMM_TRY(spgemm_direct_open(&d, c, false));
    const int64_t bound = bound_blocks(&d);
    SPGEMM_TRY(spgemm_call_allocate_entries(c, bound));
    SPGEMM_TRY(spgemm_direct_numeric(&d));
    c->report.multiply_seconds = timer_lap(&c->lap_seconds);

    compact(&d);
    const int64_t nnz = spgemm_direct_offsets(&d);
    spgemm_direct_rowptr(&d);
    c->made.nnz = nnz;
    c->made.colidx = shrink(c, c->made.colidx, bound, nnz,
                            spgemm_index_size(c->made.index_type));
    c->made.values = shrink(c, c->made.values, bound, nnz,
                            spgemm_value_size(c->made.value_type));
    c->report.finish_seconds = timer_lap(&c->lap_seconds);

cleanup:
    spgemm_direct_close(&d);
    return status;
}

spgemm_status spgemm_upper_bound(spgemm_csr *C,
                                 const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 const spgemm_options *options,
                                 spgemm_report *report)
{
    return spgemm_call_product(C, A, B, options, report, multiply);
}
