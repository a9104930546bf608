/* SPDX-License-Identifier: BSD-3-Clause */
#include "every_way.h"

#include <inttypes.h>

#include "expect.h"
#include "fewer_ways.h"
#include "guarded_memory.h"
#include "row_predictors.h"

static const int thread_counts[] = {1, 2, 7};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

/* One product and what is expected of it. */
typedef struct trial {
    guarded_heap heap;
    spgemm_allocator hooks;
    spgemm_csr A;
    spgemm_csr B;
    bool is_square; /* B is A */
    spgemm_csr want;
    spgemm_csr as_found; /* C with unsorted rows; nothing before there is one */
    const path *paths;
    int count;
    const char *name;
} trial;

path all_rows_by(spgemm_accumulator accumulator, const spgemm_csr *A)
{
    return (path){accumulator, A->nrows, A->nrows, false};
}

bool has_leaves(const spgemm_report *report, spgemm_index_type index_type)
{
    return index_type == SPGEMM_I32 && strcmp(report->isa, "avx512") == 0;
}

/* The number of rows is checked from below where it does not depend on how
   they are cut into blocks, or these are as long as they get. */
static void expect_paths(const trial *t, const spgemm_report *report,
                         bool has_long_blocks, const char *text)
{
    for (int p = 0; p < t->count; p++) {
        const path *want = &t->paths[p];
        const int64_t rows = report->rows_by_accumulator[want->accumulator];
        const bool is_exact = want->least == want->most;
        const int64_t least = is_exact || has_long_blocks ? want->least : 0;
        if (want->needs_avx512 && !has_leaves(report, t->A.index_type))
            continue;
        cr_assert(rows >= least && rows <= want->most,
                  "%s: %" PRId64 " rows by %s, wanted %" PRId64 " to %" PRId64,
                  text, rows, spgemm_accumulator_name(want->accumulator), least,
                  want->most);
    }
}

/* The order of unsorted rows depends on no number of threads, variant or
   prediction. */
static void expect_same_order(trial *t, const spgemm_csr *C, const char *text)
{
    if (t->as_found.rowptr)
        expect_agree(C, &t->as_found, text);
    else
        t->as_found = copy_csr(C);
}

static void expect_once(trial *t, const multiply_variant *variant,
                        spgemm_options options)
{
    char text[200];
    spgemm_report report;
    snprintf(text, sizeof text, "%s, %s, predictor %s, order %d, %d threads",
             t->name, variant->name,
             spgemm_predictor_name(options.predict.method),
             (int)options.product.row_order, options.resources.nthreads);
    options.resources.allocator = &t->hooks;
    spgemm_csr C = expect_success(variant, &t->A, t->is_square ? &t->A : &t->B,
                                  &options, &report);
    expect_paths(t, &report,
                 options.resources.nthreads == 1 &&
                     options.predict.method == SPGEMM_PREDICTOR_AUTO &&
                     options.product.row_order == SPGEMM_ROWS_SORTED,
                 text);
    if (options.product.row_order == SPGEMM_ROWS_UNSORTED)
        expect_same_order(t, &C, text);
    if (options.product.row_order == SPGEMM_ROWS_UNSORTED)
        cr_assert_eq(spgemm_csr_sort_rows(&C), SPGEMM_SUCCESS, "%s", text);
    cr_assert_eq(spgemm_csr_check(&C, NULL), SPGEMM_SUCCESS, "%s", text);
    expect_agree(&C, &t->want, text);
    spgemm_csr_destroy(&C);
    cr_assert_eq(atomic_load(&t->heap.damaged), 0, "%s: written outside", text);
}

/* Every third of those that lie: zero, infinity, products, tenfold, truth. */
static void expect_whatever_is_predicted(trial *t)
{
    for (int liar = 0; liar < row_predictor_count; liar += 3) {
        spgemm_options options = lying_options(&row_predictors[liar], &t->want);
        options.predict.slack = 1;
        options.resources.nthreads = thread_counts[liar / 3 % THREAD_COUNTS];
        options.product.row_order = (spgemm_row_order)(liar / 3 % 2);
        expect_once(t, &multiply_variants[VARIANT_PREDICTED], options);
    }
}

static void expect_every_variant(trial *t, int nthreads, spgemm_row_order order)
{
    static int ways;
    for (int v = 0; v < VARIANT_COUNT; v++)
        if (tries_way(t->A.index_type, ways++))
            expect_once(t, &multiply_variants[v],
                        (spgemm_options){.resources.nthreads = nthreads,
                                         .product.row_order = order});
}

void expect_every_way(const spgemm_csr *A, const spgemm_csr *B,
                      const path *paths, int count, const char *name)
{
    trial t = {.is_square = A == B,
               .paths = paths,
               .count = count,
               .name = name,
               .want = reference_multiply(A, B)};
    t.hooks = guarded_hooks(&t.heap);
    t.A = guarded_copy_csr(&t.heap, A);
    t.B = guarded_copy_csr(&t.heap, B);
    for (int order = 0; order < 2; order++)
        for (int n = 0; n < THREAD_COUNTS; n++)
            expect_every_variant(&t, thread_counts[n], (spgemm_row_order)order);
    expect_whatever_is_predicted(&t);
    guarded_free_csr(&t.heap, &t.A);
    guarded_free_csr(&t.heap, &t.B);
    cr_assert_eq(atomic_load(&t.heap.live), 0, "%s: blocks are left", name);
    cr_assert_eq(atomic_load(&t.heap.damaged), 0, "%s: operands written", name);
    free_csr(&t.want);
    free_csr(&t.as_found);
}
