/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C, cut into blocks of about equal work: section by section, by a team. */
#include "spgemm/pipeline/schedule.h"

#include <math.h>
#include <string.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/team.h"
#include "common/try.h"
#include "kernels/row/together.h"
#include "spgemm/pipeline/cut_rows.h"

/* Where threads are many, half as many: few blocks would keep most of them waiting. */
#define LEAST_BLOCK_PRODUCTS 4096
#define BLOCKS_A_THREAD      16

/* A row is giant from this many products on. */
#define GIANT_PRODUCTS (8 * BLOCK_PRODUCTS)

/* Each part of a giant row looks at all rows of B that the row meets, which takes as
   long as some 20 products: it has this many for each of them, or fewer where threads
   are many, and would wait for one. Unsorted rows are cut alike for any number.
   Measured, one thread of a Zen 5 and two, ms with 4 and 16 of them: 6e4 rows of 15
   added up 13.2, 6.6 and 10.1, 6.3; terms by terms of documents 68, 66 and 35, 34. */
#define PART_LENGTH  16
#define LEAST_LENGTH 4
#define MANY_THREADS 8

/* A section has rows for some blocks, so that its last, which is smaller, is one
   of many. */
#define SECTION_BLOCKS     16
#define LEAST_SECTION_ROWS 2048

#define THREAD_ROWS   8192 /* that are worth a thread */
#define THREAD_BLOCKS 2048 /* that are copied */

static int64_t block_products(int64_t total, int nthreads)
{
    const int64_t share = total / ((int64_t)nthreads * BLOCKS_A_THREAD);
    const int64_t least = nthreads >= MANY_THREADS ? LEAST_BLOCK_PRODUCTS / 2
                                                   : LEAST_BLOCK_PRODUCTS;
    return max_i64(least, min_i64(BLOCK_PRODUCTS, share));
}

slab spgemm_slab_of_all(const product_counts *counts)
{
    return (slab){.row_end = counts->nrows,
                  .room = INFINITY,
                  .slack = 1.0,
                  .products = counts->total};
}

typedef struct section {
    schedule p;
    slab rows;
    int64_t before; /* blocks of the sections before */
    spgemm_status status;
} section;

/* What all sections are cut by, and they. */
typedef struct section_work {
    schedule *p;
    const operands *ops;
    const class_shares *shares;
    const cut *at;
    section *sections;
} section_work;

/* Where room is short, a block's end depends on all before it. */
static int64_t section_count(const slab *rows, int64_t block_products)
{
    if (rows->room < INFINITY)
        return 1;
    return max_i64(
        1, min_i64((rows->row_end - rows->row_begin) / LEAST_SECTION_ROWS,
                   rows->products / (SECTION_BLOCKS * block_products)));
}

/* Row i, or the one behind those that are together with the row before. */
static int64_t section_begin(const operands *ops, const slab *rows, int64_t i)
{
    if (!rows->keeps_together || i == rows->row_begin)
        return i;
    return i - 1 +
           rows_together(ops->A, spgemm_index_size(ops->A->index_type), i - 1,
                         rows->row_end);
}

static void cut_section(void *context, int64_t t)
{
    const section_work *w = context;
    section *one = &w->sections[t];
    cut at = *w->at;
    at.rows = &one->rows;
    one->status = spgemm_cut_rows(&one->p, w->ops, w->shares, &at);
}

static void copy_section(void *context, int64_t t)
{
    const section_work *w = context;
    const section *one = &w->sections[t];
    memcpy(w->p->blocks + one->before, one->p.blocks,
           (size_t)one->p.count * sizeof *one->p.blocks);
}

static spgemm_status append_sections(section_work *w, int64_t count,
                                     int nthreads)
{
    spgemm_status status = SPGEMM_SUCCESS;
    schedule *p = w->p;
    for (int64_t t = 0; t < count; t++) {
        section *one = &w->sections[t];
        SPGEMM_TRY(one->status);
        one->before = p->count;
        p->count += one->p.count;
        p->most_rows = max_i64(p->most_rows, one->p.most_rows);
        p->chunk_capacity = max_i64(p->chunk_capacity, one->p.chunk_capacity);
        w->at->rows->predicted += one->rows.predicted;
    }
    if (p->room < p->count)
        SPGEMM_TRY(spgemm_schedule_room(p, p->count));
    spgemm_team_for(spgemm_team_size(nthreads, p->count, THREAD_BLOCKS), count,
                    copy_section, w);

cleanup:
    return status;
}

/* The same as spgemm_cut_rows(), by a team. */
static spgemm_status cut_by_team(schedule *p, const operands *ops,
                                 const class_shares *shares, const cut *at,
                                 int64_t count, int nthreads)
{
    spgemm_status status = SPGEMM_SUCCESS;
    slab *rows = at->rows;
    const int64_t nrows = rows->row_end - rows->row_begin;
    section *sections =
        spgemm_memory_allocate_zeroed(p->m, count, sizeof *sections);
    SPGEMM_REQUIRE(sections, SPGEMM_ERROR_OUT_OF_MEMORY);
    for (int64_t t = 0; t < count; t++) {
        section *one = &sections[t];
        one->p.m = p->m;
        one->rows = *rows;
        one->rows.row_begin = section_begin(
            ops, rows, rows->row_begin + partition_bound(nrows, count, t));
        one->rows.row_end = section_begin(
            ops, rows, rows->row_begin + partition_bound(nrows, count, t + 1));
    }
    section_work w = {p, ops, shares, at, sections};
    spgemm_team_for(spgemm_team_size(nthreads, nrows, THREAD_ROWS), count,
                    cut_section, &w);
    SPGEMM_TRY(append_sections(&w, count, nthreads));

cleanup:
    for (int64_t t = 0; sections && t < count; t++)
        spgemm_schedule_clear(&sections[t].p);
    spgemm_memory_release(p->m, sections, count, sizeof *sections);
    return status;
}

/* Products, and entries of D. */
static int64_t work_of(const operands *ops, const slab *rows)
{
    return saturating_add_i64(
        rows->products,
        operands_rows_of_d(ops, rows->row_begin, rows->row_end));
}

spgemm_status spgemm_schedule_make(schedule *p, const operands *ops, slab *rows,
                                   bool splits_rows, int nthreads)
{
    const class_shares shares = spgemm_class_shares(ops->prediction);
    const int64_t products = block_products(work_of(ops, rows), nthreads);
    const int64_t sections = section_count(rows, products);
    cut at = {
        .rows = rows,
        .products = products,
        .giant = splits_rows ? GIANT_PRODUCTS : INT64_MAX,
        .part_length = ops->sort_rows && nthreads >= MANY_THREADS ? LEAST_LENGTH
                                                                  : PART_LENGTH,
        .room = rows->room,
    };
    rows->predicted = 0.0;
    *p = (schedule){.m = p->m, .blocks = p->blocks, .room = p->room};
    return sections > 1 ? cut_by_team(p, ops, &shares, &at, sections, nthreads)
                        : spgemm_cut_rows(p, ops, &shares, &at);
}

void spgemm_schedule_clear(schedule *p)
{
    spgemm_memory_release(p->m, p->blocks, p->room, sizeof *p->blocks);
    p->blocks = NULL;
    p->room = 0;
    p->count = 0;
}
