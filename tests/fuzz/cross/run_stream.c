/* SPDX-License-Identifier: BSD-3-Clause */
/* C block by block, each compared with its rows as it comes. */
#include <stdlib.h>
#include <string.h>

#include "build_csr.h"
#include "run.h"
#include "scalars.h"

typedef struct sink_state {
    crossing *x;
    const spgemm_csr *want;
    int64_t next_row;
    long cancel_at; /* block at which it cancels; -1: never */
} sink_state;

/* Rows first .. first + count - 1 of a matrix, as a view. */
static spgemm_csr some_rows(const spgemm_csr *M, int64_t first, int64_t count)
{
    spgemm_csr part = *M;
    const int64_t begin = M->rowptr[first];
    const size_t index = M->index_type == SPGEMM_I64 ? 8 : 4;
    part.nrows = count;
    part.nnz = M->rowptr[first + count] - begin;
    part.rowptr = must_allocate(count + 1, sizeof *part.rowptr);
    for (int64_t i = 0; i <= count; i++)
        part.rowptr[i] = M->rowptr[first + i] - begin;
    part.colidx = (char *)M->colidx + (size_t)begin * index;
    if (M->values)
        part.values =
            (char *)M->values + (size_t)begin * bytes_of_type(M->value_type);
    return part;
}

static size_t bytes_of_block(const crossing *x, int64_t nrows, int64_t nnz)
{
    const size_t index = x->A->index_type == SPGEMM_I64 ? 8 : 4;
    const size_t value =
        product_has_values(x) ? bytes_of_type(x->A->value_type) : 0;
    return 8 * ((size_t)nrows + 1) + (size_t)nnz * (index + value);
}

static bool is_right_block(const sink_state *s, const spgemm_csr *rows)
{
    crossing *x = s->x;
    if (rows->nrows <= 0 || s->next_row + rows->nrows > s->want->nrows)
        return cross_fails(x, "stream", "%lld rows from %lld on",
                           (long long)rows->nrows, (long long)s->next_row);
    if (x->block_bytes > 0 &&
        bytes_of_block(x, rows->nrows, rows->nnz) > x->block_bytes)
        return cross_fails(x, "stream", "a block of %zu bytes, not %zu",
                           bytes_of_block(x, rows->nrows, rows->nnz),
                           x->block_bytes);
    spgemm_csr part = some_rows(s->want, s->next_row, rows->nrows);
    spgemm_csr got = copy_typed(rows);
    const bool is_right = expect_entries(x, &got, &part);
    free_csr(&got);
    free(part.rowptr);
    return is_right;
}

static int take_rows_of_c(void *context, const spgemm_csr *rows, int64_t first)
{
    sink_state *s = context;
    if (s->x->wrong || first != s->next_row) {
        cross_fails(s->x, "stream", "row %lld came, not %lld", (long long)first,
                    (long long)s->next_row);
        return 1;
    }
    if (!is_right_block(s, rows))
        return 1;
    s->next_row += rows->nrows;
    const bool cancels = s->cancel_at-- == 0;
    s->x->mischief.has_cancelled |= cancels;
    return cancels;
}

/* Whether some row of C is larger than a block, or all blocks are refused. */
static bool has_large_row(const crossing *x, const spgemm_csr *want)
{
    for (int64_t i = 0; x->block_bytes > 0 && i < want->nrows; i++)
        if (bytes_of_block(x, 1, want->rowptr[i + 1] - want->rowptr[i]) >
            x->block_bytes)
            return true;
    return false;
}

static spgemm_status run_once(crossing *x, const causes *c,
                              const spgemm_csr *want, tally *t)
{
    sink_state s = {.x = x, .want = want, .cancel_at = -1};
    spgemm_report report;
    causes found = *c;
    if (!c->must && has_large_row(x, want))
        found.may |= status_bit(SPGEMM_ERROR_MEMORY_LIMIT);
    if (x->mischief.cancel_at >= 0 && one_in(&x->dice, 2))
        s.cancel_at = x->mischief.cancel_at;
    const before b = expect_begin(x);
    const spgemm_status status =
        spgemm_stream(x->A, x->B, options_of(x), x->block_bytes,
                      x->wrong_output == 1 ? NULL : take_rows_of_c, &s,
                      x->has_report ? &report : NULL);
    tally_call(t, x, status, x->has_report ? &report : NULL);
    if (x->wrong || !expect_status(x, &found, status, &b) ||
        !expect_report(x, &report, status, want, &b))
        return status;
    if (x->heap->live != b.live)
        cross_fails(x, "leak", "%ld blocks", x->heap->live - b.live);
    if (status == SPGEMM_SUCCESS && s.next_row != want->nrows)
        cross_fails(x, "stream", "ends with row %lld", (long long)s.next_row);
    return status;
}

void run_stream(crossing *x, const causes *c, const spgemm_csr *want, tally *t)
{
    const spgemm_status status = run_once(x, c, want, t);
    if (x->wrong || c->must || c->may || status == SPGEMM_SUCCESS)
        return;
    expect_disarm(x);
    run_once(x, c, want, t);
}
