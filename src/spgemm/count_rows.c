/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of chosen rows of C, or of ranges of their columns, by the kernels of the
   symbolic pass. */
#include "spgemm/count_rows.h"

#include "common/checked.h"
#include "common/partition.h"
#include "matrix/csr.h"
#include "spgemm/row_columns.h"

/* Rows a task: few, since sampled rows differ much. */
#define COUNT_ROWS  8
#define COUNT_TASKS 4096

/* What a team counts: task t of some, with the scratch of its thread. false: no
   memory. */
typedef bool
count_task(const count_context *c, void *work, int64_t t, scratch *s);

static spgemm_status count_in_team(const count_context *c,
                                   count_task *task,
                                   void *work,
                                   int64_t tasks)
{
    const spgemm_csr *B = c->ops->B;
    const int team = (int)max_i64(1, min_i64(c->team, tasks));
    bool has_failed = false;
#pragma omp parallel num_threads(team)
    {
        scratch s;
        spgemm_scratch_init(&s, c->m, spgemm_value_size(B->value_type),
                            spgemm_index_size(B->index_type));
        bool is_well = true;
#pragma omp for schedule(dynamic, 1)
        for (int64_t t = 0; t < tasks; t++)
            is_well = is_well && task(c, work, t, &s);
        spgemm_scratch_clear(&s);
        if (!is_well) {
#pragma omp atomic write
            has_failed = true;
        }
    }
    return has_failed ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_SUCCESS;
}

/* Rows, `length` a task. */
typedef struct row_work {
    const int64_t *rows;
    int64_t count;
    int64_t length;
    int64_t *row_nnz;
} row_work;

static bool
count_some_rows(const count_context *c, void *work, int64_t t, scratch *s)
{
    const row_work *w = work;
    const row_range range = {
        .row_begin = t * w->length,
        .row_end = min_i64(w->count, (t + 1) * w->length),
    };
    return c->kernels->symbolic(c->ops, w->rows, &range, s,
                                w->row_nnz + range.row_begin);
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
count_part(const count_context *c, void *work, int64_t t, scratch *s)
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
    return range.col_begin == range.col_end ||
           c->kernels->symbolic(c->ops, NULL, &range, s, &p->nnz);
}

spgemm_status spgemm_count_parts(void *context, row_part *parts, int64_t count)
{
    return count_in_team(context, count_part, parts, count);
}
