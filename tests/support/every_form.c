/* SPDX-License-Identifier: BSD-3-Clause */
#include "every_form.h"

#include <stdlib.h>

#include "fewer_ways.h"
#include "guarded_memory.h"
#include "row_predictors.h"

static const int thread_counts[] = {1, 2, 7};

/* Zero, NaN, infinity, a tenth. */
static const int liars[] = {0, 2, 3, 10};

enum {
    ORDERS = 2,
    THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0],
    HONEST_WAYS = VARIANT_COUNT * ORDERS * THREAD_COUNTS,
    LYING_WAYS = ORDERS * (int)(sizeof liars / sizeof liars[0]),
    WAYS = HONEST_WAYS + LYING_WAYS,
    STRIDE = 11 /* prime to WAYS: some ways at a time lead to all of them */
};

/* One way to compute C. */
typedef struct way {
    const multiply_variant *variant;
    spgemm_options options;
} way;

static way find_way(const trial *t, const spgemm_csr *want, int number)
{
    way w = {&multiply_variants[number % VARIANT_COUNT], t->options};
    if (number < HONEST_WAYS) {
        w.options.product.row_order =
            (spgemm_row_order)(number / VARIANT_COUNT % ORDERS);
        w.options.resources.nthreads =
            thread_counts[number / VARIANT_COUNT / ORDERS];
        return w;
    }
    number -= HONEST_WAYS;
    const row_predictor *liar = &row_predictors[liars[number / ORDERS]];
    w.variant = &multiply_variants[VARIANT_PREDICTED];
    w.options.product.row_order = (spgemm_row_order)(number % ORDERS);
    w.options.resources.nthreads = thread_counts[number % THREAD_COUNTS];
    w.options.predict.method = SPGEMM_PREDICTOR_CALLER;
    w.options.predict.row_nnz = liar->row_nnz;
    w.options.predict.row_nnz_context = (void *)(uintptr_t)want;
    w.options.predict.slack = 1;
    return w;
}

const char *form_text(const spgemm_csr *A, const spgemm_options *o,
                      const char *more)
{
    static char text[300];
    snprintf(text, sizeof text, "%s, i%d, %s, op %d %d%s%s%s%s%s, mask %d, %s",
             type_text(A->value_type), A->index_type == SPGEMM_I64 ? 64 : 32,
             ring_text(o->product.semiring), (int)o->product.op_a,
             (int)o->product.op_b, o->product.alpha ? ", alpha" : "",
             o->product.beta ? ", beta" : "", o->product.D ? ", D" : "",
             o->product.rows ? ", rows" : "", o->product.cols ? ", cols" : "",
             o->filter.mask ? (int)o->filter.mask_mode : -1, more);
    return text;
}

/* What holds of C whatever was computed. Rows are sorted afterwards. */
static void expect_well_formed(spgemm_csr *C, const spgemm_options *o,
                               const char *text)
{
    const bool is_sorted =
        o->product.row_order == SPGEMM_ROWS_SORTED || o->product.D != NULL;
    spgemm_fault fault;
    cr_assert(!is_sorted || (C->flags & SPGEMM_SORTED_ROWS),
              "%s: not flagged sorted", text);
    cr_assert_eq(spgemm_csr_check(C, &fault), SPGEMM_SUCCESS, "%s", text);
    cr_assert_eq(C->nnz, C->rowptr[C->nrows], "%s", text);
    if (!is_sorted)
        sort_typed(C);
}

/* The order of unsorted rows depends on no number of threads, variant or
   prediction. `as_found` is empty before there is one. */
static void expect_same_order(const spgemm_csr *C, spgemm_csr *as_found,
                              const char *text)
{
    char where[200];
    if (as_found->rowptr)
        cr_assert(typed_agree(C, as_found, where, sizeof where),
                  "%s: another order: %s", text, where);
    else
        *as_found = copy_typed(C);
}

static void expect_way(const trial *t, const spgemm_csr *want, const way *w,
                       spgemm_csr *as_found)
{
    char text[600];
    char where[200];
    spgemm_csr C = {0};
    spgemm_report report;
    snprintf(text, sizeof text, "%s: %s, order %d, %d threads%s", t->name,
             w->variant->name, (int)w->options.product.row_order,
             w->options.resources.nthreads,
             w->options.predict.row_nnz ? ", by a liar" : "");
    const spgemm_status status =
        w->variant->multiply(&C, t->A, t->B, &w->options, &report);
    cr_assert_eq(status, SPGEMM_SUCCESS, "%s: %s", text,
                 spgemm_status_string(status));
    cr_assert_eq(report.nnz, C.nnz, "%s: report.nnz", text);
    if (as_found && w->options.product.row_order == SPGEMM_ROWS_UNSORTED)
        expect_same_order(&C, as_found, text);
    expect_well_formed(&C, &w->options, text);
    cr_assert(typed_agree(&C, want, where, sizeof where), "%s: %s", text,
              where);
    spgemm_csr_destroy(&C);
}

/* ---- Guarded operands ---------------------------------------------------- */

static void *copy_block(guarded_heap *h, const void *block, size_t bytes)
{
    void *copy = guarded_allocate(h, bytes);
    if (bytes > 0)
        memcpy(copy, block, bytes);
    return copy;
}

static spgemm_csr guard(guarded_heap *h, const spgemm_csr *A)
{
    const size_t nnz = (size_t)A->nnz;
    const size_t index =
        A->index_type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
    spgemm_csr copy = *A;
    copy.rowptr =
        copy_block(h, A->rowptr, ((size_t)A->nrows + 1) * sizeof *copy.rowptr);
    copy.colidx = copy_block(h, A->colidx, nnz * index);
    if (A->values)
        copy.values =
            copy_block(h, A->values, nnz * bytes_of_type(A->value_type));
    return copy;
}

static void unguard(guarded_heap *h, spgemm_csr *A)
{
    guarded_release(h, A->rowptr);
    guarded_release(h, A->colidx);
    if (A->values)
        guarded_release(h, A->values);
}

void expect_every_form(const trial *t)
{
    static int products;
    guarded_heap heap = {0};
    const spgemm_allocator hooks = guarded_hooks(&heap);
    trial guarded = *t;
    spgemm_csr A = guard(&heap, t->A);
    spgemm_csr B = t->B == t->A ? A : guard(&heap, t->B);
    spgemm_csr as_found = {0};
    spgemm_csr want = reference_form(t->A, t->B, &t->options);
    guarded.A = &A;
    guarded.B = t->B == t->A ? &A : &B;
    guarded.options.resources.allocator = &hooks;
    products++;
    for (int number = 0; number < WAYS; number++) {
        if (!tries_way(A.index_type, number + products))
            continue;
        const way w = find_way(&guarded, &want, number);
        expect_way(&guarded, &want, &w, &as_found);
        cr_assert_eq(atomic_load(&heap.damaged), 0, "%s: written outside",
                     t->name);
    }
    unguard(&heap, &A);
    if (t->B != t->A)
        unguard(&heap, &B);
    cr_assert_eq(atomic_load(&heap.live), 0, "%s: blocks are left", t->name);
    cr_assert_eq(atomic_load(&heap.damaged), 0, "%s: operands written",
                 t->name);
    free_csr(&want);
    free_csr(&as_found);
}

void expect_some_forms_of(const trial *t, const spgemm_csr *want, int count)
{
    static int next;
    const int some = ways_of_some(t->A->index_type, count);
    for (int n = 0; n < some; n++) {
        const way w = find_way(t, want, next);
        expect_way(t, want, &w, NULL);
        next = (next + STRIDE) % WAYS;
    }
}

void expect_some_forms(const trial *t, int count)
{
    spgemm_csr want = reference_form(t->A, t->B, &t->options);
    expect_some_forms_of(t, &want, count);
    free_csr(&want);
}

void expect_refusal(const trial *t, spgemm_status status)
{
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = {.nrows = -77};
        const spgemm_status got =
            multiply_variants[v].multiply(&C, t->A, t->B, &t->options, NULL);
        cr_assert_eq(got, status, "%s, %s: %s", t->name,
                     multiply_variants[v].name, spgemm_status_string(got));
        cr_assert(C.nrows == -77 && !C.rowptr, "%s: C was touched", t->name);
    }
}
