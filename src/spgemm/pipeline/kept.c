/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds of the rows of C as they are kept, and their classes. */
#include "spgemm/pipeline/kept.h"

#include <string.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/task_queue.h"
#include "common/team.h"
#include "spgemm/pipeline/symbolic.h"

#define THREAD_ROWS 262144 /* that are worth a thread */
#define TASK_ROWS   65536

bool spgemm_is_kept_in_part(const operands *ops)
{
    const epilogue *f = ops->epilogue;
    if (f && f->D)
        return false;
    return ops->mask ||
           (f && (f->mask || epilogue_drops_by_value(f) || f->keep_top > 0));
}

int64_t spgemm_kept_row_bound(void *context, int64_t row)
{
    const count_context *c = context;
    return operands_row_bound(c->ops, row);
}

/* What a team bounds, in tasks. */
typedef struct bounding {
    product_counts *counts;
    const operands *ops;
    task_queue tasks;
    bool by_bound; /* rows get new classes */
} bounding;

/* Row i of block b, to its class, old or new. */
static void add_row(const bounding *w, row_class *classes, int64_t b, int64_t i,
                    int64_t bound)
{
    product_counts *counts = w->counts;
    const int64_t products = counts->row[i];
    if (products == 0)
        return;
    if (!w->by_bound) {
        row_class *k = &classes[counts->row_class[i]];
        k->bound = saturating_add_i64(k->bound, bound);
        return;
    }
    const int c =
        bound > 0 ? prediction_kept_class(products, bound) : CLASS_KEPT_NONE;
    counts->row_class[i] = (uint16_t)c;
    if (bound == 0)
        return;
    const spgemm_csr *A = w->ops->A;
    row_class *k = &classes[c];
    k->rows++;
    k->products = saturating_add_i64(k->products, products);
    k->entries += A->rowptr[i + 1] - A->rowptr[i];
    k->bound = saturating_add_i64(k->bound, bound);
    counts->blocks[b].rows[c]++;
}

/* Of one task: its rows, added to their classes. Returns their bound. */
static int64_t bound_blocks(const bounding *w, row_class *classes, int64_t t)
{
    product_counts *all = w->counts;
    const int64_t last = partition_bound(all->nblocks, w->tasks.count, t + 1);
    int64_t bound = 0;
    for (int64_t b = partition_bound(all->nblocks, w->tasks.count, t); b < last;
         b++) {
        const int64_t end = min_i64(all->nrows, (b + 1) * all->block_rows);
        if (w->by_bound)
            memset(&all->blocks[b], 0, sizeof all->blocks[b]);
        for (int64_t i = b * all->block_rows; i < end; i++) {
            const int64_t of_row = operands_row_bound(w->ops, i);
            bound = saturating_add_i64(bound, of_row);
            add_row(w, classes, b, i, of_row);
        }
    }
    return bound;
}

static void take_tasks(void *context, int rank)
{
    bounding *w = context;
    product_counts *all = w->counts;
    row_class classes[PREDICTION_CLASSES] = {0};
    int64_t bound = 0;
    int64_t t;
    (void)rank;
    while (task_take(&w->tasks, &t))
        bound = saturating_add_i64(bound, bound_blocks(w, classes, t));
#pragma omp critical(spgemm_kept)
    {
        all->bound = saturating_add_i64(all->bound, bound);
        spgemm_classes_add(all->classes, classes);
    }
}

/* Of few products, which have no classes. */
static int64_t sum_bounds(const operands *ops)
{
    int64_t bound = 0;
    for (int64_t i = 0; i < ops->A->nrows; i++)
        bound = saturating_add_i64(bound, operands_row_bound(ops, i));
    return bound;
}

/* Whether all products of a row may be entries of C. */
static bool are_all_bounded(const product_counts *counts, const operands *ops)
{
    const epilogue *f = ops->epilogue;
    return counts->bound == counts->total && !ops->mask &&
           !(f && (f->D || f->mask || f->keep_top > 0));
}

static void bound_classes_by_products(product_counts *counts)
{
    for (int c = 0; counts->classes && c < PREDICTION_CLASSES; c++)
        counts->classes[c].bound = counts->classes[c].products;
}

void spgemm_kept_bounds(product_counts *counts, const operands *ops,
                        int nthreads)
{
    if (are_all_bounded(counts, ops)) {
        bound_classes_by_products(counts);
        return;
    }
    if (!counts->classes) {
        counts->bound = sum_bounds(ops);
        return;
    }
    const int team = spgemm_team_size(nthreads, counts->nrows, THREAD_ROWS);
    bounding w = {
        .counts = counts,
        .ops = ops,
        .tasks = {.count = spgemm_team_tasks(team, counts->nrows, TASK_ROWS)},
        .by_bound = ops->mask && spgemm_is_kept_in_part(ops)};
    counts->bound = 0;
    if (w.by_bound)
        memset(counts->classes, 0,
               PREDICTION_CLASSES * sizeof *counts->classes);
    spgemm_team_run(team, take_tasks, &w);
}
