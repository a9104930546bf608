/* SPDX-License-Identifier: BSD-3-Clause */
/* Many products by teams of 2 to 8, for the thread sanitizer: every variant,
   predictors that lie, giant rows, callers side by side, streams, and products
   that are cancelled. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "generate.h"
#include "reference.h"
#include "row_predictors.h"
#include "spgemm/predict.h"
#include "spgemm/stream.h"
#include "variants.h"

/* A product and its true result. */
typedef struct work {
    const char *name;
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr want;
} work;

static work begin_work(const char *case_name, int type)
{
    work w = {.name = case_name};
    make_case(find_case(case_name), (spgemm_index_type)type, VALUES_ARBITRARY,
              &w.A, &w.B);
    w.want = reference_multiply(&w.A, &w.B);
    return w;
}

static void end_work(work *w)
{
    free_csr(&w->A);
    free_csr(&w->B);
    free_csr(&w->want);
}

static void fail(const work *w, const char *variant, const char *text)
{
    fprintf(stderr, "%s, %s: %s\n", w->name, variant, text);
    exit(1);
}

static void run(const work *w, const multiply_variant *variant,
                const spgemm_options *options)
{
    char text[256];
    spgemm_csr C = {0};
    const spgemm_status status =
        variant->multiply(&C, &w->A, &w->B, options, NULL);
    if (status != SPGEMM_SUCCESS)
        fail(w, variant->name, spgemm_status_string(status));
    if (options->product.row_order == SPGEMM_ROWS_UNSORTED &&
        spgemm_csr_sort_rows(&C) != SPGEMM_SUCCESS)
        fail(w, variant->name, "cannot be sorted");
    if (!matrices_agree(&C, &w->want, text, sizeof text))
        fail(w, variant->name, text);
    spgemm_csr_destroy(&C);
}

static long run_variants(const work *w)
{
    long products = 0;
    for (int nthreads = 2; nthreads <= 8; nthreads += 3)
        for (int v = 0; v < VARIANT_COUNT; v++)
            for (int order = 0; order < 2; order++, products++)
                run(w, &multiply_variants[v],
                    &(spgemm_options){.resources.nthreads = nthreads,
                                      .product.row_order =
                                          (spgemm_row_order)order});
    return products;
}

static long run_liars(work *w)
{
    long products = 0;
    for (int t = 0; t < row_predictor_count; t++)
        for (int nthreads = 2; nthreads <= 5; nthreads += 3, products++) {
            spgemm_options options =
                lying_options(&row_predictors[t], &w->want);
            options.resources.nthreads = nthreads;
            options.predict.slack = 1.0;
            run(w, &multiply_variants[VARIANT_PREDICTED], &options);
        }
    return products;
}

static long run_predictors(const work *w)
{
    long products = 0;
    for (int t = 0; t < SPGEMM_PREDICTOR_CALLER; t++, products++)
        run(w, &multiply_variants[VARIANT_PREDICTED],
            &(spgemm_options){.predict.method = (spgemm_predictor)t,
                              .resources.nthreads = 4});
    return products;
}

/* Of a matrix large enough that each step of a method is shared. */
static long run_predictions(void)
{
    maker m = {{9}, SPGEMM_I32, VALUES_INTEGER};
    work w = {.name = "large",
              .A = make_jumbled(&m, 20000, 15000, 8),
              .B = make_jumbled(&m, 15000, 5000, 9)};
    for (int t = 0; t < SPGEMM_PREDICTOR_CALLER; t++) {
        const spgemm_options options = {.predict.method = (spgemm_predictor)t,
                                        .resources.nthreads = 4};
        spgemm_prediction prediction;
        if (spgemm_predict(&prediction, &w.A, &w.B, &options, NULL) !=
            SPGEMM_SUCCESS)
            fail(&w, spgemm_predictor_name(options.predict.method),
                 "predicts not");
    }
    end_work(&w);
    return SPGEMM_PREDICTOR_CALLER;
}

/* op(A)(rows, :) op(B), of matrices large enough that each step is shared:
   transposed, selected, sorted, and the same by one thread. */
static long run_operations(void)
{
    static int64_t rows[9000];
    maker m = {{9}, SPGEMM_I32, VALUES_ARBITRARY};
    work w = {.name = "operations",
              .A = make_jumbled(&m, 15000, 20000, 8),
              .B = make_jumbled(&m, 5000, 15000, 12)};
    spgemm_csr alone = {0};
    spgemm_options options = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                              .product.op_b = SPGEMM_OP_TRANSPOSE,
                              .product.rows = rows,
                              .product.nrows = 7000,
                              .resources.nthreads = 1};
    for (int64_t t = 0; t < 9000; t++)
        rows[t] = t * 7919 % 20000;
    for (; options.product.nrows <= 9000; options.product.nrows += 2000) {
        const multiply_variant *variant = &multiply_variants[VARIANT_PREDICTED];
        options.resources.nthreads = 1;
        if (variant->multiply(&alone, &w.A, &w.B, &options, NULL) !=
            SPGEMM_SUCCESS)
            fail(&w, variant->name, "fails");
        w.want = copy_csr(&alone);
        spgemm_csr_destroy(&alone);
        for (options.resources.nthreads = 2; options.resources.nthreads <= 8;
             options.resources.nthreads += 3)
            run(&w, variant, &options);
        free_csr(&w.want);
    }
    if (spgemm_csr_sort_rows(&w.A) != SPGEMM_SUCCESS)
        fail(&w, "sort", "fails");
    end_work(&w);
    return 8;
}

/* A clock that is a second further whenever it is looked at: the library asks
   after every block whether to go on. Linked with --wrap=clock_gettime. */
int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    static atomic_long looks;
    const int status = __real_clock_gettime(clock, now);
    now->tv_sec += atomic_fetch_add(&looks, 1);
    return status;
}

/* Stops when it has been called so often; rows in between. */
typedef struct patience {
    long calls;
    long most;
    int64_t nnz;
} patience;

static int ask(void *context, double done)
{
    (void)done;
    patience *p = context;
    return p->calls++ == p->most;
}

static int take(void *context, const spgemm_csr *rows, int64_t first_row)
{
    (void)first_row;
    patience *p = context;
    p->nnz += rows->nnz;
    return 0;
}

static void stream(const work *w, patience *p, int nthreads)
{
    const spgemm_options options = {.resources.nthreads = nthreads,
                                    .resources.progress = ask,
                                    .resources.progress_context = p};
    const size_t bytes = (size_t)w->want.nnz * 6 + 2000000;
    const spgemm_status status =
        spgemm_stream(&w->A, &w->B, &options, bytes, take, p, NULL);
    const bool is_right =
        p->calls > p->most ? status == SPGEMM_ERROR_CANCELLED
                           : status == SPGEMM_SUCCESS && p->nnz == w->want.nnz;
    if (!is_right)
        fail(w, "stream", spgemm_status_string(status));
}

static void cancel(const work *w, const multiply_variant *variant, patience *p,
                   int nthreads)
{
    const spgemm_options options = {.predict.method = SPGEMM_PREDICTOR_PRECISE,
                                    .resources.nthreads = nthreads,
                                    .resources.progress = ask,
                                    .resources.progress_context = p};
    spgemm_csr C = {0};
    const spgemm_status status =
        variant->multiply(&C, &w->A, &w->B, &options, NULL);
    if (status !=
        (p->calls > p->most ? SPGEMM_ERROR_CANCELLED : SPGEMM_SUCCESS))
        fail(w, variant->name, spgemm_status_string(status));
    spgemm_csr_destroy(&C);
}

static long run_ends(const work *w)
{
    long products = 0;
    for (int nthreads = 2; nthreads <= 8; nthreads += 3)
        for (long most = 0; most < 1000; most = 4 * most + 2) {
            patience p = {.most = most};
            stream(w, &p, nthreads);
            for (int v = 0; v < VARIANT_COUNT; v++) {
                p = (patience){.most = most};
                cancel(w, &multiply_variants[v], &p, nthreads);
            }
            products += 1 + VARIANT_COUNT;
        }
    return products;
}

static void *call_often(void *argument)
{
    const work *w = argument;
    for (int t = 0; t < 10; t++)
        run(w, &multiply_variants[t % VARIANT_COUNT],
            &(spgemm_options){.resources.nthreads = 1 + t % 3});
    return NULL;
}

/* The same operands, by callers of their own threads. */
static long run_callers(work *w)
{
    pthread_t threads[3];
    for (int t = 0; t < 3; t++)
        if (pthread_create(&threads[t], NULL, call_often, w) != 0)
            fail(w, "callers", "no thread");
    for (int t = 0; t < 3; t++)
        pthread_join(threads[t], NULL);
    return 30;
}

int main(void)
{
    static const char *const names[] = {"banded",     "hypersparse",
                                        "short wide", "duplicates",
                                        "giant rows", "hidden rows"};
    long products = 0;
    for (size_t t = 0; t < sizeof names / sizeof names[0]; t++) {
        work w = begin_work(names[t], (int)(t % 2));
        products += run_variants(&w);
        products += run_liars(&w);
        products += run_predictors(&w);
        products += run_ends(&w);
        if (t == 0)
            products += run_callers(&w);
        end_work(&w);
    }
    products += run_operations();
    const long predictions = run_predictions();
    printf("%ld products, %ld predictions\n", products, predictions);
    return 0;
}
