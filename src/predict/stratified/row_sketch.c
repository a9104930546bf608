/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(i) = (z / S^2 + y / V) / (1 / S^2 + 1 / V), z and S being what the class of
   row i says and how much its rows differ, y and V what the row's marks say and
   how well. */
#include "predict/stratified/row_sketch.h"

#include <math.h>

#include "common/compiler.h"
#include "common/hash.h"
#include "matrix/csr.h"
#include "predict/linear_counting.h"
#include "predict/row_tasks.h"

#define WORDS (ROW_SKETCH_BITS / 64)

#define PREFETCH_AHEAD 8 /* entries of A; marks are random reads */

/* Rows of classes that agree to this are not looked at. */
#define ROWS_DIFFER 0.03

typedef struct marks {
    uint64_t word[WORDS];
} marks;

/* What a row with so many marks missing has, and one over its relative
   variance. */
typedef struct mark_count {
    double nnz;
    double precision;
} mark_count;

typedef struct marks_work {
    const predict_input *in;
    const prediction *p;
    const double *deviation; /* [PREDICTION_CLASSES] */
    uint64_t key;
    marks *of;       /* [rows of B] */
    double *row_nnz; /* [rows of C] */
    mark_count count[ROW_SKETCH_BITS + 1];
    double factor; /* of rows that were looked at */
} marks_work;

/* If none is missing that says nothing. */
static void make_counts(mark_count *count)
{
    count[0] = (mark_count){0.0, 0.0};
    for (int missing = 1; missing <= ROW_SKETCH_BITS; missing++) {
        const double n = linear_count(missing, ROW_SKETCH_BITS);
        count[missing] = (mark_count){
            n, 1.0 / linear_count_variance(fmax(1.0, n), ROW_SKETCH_BITS)};
    }
}

/* Of rows of B. */
static void set_marks(void *work, int64_t task, int64_t begin, int64_t end)
{
    const marks_work *w = work;
    const spgemm_csr *B = w->in->B;
    const bool is_wide = B->index_type == SPGEMM_I64;
    (void)task;
    for (int64_t k = begin; k < end; k++) {
        marks m = {{0}};
        for (int64_t q = B->rowptr[k]; q < B->rowptr[k + 1]; q++) {
            const uint64_t mark =
                hash_index(w->key, column_at(B->colidx, is_wide, q)) %
                ROW_SKETCH_BITS;
            m.word[mark / 64] |= (uint64_t)1 << mark % 64;
        }
        w->of[k] = m;
    }
}

/* Of row i of C: how many it has not. */
static int count_missing(const marks_work *w, int64_t i)
{
    const spgemm_csr *A = w->in->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    marks m = {{0}};
    int missing = ROW_SKETCH_BITS;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        if (p + PREFETCH_AHEAD < A->nnz)
            PREFETCH(&w->of[column_at(A->colidx, is_wide, p + PREFETCH_AHEAD)]);
        const marks *other = &w->of[column_at(A->colidx, is_wide, p)];
        for (int t = 0; t < WORDS; t++)
            m.word[t] |= other->word[t];
    }
    for (int t = 0; t < WORDS; t++)
        missing -= (int)count_bits(m.word[t]);
    return missing;
}

static bool is_marked(const marks_work *w, int64_t i)
{
    const product_counts *counts = w->in->counts;
    return counts->row[i] > 0 &&
           w->deviation[counts->row_class[i]] > ROWS_DIFFER;
}

/* What the class of row i says. */
static double class_says(const marks_work *w, int64_t i)
{
    const product_counts *counts = w->in->counts;
    return (double)counts->row[i] / w->p->compression[counts->row_class[i]];
}

static void estimate(void *work, int64_t task, int64_t begin, int64_t end)
{
    const marks_work *w = work;
    (void)task;
    for (int64_t i = begin; i < end; i++) {
        w->row_nnz[i] = class_says(w, i);
        if (!is_marked(w, i))
            continue;
        const double S = w->deviation[w->in->counts->row_class[i]];
        const mark_count y = w->count[count_missing(w, i)];
        w->row_nnz[i] = (w->row_nnz[i] / (S * S) + y.nnz * y.precision) /
                        (1.0 / (S * S) + y.precision);
    }
}

/* So that all rows sum to the total. It is that of all classes together: of one
   class the marks know more than its few samples. */
static void find_factor(marks_work *w)
{
    double wanted = 0.0;
    double sum = 0.0;
    for (int64_t i = 0; i < w->in->counts->nrows; i++)
        if (is_marked(w, i)) {
            wanted += class_says(w, i);
            sum += w->row_nnz[i];
        }
    w->factor = wanted / sum;
}

static void scale(void *work, int64_t task, int64_t begin, int64_t end)
{
    const marks_work *w = work;
    (void)task;
    for (int64_t i = begin; i < end; i++)
        if (is_marked(w, i))
            w->row_nnz[i] *= w->factor;
}

static bool differ(const predict_input *in, const double *deviation)
{
    for (int c = 0; c < PREDICTION_CLASSES; c++)
        if (in->counts->classes[c].rows > 0 && deviation[c] > ROWS_DIFFER)
            return true;
    return false;
}

spgemm_status spgemm_row_sketch_predict(prediction *out,
                                        const predict_input *in,
                                        const double *deviation)
{
    const int nthreads = in->options->resources.nthreads;
    marks_work w = {.in = in,
                    .p = out,
                    .deviation = deviation,
                    .key = hash_key(in->options->predict.seed, HASH_COLUMNS)};
    if (!differ(in, deviation))
        return SPGEMM_SUCCESS;
    w.of = spgemm_memory_allocate(in->m, in->B->nrows, sizeof *w.of);
    if (!w.of)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    out->row_nnz = w.row_nnz =
        spgemm_memory_allocate(in->m, in->A->nrows, sizeof *w.row_nnz);
    if (w.row_nnz) {
        make_counts(w.count);
        spgemm_row_tasks_run(in->B, nthreads, set_marks, &w);
        spgemm_row_tasks_run(in->A, nthreads, estimate, &w);
        find_factor(&w);
        spgemm_row_tasks_run(in->A, nthreads, scale, &w);
    }
    spgemm_memory_release(in->m, w.of, in->B->nrows, sizeof *w.of);
    return w.row_nnz ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY;
}
