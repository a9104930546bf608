/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are like the row before, and columns that come in runs. A few rows
   tell whether there are enough to look at all. */
#include "spgemm/pipeline/analyze.h"

#include <math.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"

/* Mean entries a byte, of the rows of B that are met, from which B may be taken as
   bitmap rows. */
#define BITMAP_FILL 2.0

/* Mean products of a row, below which it is sorted before its bitmaps are added.
   Measured, one thread of a Zen 4, AVX-512, time without bitmaps over time with them, of
   A*A^T where A is blocks of 3, 4, 5, 6, 8 (9, 16, 25, 36, 64 products a row), its
   columns in any order: 0.67, 0.55, 0.91, 1.22, 1.43. */
#define BITMAP_PRODUCTS 30.0

/* Making bitmaps takes as long as so many products for each entry of B, where they pay
   by as much again as they need to. Measured, one thread of a Zen 4, AVX-512, of some
   rows of A, time without over time with them, for 1, 4, 8 and 16 products an entry:
   bcsstk29 (1.2 times what is needed) 0.39, 0.65, 0.83, 0.99; cant-like (1.0) 0.41,
   0.58, 0.92, 1.12; teko-modified (2.1) 0.53, 1.6, 1.1, 1.4. */
#define BITMAP_MAKING 1.5

/* Rows that are empty cost so many entries each. */
#define BITMAP_MAKING_ROW 2.0

/* And a copy of B with its rows in order so many. */
#define BITMAP_SORTING 10.0

/* Columns that bitmap rows can name. */
#define BITMAP_COLUMNS ((int64_t)1 << 34)

/* What bitmap rows take: five bytes for a byte of them, and where each row is. */
#define BITMAP_ENTRY_BYTES (5.0 / BITMAP_FILL)
#define BITMAP_ROW_BYTES   ((double)sizeof(bitmap_row))

/* Both marks of a row. */
#define MARK_BYTES 2.0

/* A row in twenty: below, comparing all rows costs more than it gains. */
#define SAME_SHARE 0.05

/* Rows that are sorted use bitmaps only where they are alike: of A's entries, a share
   in longer rows below which at least so many must be. Rows of A that tell. */
#define LONG_SHARE        0.25
#define SORTED_SAME_SHARE 0.5
#define SAMPLED_ROWS      256

/* Rows and entries of a task. */
#define ROW_GRAIN   16384
#define ENTRY_GRAIN 32768

#define THREAD_ENTRIES 65536 /* of X, that are worth a thread */

/* Of A's entries, those of rows with more than `most`: as far as some rows tell. */
static double share_of_long_rows(const spgemm_csr *A, double most)
{
    const int64_t samples = min_i64(A->nrows, SAMPLED_ROWS);
    double entries = 0.0;
    double in_long = 0.0;
    for (int64_t t = 0; t < samples; t++) {
        const int64_t i = A->nrows / samples * t;
        const double length = (double)A->rowptr[i + 1] - (double)A->rowptr[i];
        entries += length;
        in_long += length > most ? length : 0.0;
    }
    return entries > 0.0 ? in_long / entries : 0.0;
}

/* Rows of A that are alike are added together: of g such rows, the bytes of B are read
   once, and pay from a g-th of the fill that a row alone needs. In a share 1 - 1 / g
   of all rows each is like the row before. Measured, one thread of a Zen 4, AVX-512,
   AVX2, portable, time of A*A entry by entry over time by bitmap rows, at fill times g:
   nodes of 4 unknowns, of which half have rows that are alike (6.4) 1.31, 1.15, 1.36;
   a quarter (4.9) 1.07, 0.95, 1.09; none (4.0) 0.91, 0.80, 0.91; of 3 unknowns (7.2)
   1.41, 1.29, 1.76; of 2 (3.6) 0.96, 0.90, 1.28. What B's rows have in common does not
   matter: of 4 unknowns, A's rows alone 0.80, 0.62, 0.91; B's alone 1.37, 1.21, 1.47. */
bool spgemm_takes_bitmaps(const spgemm_csr *A, const spgemm_csr *B,
                          const kernels *k, bool b_is_sorted, bool is_repeated)
{
    const double making = is_repeated   ? 0.0
                          : b_is_sorted ? BITMAP_MAKING
                                        : BITMAP_SORTING + BITMAP_MAKING;
    if (B->ncols >= BITMAP_COLUMNS || A->rowptr[A->nrows] != A->nnz)
        return false;
    const bitmap_sample met = spgemm_csr_bitmap_sample(A, B, b_is_sorted);
    const double made =
        fmax((double)B->nnz, BITMAP_MAKING_ROW * (double)B->nrows);
    const double uses = (double)A->nnz * met.length / made;
    const double needed = k->bitmap_fill_alone * (1.0 + making / uses);
    double share = 1.0 - met.fill / needed;
    if (met.fill < BITMAP_FILL ||
        (double)A->nnz * met.length <
            fmin(BITMAP_PRODUCTS, (double)k->sorted_products) *
                (double)A->nrows)
        return false;
    if (share_of_long_rows(A, (double)k->sorted_products / met.length) <
        LONG_SHARE)
        share = fmax(share, SORTED_SAME_SHARE);
    return share <= 0.0 || spgemm_csr_is_often_same(A, 1, 0, share);
}

double spgemm_analysis_bytes(const spgemm_csr *A, const spgemm_csr *B,
                             const kernels *k, bool is_repeated)
{
    const double rows = (double)B->nrows;
    const double marks = MARK_BYTES * ((double)A->nrows + rows);
    return marks +
           (spgemm_takes_bitmaps(A, B, k, true, is_repeated)
                ? BITMAP_ENTRY_BYTES * (double)B->nnz + BITMAP_ROW_BYTES * rows
                : 0.0);
}

static spgemm_status make_marks(analysis *s, uint8_t **marks)
{
    *marks = spgemm_memory_allocate(s->m, s->X->nrows, sizeof **marks);
    return *marks ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY;
}

/* What there is enough of. */
static spgemm_status begin(void *context)
{
    analysis *s = context;
    const spgemm_csr *X = s->X;
    spgemm_status status = SPGEMM_SUCCESS;
    s->is_single = X->nnz <= X->nrows;
    s->increases = s->is_single;
    if (s->is_brief)
        return status;
    if (s->wants_bitmaps)
        SPGEMM_TRY(spgemm_bitmap_rows_begin(&s->bitmaps, X, s->m));
    if (s->wants_same && spgemm_csr_is_often_same(X, 1, 0, SAME_SHARE))
        SPGEMM_TRY(make_marks(s, &s->same));
    if (s->kernels->mark_next && s->period > 0)
        SPGEMM_TRY(make_marks(s, &s->next));

cleanup:
    return status;
}

/* No more is looked at once a row has two entries, or one that does not lie right
   of those above. */
static void look_for_single_rows(analysis *s, int64_t row_begin,
                                 int64_t row_end)
{
    if (s->is_single && !spgemm_csr_rows_are_single(s->X, row_begin, row_end)) {
        s->is_single = false;
        s->increases = false;
    }
    if (s->increases && !spgemm_csr_columns_increase(s->X, row_begin, row_end))
        s->increases = false;
}

static void visit(void *context, int64_t row_begin, int64_t row_end)
{
    analysis *s = context;
    look_for_single_rows(s, row_begin, row_end);
    if (s->same)
        spgemm_csr_mark_same(s->X, row_begin, row_end, s->same);
    if (s->next)
        s->kernels->mark_next(s->X, row_begin, row_end, s->period, s->shift,
                              s->next);
    if (s->bitmaps.row)
        spgemm_bitmap_rows_count(&s->bitmaps, s->X, s->same, row_begin,
                                 row_end);
}

static int64_t visit_tasks(const analysis *s)
{
    return max_i64(s->X->nrows / ROW_GRAIN, s->X->nnz / ENTRY_GRAIN) + 1;
}

static void visit_task(void *context, int64_t t)
{
    const analysis *s = context;
    visit(context, partition_bound(s->X->nrows, visit_tasks(s), t),
          partition_bound(s->X->nrows, visit_tasks(s), t + 1));
}

static spgemm_status visit_all(analysis *s, int nthreads)
{
    const spgemm_status status = begin(s);
    const int64_t tasks = visit_tasks(s);
    if (status == SPGEMM_SUCCESS)
        spgemm_team_for(spgemm_team_size(nthreads, s->X->nnz, THREAD_ENTRIES),
                        tasks, visit_task, s);
    return status;
}

/* What an analysis is asked, and how it ends. */
typedef struct analysis_work {
    analysis *s;
    bool is_trusted;
    int nthreads;
    bool *is_sorted;
    spgemm_fault *fault;
    spgemm_status status;
} analysis_work;

static void look_at_all(void *context)
{
    analysis_work *w = context;
    analysis *s = w->s;
    const csr_visitor visitor = {s, begin, visit};
    w->status = w->is_trusted
                    ? visit_all(s, w->nthreads)
                    : spgemm_csr_check_full(s->X, w->nthreads, &visitor,
                                            w->is_sorted, w->fault);
    if (w->status < 0)
        return;
    if (s->bitmaps.row && *w->is_sorted)
        w->status =
            spgemm_bitmap_rows_finish(&s->bitmaps, s->X, w->nthreads, s->m);
    else
        spgemm_bitmap_rows_clear(&s->bitmaps, s->m);
}

spgemm_status spgemm_analyze(analysis *s, bool is_trusted, int nthreads,
                             bool *is_sorted, spgemm_fault *fault)
{
    s->nrows = s->X->nrows;
    /* All or one: what follows is done by all, and a team of another size would be
       made anew. */
    const bool is_large =
        spgemm_team_size(nthreads, s->X->nnz, THREAD_ENTRIES) > 1;
    analysis_work w = {s,         is_trusted, is_large ? nthreads : 1,
                       is_sorted, fault,      SPGEMM_SUCCESS};
    spgemm_team_open(is_large ? spgemm_team_of_all(nthreads) : 1, look_at_all,
                     &w);
    return w.status;
}

void spgemm_analysis_clear(analysis *s)
{
    if (!s->m)
        return;
    spgemm_memory_release(s->m, s->same, s->nrows, sizeof *s->same);
    spgemm_memory_release(s->m, s->next, s->nrows, sizeof *s->next);
    spgemm_bitmap_rows_clear(&s->bitmaps, s->m);
    *s = (analysis){0};
}
