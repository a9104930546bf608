/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of W = A P, which pass by: the first go, the rest moves to the front, the
   next are multiplied behind them. */
#include "spgemm/rap_window.h"

#include <string.h>

#include "common/checked.h"
#include "common/team.h"
#include "common/try.h"
#include "spgemm/pass_of_call.h"

/* Bytes that a thread moves at a time. */
#define MOVE_BYTES ((size_t)1 << 18)

spgemm_status spgemm_rap_window_begin(rap_window *w, call *c, progress *told,
                                      int64_t capacity)
{
    const size_t index_size = spgemm_index_size(c->ops.B->index_type);
    *w = (rap_window){.c = c};
    pass_input in = pass_of_call(c);
    in.progress = told;
    w->colidx = spgemm_memory_allocate(&c->m, capacity, index_size);
    w->values = spgemm_memory_allocate(&c->m, capacity, c->ops.value_size);
    w->colidx_capacity = capacity;
    w->values_capacity = capacity;
    if (!w->colidx || !w->values)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    return spgemm_ordered_begin(&w->pass, &in, context_of_call(c),
                                spgemm_call_team(c));
}

void spgemm_rap_window_end(rap_window *w)
{
    call *c = w->c;
    if (!c)
        return;
    spgemm_ordered_report(&w->pass, &c->report);
    c->context_bytes = spgemm_ordered_end(&w->pass);
    spgemm_memory_release(&c->m, w->rowptr, w->room + 1, sizeof *w->rowptr);
    spgemm_memory_release(&c->m, w->colidx, w->colidx_capacity,
                          spgemm_index_size(c->ops.B->index_type));
    spgemm_memory_release(&c->m, w->values, w->values_capacity,
                          c->ops.value_size);
}

/* Row pointers of so many rows. */
static spgemm_status reserve_rows(rap_window *w, int64_t nrows)
{
    memory *m = &w->c->m;
    if (w->rowptr && nrows <= w->room)
        return SPGEMM_SUCCESS;
    int64_t *longer =
        w->rowptr ? spgemm_memory_resize(m, w->rowptr, w->room + 1, nrows + 1,
                                         sizeof *longer)
                  : spgemm_memory_allocate(m, nrows + 1, sizeof *longer);
    if (!longer)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    if (!w->rowptr)
        longer[0] = 0;
    w->rowptr = longer;
    w->room = nrows;
    return SPGEMM_SUCCESS;
}

/* One of its arrays, longer. */
static bool grow_array(memory *m, char **array, int64_t *capacity,
                       int64_t wanted, size_t size)
{
    if (*capacity >= wanted)
        return true;
    char *longer = spgemm_memory_resize(m, *array, *capacity, wanted, size);
    if (!longer)
        return false;
    *array = longer;
    *capacity = wanted;
    return true;
}

/* A window that proved too small becomes half as large again, and larger in any
   case, with room for the next row at least. */
static spgemm_status grow(rap_window *w)
{
    call *c = w->c;
    const int64_t used = w->rowptr[w->end - w->begin];
    const int64_t next =
        saturating_add_i64(used, operands_row_bound(&c->ops, w->end));
    const int64_t more =
        saturating_add_i64(w->values_capacity, w->values_capacity / 2 + 1);
    const int64_t wanted = max_i64(next, more);
    return grow_array(&c->m, &w->colidx, &w->colidx_capacity, wanted,
                      spgemm_index_size(c->ops.B->index_type)) &&
                   grow_array(&c->m, &w->values, &w->values_capacity, wanted,
                              c->ops.value_size)
               ? SPGEMM_SUCCESS
               : SPGEMM_ERROR_OUT_OF_MEMORY;
}

/* Bytes that move to the front of an array. */
typedef struct moving {
    char *array;
    size_t gone;
    size_t left;
} moving;

static void move_piece(void *context, int64_t t)
{
    const moving *w = context;
    const size_t at = (size_t)t * MOVE_BYTES;
    const size_t length = w->left - at < MOVE_BYTES ? w->left - at : MOVE_BYTES;
    memcpy(w->array + at, w->array + w->gone + at, length);
}

/* By all, where no piece lies where another goes. */
static void move_to_front(const rap_window *w, char *array, size_t gone,
                          size_t left)
{
    moving work = {array, gone, left};
    const int64_t pieces = (int64_t)((left + MOVE_BYTES - 1) / MOVE_BYTES);
    if (gone < left)
        memmove(array, array + gone, left);
    else
        spgemm_team_for(w->pass.active, pieces, move_piece, &work);
}

/* Rows before `begin` go. */
static void drop(rap_window *w, int64_t begin)
{
    const call *c = w->c;
    const size_t index_size = spgemm_index_size(c->ops.B->index_type);
    const size_t value_size = c->ops.value_size;
    if (begin >= w->end) {
        w->begin = begin;
        w->end = begin;
        return;
    }
    const int64_t first = begin - w->begin;
    const int64_t nrows = w->end - begin;
    const int64_t gone = w->rowptr[first];
    const size_t left = (size_t)(w->rowptr[w->end - w->begin] - gone);
    move_to_front(w, w->colidx, (size_t)gone * index_size, left * index_size);
    move_to_front(w, w->values, (size_t)gone * value_size, left * value_size);
    for (int64_t t = 0; t <= nrows; t++)
        w->rowptr[t] = w->rowptr[first + t] - gone;
    w->begin = begin;
}

/* Rows from w->end on, up to row `end`, or as far as there is room. */
static spgemm_status multiply_rows(rap_window *w, int64_t end)
{
    call *c = w->c;
    growable entries;
    slab rows = {
        .row_begin = w->end, .row_end = end, .room = INFINITY, .slack = 1.0};
    for (int64_t i = w->end; i < end; i++)
        rows.products += c->counts.row[i];
    spgemm_growable_borrow(&entries, spgemm_index_size(c->ops.B->index_type),
                           c->ops.value_size, w->colidx, w->values,
                           min_i64(w->colidx_capacity, w->values_capacity));
    entries.used = w->rowptr[w->end - w->begin];
    spgemm_status status = spgemm_call_plan(c, &rows, true);
    if (status < 0)
        return status;
    status = spgemm_ordered_run(&w->pass, &entries,
                                w->rowptr + (w->end - w->begin), w->end);
    if (status == SPGEMM_ERROR_OUT_OF_MEMORY && !w->pass.q.is_full)
        return status;
    w->end = spgemm_commit_row_reached(&w->pass.q);
    return status;
}

spgemm_status spgemm_rap_window_move(rap_window *w, int64_t begin, int64_t end)
{
    spgemm_status status = SPGEMM_SUCCESS;
    if (begin > w->begin)
        drop(w, begin);
    SPGEMM_TRY(reserve_rows(w, end - w->begin));
    while (w->end < end) {
        status = multiply_rows(w, end);
        if (status == SPGEMM_ERROR_OUT_OF_MEMORY && w->pass.q.is_full)
            status = grow(w);
        SPGEMM_TRY(status);
    }

cleanup:
    return status;
}

spgemm_csr spgemm_rap_window_rows(const rap_window *w)
{
    const call *c = w->c;
    const int64_t nrows = w->end - w->begin;
    return (spgemm_csr){.nrows = nrows,
                        .ncols = c->ops.B->ncols,
                        .nnz = w->rowptr[nrows],
                        .rowptr = w->rowptr,
                        .colidx = w->colidx,
                        .values = c->ops.value_size > 0 ? w->values : NULL,
                        .index_type = c->ops.B->index_type,
                        .value_type = c->ops.B->value_type,
                        .flags = SPGEMM_SORTED_ROWS};
}
