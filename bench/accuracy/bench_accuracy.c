/* SPDX-License-Identifier: BSD-3-Clause */
/* The paper's evaluation: all matrices multiplied with each other, nnz(C) as
   each method predicts it beside nnz(C) as it is. One CSV row a pair, method
   and seed; a run that was stopped goes on where it was. */
#include <stdio.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "accuracy_csv.h"
#include "clocks.h"
#include "machine.h"
#include "pair.h"
#include "predictions.h"
#include "steady.h"

#define KEEP_SHARE 0.25 /* of the memory that is free, for matrices */

typedef struct evaluation {
    accuracy_options options;
    collection matrices;
    accuracy_csv csv;
    double start;     /* of the pairs, seconds */
    double work_done; /* since then */
    double work_left;
    int pairs;
    int pair; /* from 1 */
} evaluation;

/* ---- Progress ------------------------------------------------------------- */

/* What a pair costs, roughly: products, were rows of B alike, and entries. */
static double work_of(const evaluation *e, int a, int b)
{
    const collected *A = &e->matrices.matrices[a];
    const collected *B = &e->matrices.matrices[b];
    const double columns = A->ncols > 0 ? (double)A->ncols : 1;
    const double rows = B->nrows > 0 ? (double)B->nrows : 1;
    const double kept = rows < columns ? rows / columns : 1;
    const double products = (double)A->nnz * kept * (double)B->nnz / rows;
    return 1e5 + products + 10 * ((double)A->nnz + (double)B->nnz);
}

static void print_time(double seconds)
{
    const long all = (long)seconds;
    fprintf(stderr, "%ld:%02ld:%02ld", all / 3600, all / 60 % 60, all % 60);
}

static void show_progress(const evaluation *e, int a, int b)
{
    const double elapsed = wall_clock() - e->start;
    fprintf(stderr, "%d/%d %s x %s, ", e->pair, e->pairs,
            e->matrices.matrices[a].name, e->matrices.matrices[b].name);
    print_time(elapsed);
    if (e->work_done > 0) {
        fputs(", about ", stderr);
        print_time(elapsed * e->work_left / e->work_done);
        fputs(" left", stderr);
    }
    fputc('\n', stderr);
}

/* ---- Pairs ---------------------------------------------------------------- */

static void measure_pair(evaluation *e, int a, int b, const spgemm_csr *A,
                         const spgemm_csr *B)
{
    char why[PAIR_WHY_BYTES];
    char why_time[PAIR_WHY_BYTES];
    crop operands;
    FILE *block = e->csv.block_file;
    pair_facts pair = {.a = e->matrices.matrices[a].name,
                       .b = e->matrices.matrices[b].name};
    const spgemm_status status = crop_pair(&operands, A, B);
    if (status < 0) {
        accuracy_csv_skip(block, &pair, "all", spgemm_status_string(status));
    } else if (!pair_measure(&pair, &operands, &e->options, why, why_time)) {
        accuracy_csv_skip(block, &pair, "all", why);
    } else {
        if (why_time[0])
            accuracy_csv_skip(block, &pair, "precise_seconds", why_time);
        predictions_write(block, &pair, &operands, &e->options);
    }
    crop_clear(&operands);
}

static bool run_pair(evaluation *e, int a, int b, const spgemm_csr *A)
{
    show_progress(e, a, b);
    if (!collection_take(&e->matrices, b))
        return false;
    const spgemm_csr *B = collection_right(&e->matrices, b);
    bool is_well = accuracy_csv_begin(&e->csv) != NULL;
    if (is_well) {
        measure_pair(e, a, b, A, B);
        is_well = accuracy_csv_end(&e->csv, a, b);
    }
    collection_give(&e->matrices, b);
    e->work_done += work_of(e, a, b);
    e->work_left -= work_of(e, a, b);
    return is_well;
}

static bool is_wanted(const evaluation *e, int a, int b)
{
    const collected *all = e->matrices.matrices;
    return a == b ||
           (!e->options.has_only_squares && !collected_is_product(&all[a]) &&
            !collected_is_product(&all[b]));
}

/* All B with one A. */
static bool run_row(evaluation *e, int a)
{
    bool is_well = true;
    const spgemm_csr *A = NULL;
    for (int b = 0; is_well && b < e->matrices.count; b++) {
        if (!is_wanted(e, a, b))
            continue;
        e->pair++;
        if (accuracy_csv_has(&e->csv, a, b))
            continue;
        if (!A)
            A = collection_take(&e->matrices, a);
        is_well = A && run_pair(e, a, b, A);
    }
    if (A)
        collection_give(&e->matrices, a);
    return is_well;
}

static bool run(evaluation *e)
{
    int left = 0;
    for (int a = 0; a < e->matrices.count; a++)
        for (int b = 0; b < e->matrices.count; b++) {
            if (!is_wanted(e, a, b))
                continue;
            e->pairs++;
            if (accuracy_csv_has(&e->csv, a, b))
                continue;
            left++;
            e->work_left += work_of(e, a, b);
        }
    if (left < e->pairs)
        fprintf(stderr, "%d of %d pairs are in %s already\n", e->pairs - left,
                e->pairs, e->options.output);
    e->start = wall_clock();
    for (int a = 0; a < e->matrices.count; a++)
        if (!run_row(e, a))
            return false;
    return true;
}

/* ---- The whole ------------------------------------------------------------ */

static int all_threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static void complete(accuracy_options *o)
{
    o->standard = methods_default();
    if (o->methods.count == 0) {
        methods_add(&o->methods, SPGEMM_PREDICTOR_SAMPLED_NNZ);
        methods_add(&o->methods, SPGEMM_PREDICTOR_SAMPLED_CR);
        methods_add(&o->methods, o->standard);
    }
    if (o->keep_bytes < 0)
        o->keep_bytes = KEEP_SHARE * machine_free_bytes();
    if (o->nthreads == 0)
        o->nthreads = all_threads();
}

int main(int argc, char **argv)
{
    static evaluation e;
    steady_restart(argv);
    if (!accuracy_options_read(&e.options, argc, argv))
        return 2;
    complete(&e.options);
    if (!collection_open(&e.matrices, e.options.operands, e.options.noperands,
                         e.options.keep_bytes, e.options.nthreads)) {
        collection_clear(&e.matrices);
        return 2;
    }
    int status = 2;
    if (accuracy_csv_open(&e.csv, &e.options, &e.matrices))
        status = run(&e) ? 0 : 1;
    if (!accuracy_csv_close(&e.csv))
        status = 1;
    collection_clear(&e.matrices);
    return status;
}
