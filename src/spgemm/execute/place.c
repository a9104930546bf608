/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows of C are worth the places of their products, and these: row by row
   as many as it has products, of one or of two bytes. */
#include "spgemm/execute/place.h"

#include <stdatomic.h>

#include "common/task_queue.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"

/* Rows of one pattern that are summed faster together, by bitmaps of B, than
   each by places. */
#define TOGETHER 3

/* Share of a block's rows that repeat others, some columns further, from which
   they are faster by programs. Measured, one thread of a Zen 4, ms with programs
   for all, for such blocks, for none: majorbasis-like 11.7, 11.8, 17.3;
   xpetra-A13366 0.54, 0.54, 0.75; teko-lsc_Qu_2 0.99, 0.80, 0.87; teko-lsc_F_2
   1.20, 1.00, 0.78. */
#define MOSTLY_SHIFTED 0.9

static bool is_mostly_shifted(const operands *ops, const row_range *range)
{
    const int64_t rows = range->row_end - range->row_begin;
    int64_t shifted = 0;
    for (int64_t i = range->row_begin; i < range->row_end; i++)
        shifted += ops->a_shifted[i] != 0;
    return (double)shifted >= MOSTLY_SHIFTED * (double)rows;
}

bool spgemm_is_refillable(const pass_input *in, const row_range *range)
{
    const operands *ops = in->ops;
    const bool is_of_full = operands_take_full(ops) && !operands_have_form(ops);
    return in->kernels->refill && range->parts == 0 && !is_of_full &&
           !(ops->b_shifted && is_mostly_shifted(ops, range));
}

/* Whether row i is one of TOGETHER rows at least. */
static bool is_taken_together(const operands *ops, int64_t i)
{
    const uint8_t *same = ops->a_same_as_previous;
    int64_t rows = 1;
    if (!ops->b_bitmaps || !same)
        return false;
    for (int64_t t = i; rows < TOGETHER && t > 0 && same[t]; t--)
        rows++;
    for (int64_t t = i + 1; rows < TOGETHER && t < ops->A->nrows && same[t];
         t++)
        rows++;
    return rows >= TOGETHER;
}

/* Bytes of the places of row i, with its entries of D. */
static int64_t bytes_of_row(const operands *ops, int64_t i, int64_t width)
{
    return width * ops->products[i] +
           (width > 0 ? 2 * operands_row_of_d(ops, i) : 0);
}

static uint8_t width_of_row(const operands *ops, const spgemm_csr *C, int64_t i)
{
    const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
    const int64_t entry_bytes =
        (int64_t)(spgemm_index_size(C->index_type) + ops->value_size);
    const bool has_form = operands_have_form(ops);
    /* A form has one more, of what C has no entry for. */
    const int64_t places = n + has_form;
    const int64_t most = has_form ? PLACE_OF_D_ALONE : UINT16_MAX;
    const int64_t width = places <= UINT8_MAX + 1 ? 1 : 2;
    const bool is_worth_it = n > 0 && places <= most &&
                             bytes_of_row(ops, i, width) <= entry_bytes * n &&
                             (has_form || !is_taken_together(ops, i));
    return is_worth_it ? (uint8_t)width : 0;
}

/* Work on all blocks, first of their widths, then of their places. */
typedef struct place_work {
    block_places *p;
    const pass_input *in;
    const spgemm_csr *C;
    task_queue blocks;
} place_work;

/* The widths of a block's rows; begin[b + 1] = bytes of its places. */
static void measure_block(void *context, int64_t b)
{
    place_work *w = context;
    const row_range *range = &w->in->schedule->blocks[b].range;
    int64_t bytes = 0;
    if (spgemm_is_refillable(w->in, range))
        for (int64_t i = range->row_begin; i < range->row_end; i++) {
            w->p->width[i] = width_of_row(w->in->ops, w->C, i);
            bytes += bytes_of_row(w->in->ops, i, w->p->width[i]);
        }
    w->p->begin[b + 1] = bytes;
}

static void place_blocks(void *context, int rank)
{
    place_work *w = context;
    const schedule *s = w->in->schedule;
    const int64_t columns = min_i64(w->C->ncols, PLACED_COLUMNS);
    memory *m = w->in->m;
    /* Of a form, slots are read that no row has written. */
    uint16_t *slots =
        operands_have_form(w->in->ops)
            ? spgemm_memory_allocate_zeroed(m, columns, sizeof *slots)
            : spgemm_memory_allocate(m, columns, sizeof *slots);
    int64_t b;
    if (!slots)
        task_fail(&w->blocks);
    while (task_take(&w->blocks, &b)) {
        if (w->p->begin[b] < w->p->begin[b + 1]) {
            const product_places to = spgemm_places_of_block(w->p, s, b);
            w->in->kernels->place(w->in->ops, &s->blocks[b].range, w->C, &to,
                                  slots);
        }
        if (!progress_step(w->in->progress, rank, s->blocks[b].products))
            task_fail(&w->blocks);
    }
    progress_leave(w->in->progress, rank);
    spgemm_memory_release(m, slots, columns, sizeof *slots);
}

product_places spgemm_places_of_block(const block_places *p, const schedule *s,
                                      int64_t b)
{
    return (product_places){.width = p->width + s->blocks[b].range.row_begin,
                            .places = p->places + p->begin[b]};
}

static spgemm_status place_all(place_work *w, int team)
{
    spgemm_status status = SPGEMM_SUCCESS;
    block_places *p = w->p;
    memory *m = w->in->m;
    const int64_t blocks = p->blocks;
    p->width = spgemm_memory_allocate_zeroed(m, p->rows, sizeof *p->width);
    SPGEMM_REQUIRE(p->width, SPGEMM_ERROR_OUT_OF_MEMORY);
    p->begin = spgemm_memory_allocate(m, blocks + 1, sizeof *p->begin);
    SPGEMM_REQUIRE(p->begin, SPGEMM_ERROR_OUT_OF_MEMORY);
    p->begin[0] = 0;
    spgemm_team_for(team, blocks, measure_block, w);
    for (int64_t b = 0; b < blocks; b++)
        p->begin[b + 1] += p->begin[b];
    p->places = spgemm_memory_allocate(m, p->begin[blocks], 1);
    SPGEMM_REQUIRE(p->places, SPGEMM_ERROR_OUT_OF_MEMORY);
    if (p->begin[blocks] > 0)
        spgemm_team_run(team, place_blocks, w);
    SPGEMM_TRY(progress_status(w->in->progress, &w->blocks));

cleanup:
    return status;
}

spgemm_status spgemm_place_products(block_places *p, const pass_input *in,
                                    const spgemm_csr *C, int team)
{
    place_work w = {
        .p = p, .in = in, .C = C, .blocks = {.count = in->schedule->count}};
    *p = (block_places){.rows = C->nrows, .blocks = in->schedule->count};
    if (!in->kernels->place || in->ops->value_size == 0)
        return SPGEMM_SUCCESS;
    spgemm_progress_pass(in->progress, 1.0, 1.0, in->products);
    const spgemm_status status = place_all(&w, team);
    if (status < 0) {
        spgemm_block_places_clear(p, in->m);
        atomic_store(&in->m->refused_bytes, 0);
    }
    return status == SPGEMM_ERROR_CANCELLED ? status : SPGEMM_SUCCESS;
}

void spgemm_block_places_clear(block_places *p, memory *m)
{
    if (p->places)
        spgemm_memory_release(m, p->places, p->begin[p->blocks], 1);
    spgemm_memory_release(m, p->begin, p->blocks + 1, sizeof *p->begin);
    spgemm_memory_release(m, p->width, p->rows, sizeof *p->width);
    *p = (block_places){0};
}
