/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of chosen rows of C, or of ranges of their columns, by the kernels of the
   symbolic pass. */
#include "spgemm/count_rows.h"

#include "common/checked.h"
#include "common/partition.h"
#include "common/team.h"
#include "matrix/csr.h"
#include "spgemm/row_columns.h"

/* Rows a task: few, since sampled rows differ much. */
#define COUNT_ROWS  8
#define COUNT_TASKS 4096

/* Products of rows that are counted in one go. */
#define COUNT_PRODUCTS 65536

/* What a team counts: task t of some, with the scratch of its thread. false: no
   memory, or cancelled. */
typedef bool
count_task(const count_context *c, void *work, int64_t t, int rank, scratch *s);

static spgemm_status count_in_team(const count_context *c,
                                   count_task *task,
                                   void *work,
                                   int64_t tasks)
{
    const spgemm_csr *B = c->ops->B;
    const int team = tasks > 1 ? c->team : 1;
    bool has_failed = false;
#pragma omp parallel num_threads(team)
    {
        const int rank = spgemm_team_rank();
        scratch s;
        spgemm_scratch_init(&s, c->m, c->ops->value_size,
                            spgemm_index_size(B->index_type));
        bool is_well = true;
#pragma omp for schedule(dynamic, 1) nowait
        for (int64_t t = 0; t < tasks; t++)
            is_well = is_well && task(c, work, t, rank, &s);
        progress_leave(c->progress, rank, spgemm_team_members());
        spgemm_scratch_clear(&s);
        if (!is_well) {
#pragma omp atomic write
            has_failed = true;
        }
    }
    if (progress_is_cancelled(c->progress))
        return SPGEMM_ERROR_CANCELLED;
    return has_failed ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_SUCCESS;
}

/* Rows, `length` a task. */
typedef struct row_work {
    const int64_t *rows;
    int64_t count;
    int64_t length;
    int64_t *row_nnz;
} row_work;

/* Rows from range->row_begin on, before `end`, that are counted in one go.
   Returns their products. */
static int64_t collect_rows(const count_context *c,
                            const row_work *w,
                            row_range *range,
                            int64_t end)
{
    int64_t products = 0;
    int64_t t = range->row_begin;
    while (t < end && (products < COUNT_PRODUCTS || t == range->row_begin))
        products += c->ops->products[w->rows ? w->rows[t] : t], t++;
    range->row_end = t;
    return products;
}

static bool count_some_rows(
    const count_context *c, void *work, int64_t t, int rank, scratch *s)
{
    const row_work *w = work;
    const int64_t end = min_i64(w->count, (t + 1) * w->length);
    row_range range = {.row_begin = t * w->length};
    for (; range.row_begin < end; range.row_begin = range.row_end) {
        const int64_t products = collect_rows(c, w, &range, end);
        if (!c->kernels->symbolic(c->ops, w->rows, &range, s,
                                  w->row_nnz + range.row_begin) ||
            !progress_step(c->progress, rank, products))
            return false;
    }
    return true;
}

spgemm_status spgemm_count_rows(void *context,
                                const int64_t *rows,
                                int64_t count,
                                int64_t *row_nnz)
{
    row_work w = {rows, count, max_i64(COUNT_ROWS, count / COUNT_TASKS),
                  row_nnz};
    return count_in_team(context, count_some_rows, &w,
                         (count + w.length - 1) / w.length);
}

/* The columns of one part, and its products and nnz. */
static bool
count_part(const count_context *c, void *work, int64_t t, int rank, scratch *s)
{
    row_part *p = (row_part *)work + t;
    int64_t first;
    int64_t last;
    p->products = 0;
    p->nnz = 0;
    if (!spgemm_row_columns(c->ops, p->row, &first, &last))
        return true;
    const int64_t columns = last - first + 1;
    const row_range range = {
        .row_begin = p->row,
        .row_end = p->row + 1,
        .col_begin = first + partition_bound(columns, p->parts, p->part),
        .col_end = first + partition_bound(columns, p->parts, p->part + 1),
        .parts = p->parts,
    };
    p->products = spgemm_row_products_within(c->ops, p->row, range.col_begin,
                                             range.col_end);
    return (range.col_begin == range.col_end ||
            c->kernels->symbolic(c->ops, NULL, &range, s, &p->nnz)) &&
           progress_step(c->progress, rank, p->products);
}

spgemm_status spgemm_count_parts(void *context, row_part *parts, int64_t count)
{
    return count_in_team(context, count_part, parts, count);
}
