/* SPDX-License-Identifier: BSD-3-Clause */
/* C of a call: its arrays are made, counted, and given to the caller or back. */
#include <math.h>
#include <string.h>

#include "alloc/array_bytes.h"
#include "common/checked.h"
#include "common/timer.h"
#include "spgemm/pipeline/call.h"

void spgemm_call_make_header(call *c)
{
    const spgemm_csr *A = c->ops.A;
    c->made = (spgemm_csr){.nrows = A->nrows,
                           .ncols = c->ops.B->ncols,
                           .index_type = c->ops.index_type,
                           .value_type = A->value_type,
                           .flags = SPGEMM_OWNS_ARRAYS,
                           .allocator = spgemm_memory_hooks(&c->m)};
}

spgemm_status spgemm_call_make_rowptr(call *c)
{
    spgemm_call_make_header(c);
    c->made.rowptr = spgemm_memory_allocate(&c->m, c->made.nrows + 1,
                                            sizeof *c->made.rowptr);
    if (!c->made.rowptr)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    c->made.rowptr[0] = 0;
    return SPGEMM_SUCCESS;
}

size_t spgemm_call_entry_bytes(const call *c)
{
    return spgemm_index_size(c->ops.index_type) + c->ops.value_size;
}

double spgemm_call_bytes_of(const call *c, double nnz)
{
    const double rows = (double)sizeof(int64_t) * (double)c->counts.nrows;
    return rows + nnz * (double)spgemm_call_entry_bytes(c);
}

double spgemm_call_bytes_left(const call *c)
{
    const size_t left = spgemm_memory_left(&c->m);
    return left == SIZE_MAX ? INFINITY : (double)left;
}

static size_t saturating_array_bytes(int64_t count, size_t size)
{
    size_t bytes;
    return checked_array_bytes(count, size, &bytes) ? bytes : SIZE_MAX;
}

static size_t add_bytes(size_t x, size_t y)
{
    return x > SIZE_MAX - y ? SIZE_MAX : x + y;
}

size_t spgemm_call_c_bytes(const call *c, int64_t nnz)
{
    const size_t index_size = spgemm_index_size(c->ops.index_type);
    const size_t structure =
        add_bytes(saturating_array_bytes(c->made.nrows + 1, sizeof(int64_t)),
                  saturating_array_bytes(nnz, index_size));
    return c->ops.value_size > 0
               ? add_bytes(structure,
                           saturating_array_bytes(nnz, c->ops.value_size))
               : structure;
}

spgemm_status spgemm_call_allocate_entries(call *c, int64_t nnz)
{
    c->made.nnz = nnz;
    c->made.colidx = spgemm_memory_allocate(
        &c->m, nnz, spgemm_index_size(c->made.index_type));
    c->made.values = spgemm_memory_allocate(&c->m, nnz, c->ops.value_size);
    c->report.allocate_seconds = timer_lap(&c->lap_seconds);
    if (!c->made.colidx || !c->made.values)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    c->report.allocated_bytes = spgemm_call_c_bytes(c, nnz);
    return SPGEMM_SUCCESS;
}

static void put(call *c, void *to, void *from, int64_t count, size_t size)
{
    if (to == from || size == 0)
        return;
    if (count > 0)
        memcpy(to, from, (size_t)count * size);
    spgemm_memory_release(&c->m, from, count, size);
}

/* C into the arrays of the caller, if it fits: most of it is there already. */
static void settle(call *c)
{
    const spgemm_out *out = c->options.resources.out;
    spgemm_csr *C = &c->made;
    if (C->nnz > out->capacity)
        return;
    put(c, out->rowptr, C->rowptr, C->nrows + 1, sizeof *C->rowptr);
    put(c, out->colidx, C->colidx, C->nnz, spgemm_index_size(C->index_type));
    put(c, out->values, C->values, C->nnz, c->ops.value_size);
    C->rowptr = out->rowptr;
    C->colidx = out->colidx;
    C->values = c->ops.value_size > 0 ? out->values : NULL;
    C->flags &= ~(uint32_t)SPGEMM_OWNS_ARRAYS;
}

void spgemm_call_deliver(call *c, spgemm_csr *C)
{
    if (c->ops.value_size == 0) {
        spgemm_memory_release(&c->m, c->made.values, c->made.nnz, 0);
        c->made.values = NULL;
    }
    if (c->options.resources.out)
        settle(c);
    *C = c->made;
    c->made.rowptr = NULL;
    c->made.colidx = NULL;
    c->made.values = NULL;
}

void spgemm_call_return_lent(call *c)
{
    const spgemm_out *out = c->options.resources.out;
    if (!out || !out->colidx || c->made.colidx != out->colidx)
        return;
    c->made.colidx = NULL;
    c->made.values = NULL;
}

void spgemm_call_discard(call *c)
{
    spgemm_call_return_lent(c);
    spgemm_csr_destroy(&c->made);
}

void spgemm_call_drop_c(call *c)
{
    spgemm_csr *C = &c->made;
    spgemm_memory_release(&c->m, C->rowptr, C->nrows + 1, sizeof *C->rowptr);
    spgemm_memory_release(&c->m, C->colidx, C->nnz,
                          spgemm_index_size(C->index_type));
    spgemm_memory_release(&c->m, C->values, C->nnz, c->ops.value_size);
    *C = (spgemm_csr){0};
}
