/* SPDX-License-Identifier: BSD-3-Clause */
#include "run.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "draw.h"
#include "reference_form.h"

bool cross_fails(crossing *x, const char *check, const char *format, ...)
{
    va_list list;
    if (x->wrong)
        return false;
    x->wrong = check;
    va_start(list, format);
    vsnprintf(x->detail, sizeof x->detail, format, list);
    va_end(list);
    return false;
}

static void describe_matrix(char *text, size_t size, const char *name,
                            const spgemm_csr *X)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used,
             "; %s %" PRId64 " x %" PRId64 ", %" PRId64 "%s%s", name, X->nrows,
             X->ncols, X->nnz, X->values ? "" : " without values",
             X->flags & SPGEMM_SORTED_ROWS ? " sorted" : "");
}

void cross_describe(const crossing *x, char *text, size_t size)
{
    const spgemm_options *o = &x->args->options;
    snprintf(text, size, "%s of i%d, type %#x, %s", entry_text(x->entry),
             x->A && x->A->index_type == SPGEMM_I64 ? 64 : 32,
             x->A ? (unsigned)x->A->value_type : 0,
             ring_text(o->product.semiring));
    if (x->R)
        describe_matrix(text, size, "R", x->R);
    if (x->A)
        describe_matrix(text, size, x->A == x->R ? "is A" : "A", x->A);
    if (x->B)
        describe_matrix(text, size,
                        x->A == x->B   ? "is B"
                        : x->R == x->B ? "of R is B"
                                       : "B",
                        x->B);
    if (o->filter.mask)
        describe_matrix(text, size, "mask", o->filter.mask);
    if (o->product.D)
        describe_matrix(text, size, "D", o->product.D);
    const size_t used = strlen(text);
    snprintf(text + used, size - used,
             "; op %d %d%s%s%s%s, mode %u, drops %d %g %" PRId64
             "%s, predictor %d, slack %g, threads %d%s%s, limit %zu%s%s%s, "
             "fails %ld%s, cancels %ld, block %zu%s",
             (int)o->product.op_a, (int)o->product.op_b,
             o->product.alpha ? ", alpha" : "", o->product.beta ? ", beta" : "",
             o->product.rows ? ", rows" : "", o->product.cols ? ", cols" : "",
             o->filter.mask_mode, o->filter.drop_zeros,
             o->filter.drop_tolerance, o->filter.keep_top,
             o->filter.top_by == SPGEMM_TOP_VALUE ? " by value" : "",
             (int)o->predict.method, o->predict.slack, o->resources.nthreads,
             o->product.row_order == SPGEMM_ROWS_SORTED ? "" : ", unsorted",
             o->resources.input_check == SPGEMM_CHECK_FULL ? "" : ", unchecked",
             o->resources.memory_limit_bytes, x->has_hooks ? ", hooks" : "",
             x->has_context ? ", context" : "", o->resources.out ? ", out" : "",
             x->mischief.fail_at, x->mischief.fails_forever ? " on" : "",
             x->mischief.cancel_at, x->block_bytes,
             x->is_damaged ? ", damaged" : "");
}

/* A context of one input; none, if its memory fails. */
static void enter_context(crossing *x)
{
    spgemm_allocator hooks;
    if (!x->has_context)
        return;
    hooks = hostile_heap_hooks(x->context_heap, one_in(&x->dice, 2));
    const bool is_own = one_in(&x->dice, 2);
    if (spgemm_context_create(&x->context, is_own ? NULL : &hooks) !=
        SPGEMM_SUCCESS)
        cross_fails(x, "context", "cannot be created");
    if (!is_own && one_in(&x->dice, 4))
        hostile_heap_arm(x->context_heap, dice_below(&x->dice, 8),
                         one_in(&x->dice, 2));
}

static void run_entry(crossing *x, causes *c, spgemm_csr *want, tally *t)
{
    switch (x->entry) {
    case ENTRY_PLAN:
        run_plan(x, c, want, t);
        break;
    case ENTRY_STREAM:
        run_stream(x, c, want, t);
        break;
    case ENTRY_PREDICT:
        run_predict(x, c, want, t);
        break;
    case ENTRY_MATRIX:
        run_matrix(x, t);
        break;
    default:
        run_product(x, c, want, t);
    }
}

/* C, and the arrays that it may go to. */
static spgemm_csr find_want(crossing *x, causes *c)
{
    spgemm_csr want = {0};
    int64_t nrows = 3;
    int64_t nnz = 3;
    if (!c->must && x->entry != ENTRY_PREDICT && x->entry != ENTRY_MATRIX) {
        want = reference_form(x->A, x->B, &x->args->options);
        nrows = want.nrows;
        nnz = want.nnz;
    } else if (!c->must) {
        nrows = product_nrows(x);
    }
    if (!x->A)
        return want;
    draw_out(x, nrows, nnz, !c->must && product_has_values(x));
    *c = causes_of(x);
    return want;
}

void cross_draw(crossing *x, uint64_t seed)
{
    hostile_heap *heap = x->heap;
    hostile_heap *context_heap = x->context_heap;
    *x = (crossing){.seed = seed,
                    .is_large = x->is_large,
                    .heap = heap,
                    .context_heap = context_heap};
    x->dice.state = seed * 0x9e3779b97f4a7c15u ^ 0x2545f4914f6cdd1du;
    (void)dice_bits(&x->dice);
    teams_choose(seed);
    arena_begin();
    hostile_heap_begin(heap);
    hostile_heap_begin(context_heap);
    draw_crossing(x);
}

/* Another crossing, which goes on with the context. */
static void draw_another(crossing *x)
{
    const crossing last = *x;
    *x = (crossing){.seed = last.seed,
                    .is_large = last.is_large,
                    .dice = last.dice,
                    .heap = last.heap,
                    .context_heap = last.context_heap,
                    .context = last.context};
    draw_crossing(x);
}

static void run_drawn(crossing *x, tally *t)
{
    if (x->has_options && (x->has_context || x->entry != ENTRY_PREDICT))
        x->args->options.resources.context = x->context;
    if (x->entry == ENTRY_RAP) {
        run_rap(x, t);
        return;
    }
    causes c = causes_of(x);
    spgemm_csr want = find_want(x, &c);
    run_entry(x, &c, &want, t);
    free_csr(&want);
}

void cross_run(crossing *x, tally *t)
{
    enter_context(x);
    if (!x->wrong)
        run_drawn(x, t);
    for (int64_t left = x->context ? dice_below(&x->dice, 3) : 0;
         left > 0 && !x->wrong; left--) {
        draw_another(x);
        run_drawn(x, t);
    }
    spgemm_context_destroy(x->context);
    if (!x->wrong)
        expect_nothing_left(x);
}
