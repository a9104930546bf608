/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of chosen rows of C, or of ranges of their columns, by the kernels of the
   symbolic pass; and of rows of which some is left out: what a mask has of them
   is counted, what is dropped by value is computed. */
#include "spgemm/pipeline/symbolic.h"

#include "common/checked.h"
#include "common/partition.h"
#include "common/team.h"
#include "kernels/row/row_buffers.h"
#include "kernels/row/row_columns.h"
#include "matrix/csr.h"

/* Rows a task: few, since sampled rows differ much, and fewer where threads would
   find none. */
#define COUNT_ROWS     8
#define COUNT_TASKS    4096
#define TASKS_A_THREAD 4

/* Products of rows that are counted in one go. */
#define COUNT_PRODUCTS 65536

#define THREAD_PRODUCTS 4096 /* that are worth a thread: rows lie far apart */

/* What a team counts: task t of some, with the scratch of its thread. false: no
   memory, or cancelled. */
typedef bool count_task(const count_context *c, void *work, int64_t t, int rank,
                        scratch *s);

typedef struct count_work {
    const count_context *c;
    count_task *task;
    void *work;
    task_queue tasks;
} count_work;

static void take_tasks(void *context, int rank)
{
    count_work *w = context;
    const count_context *c = w->c;
    int64_t t;
    scratch s;
    spgemm_scratch_init(&s, c->m, c->ops->value_size,
                        spgemm_index_size(c->ops->B->index_type));
    while (task_take(&w->tasks, &t))
        if (!w->task(c, w->work, t, rank, &s))
            task_fail(&w->tasks);
    progress_leave(c->progress, rank);
    spgemm_scratch_clear(&s);
}

static spgemm_status count_in_team(const count_context *c, count_task *task,
                                   void *work, int64_t tasks, int team)
{
    count_work w = {
        .c = c, .task = task, .work = work, .tasks = {.count = tasks}};
    spgemm_team_run(tasks > 1 ? team : 1, take_tasks, &w);
    return progress_status(c->progress, &w.tasks);
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
static int64_t collect_rows(const count_context *c, const row_work *w,
                            row_range *range, int64_t end)
{
    int64_t products = 0;
    int64_t t = range->row_begin;
    while (t < end && (products < COUNT_PRODUCTS || t == range->row_begin))
        products += c->ops->products[w->rows ? w->rows[t] : t], t++;
    range->row_end = t;
    return products;
}

static bool count_some_rows(const count_context *c, void *work, int64_t t,
                            int rank, scratch *s)
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

static int64_t products_of_rows(const operands *ops, const int64_t *rows,
                                int64_t count)
{
    int64_t products = 0;
    for (int64_t t = 0; t < count; t++)
        products =
            saturating_add_i64(products, ops->products[rows ? rows[t] : t]);
    return products;
}

static spgemm_status count_rows_by(const count_context *c, count_task *task,
                                   const int64_t *rows, int64_t count,
                                   int64_t *row_nnz)
{
    const int team = spgemm_team_size(
        c->nthreads, products_of_rows(c->ops, rows, count), THREAD_PRODUCTS);
    const int64_t share = count / ((int64_t)TASKS_A_THREAD * team);
    const int64_t length =
        max_i64(max_i64(1, min_i64(COUNT_ROWS, share)), count / COUNT_TASKS);
    row_work w = {rows, count, length, row_nnz};
    return count_in_team(c, task, &w, (count + length - 1) / length, team);
}

spgemm_status spgemm_count_rows(void *context, const int64_t *rows,
                                int64_t count, int64_t *row_nnz)
{
    return count_rows_by(context, count_some_rows, rows, count, row_nnz);
}

/* A range of columns of a row, or all of it, less what the complement of a mask
   leaves out, and no more than are kept. */
static bool count_by_structure(const count_context *c, const row_range *one,
                               scratch *s, int64_t *nnz)
{
    const epilogue *f = c->ops->epilogue;
    operands within = *c->ops;
    int64_t met = 0;
    if (!c->kernels->symbolic(c->ops, NULL, one, s, nnz))
        return false;
    if (f && f->mask && f->mask != within.mask) {
        within.mask = f->mask;
        if (!c->kernels->symbolic(&within, NULL, one, s, &met))
            return false;
        *nnz = f->is_complement ? *nnz - met : met;
    }
    if (f && f->keep_top > 0)
        *nnz = min_i64(*nnz, f->keep_top);
    return true;
}

/* The same, computed in a buffer. */
static bool count_by_value(const count_context *c, const row_range *one,
                           scratch *s, row_buffers *b, int64_t *nnz)
{
    /* The rows that one repeats are not computed before it. */
    operands ops = *c->ops;
    ops.a_shifted = ops.b_shifted = NULL;
    b->sums.row_nnz = nnz;
    return spgemm_row_buffer_empty(&b->sums, 0) &&
           c->kernels->numeric(&ops, one, s, &b->sums);
}

/* Whether what is kept of a row depends on its values. */
static bool is_by_value(const count_context *c)
{
    const epilogue *f = c->ops->epilogue;
    return f && epilogue_drops_by_value(f);
}

static bool open_buffers(const count_context *c, row_buffers *b)
{
    *b = (row_buffers){0};
    return !is_by_value(c) ||
           spgemm_row_buffers_open(b, c->m,
                                   spgemm_index_size(c->ops->B->index_type),
                                   c->ops->value_size);
}

static void close_buffers(const count_context *c, row_buffers *b)
{
    if (is_by_value(c))
        spgemm_row_buffers_close(b);
}

static bool count_kept(const count_context *c, const row_range *one, scratch *s,
                       row_buffers *b, int64_t *nnz)
{
    return is_by_value(c) ? count_by_value(c, one, s, b, nnz)
                          : count_by_structure(c, one, s, nnz);
}

static bool count_some_kept(const count_context *c, void *work, int64_t t,
                            int rank, scratch *s)
{
    const row_work *w = work;
    const int64_t end = min_i64(w->count, (t + 1) * w->length);
    row_buffers b;
    bool is_well = open_buffers(c, &b);
    for (int64_t e = t * w->length; is_well && e < end; e++) {
        const int64_t i = w->rows ? w->rows[e] : e;
        const row_range one = {.row_begin = i, .row_end = i + 1};
        is_well = count_kept(c, &one, s, &b, &w->row_nnz[e]) &&
                  progress_step(c->progress, rank, c->ops->products[i]);
    }
    close_buffers(c, &b);
    return is_well;
}

spgemm_status spgemm_count_kept_rows(void *context, const int64_t *rows,
                                     int64_t count, int64_t *row_nnz)
{
    return count_rows_by(context, count_some_kept, rows, count, row_nnz);
}

/* The columns of one part, and its products. false: it has none. */
static bool begin_part(const count_context *c, row_part *p, row_range *range)
{
    int64_t first;
    int64_t last;
    p->products = 0;
    p->nnz = 0;
    if (!spgemm_row_columns(c->ops, p->row, &first, &last))
        return false;
    const int64_t columns = last - first + 1;
    *range = (row_range){
        .row_begin = p->row,
        .row_end = p->row + 1,
        .col_begin = first + partition_bound(columns, p->parts, p->part),
        .col_end = first + partition_bound(columns, p->parts, p->part + 1),
        .parts = p->parts,
    };
    p->products = spgemm_row_products_within(c->ops, p->row, range->col_begin,
                                             range->col_end);
    return range->col_begin < range->col_end;
}

static bool count_part(const count_context *c, void *work, int64_t t, int rank,
                       scratch *s)
{
    row_part *p = (row_part *)work + t;
    row_range range;
    return !begin_part(c, p, &range) ||
           (c->kernels->symbolic(c->ops, NULL, &range, s, &p->nnz) &&
            progress_step(c->progress, rank, p->products));
}

static bool count_kept_part(const count_context *c, void *work, int64_t t,
                            int rank, scratch *s)
{
    row_part *p = (row_part *)work + t;
    row_range range;
    row_buffers b;
    if (!begin_part(c, p, &range))
        return true;
    const bool is_well = open_buffers(c, &b) &&
                         count_kept(c, &range, s, &b, &p->nnz) &&
                         progress_step(c->progress, rank, p->products);
    close_buffers(c, &b);
    return is_well;
}

static spgemm_status count_parts_by(const count_context *c, count_task *task,
                                    row_part *parts, int64_t count)
{
    int64_t products = 0;
    for (int64_t t = 0; t < count; t++)
        products += c->ops->products[parts[t].row] / parts[t].parts;
    return count_in_team(
        c, task, parts, count,
        spgemm_team_size(c->nthreads, products, THREAD_PRODUCTS));
}

spgemm_status spgemm_count_parts(void *context, row_part *parts, int64_t count)
{
    return count_parts_by(context, count_part, parts, count);
}

spgemm_status spgemm_count_kept_parts(void *context, row_part *parts,
                                      int64_t count)
{
    return count_parts_by(context, count_kept_part, parts, count);
}
