/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole crossing: how C is computed, and what the hooks do meanwhile. */
#include <math.h>

#include "arena.h"
#include "callbacks.h"
#include "draw_frame.h"
#include "scalars.h"

/* Complex values have no order, which is rarely forgotten. */
static void draw_drops(dice *d, spgemm_options *o, spgemm_value_type type)
{
    static const double tolerances[] = {0.5, 1, 2, 3, 1e-300, INFINITY, 100};
    o->filter.drop_zeros = one_in(d, 3);
    if (one_in(d, 3))
        o->filter.drop_tolerance = tolerances[dice_below(d, 7)];
    if (one_in(d, 3)) {
        o->filter.keep_top = 1 + dice_below(d, 6);
        if (one_in(d, is_complex(type) ? 16 : 2))
            o->filter.top_by = SPGEMM_TOP_VALUE;
    }
}

/* ---- How it is computed -------------------------------------------------- */

/* The largest size is for small inputs: hyperloglog goes through so many registers for
   each entry of A, 97 s for half a million of them under sanitizers. */
static void draw_parameters(dice *d, spgemm_options *o, bool is_large)
{
    const spgemm_predictor_limits *limits =
        spgemm_predict_limits(o->predict.method);
    if (limits->size.least > 0 && one_in(d, 2)) {
        o->predict.size = limits->size.least + dice_below(d, 40);
        if (limits->size_is_power_of_two)
            o->predict.size = limits->size.least << dice_below(d, 4);
    }
    if (limits->size.most <= 1 << 16 && one_in(d, 32) && !is_large)
        o->predict.size = limits->size.most;
    if (limits->probability.least > 0 && one_in(d, 2))
        o->predict.probability = one_in(d, 4) ? limits->probability.least : 0.5;
    if (limits->budget.least > 0 && one_in(d, 2))
        o->predict.budget = 1 + dice_below(d, 1000);
    if (limits->error.least > 0 && one_in(d, 2))
        o->predict.error = one_in(d, 4) ? limits->error.most : 0.01;
}

static void draw_prediction(crossing *x)
{
    static const double slacks[] = {1, 1.5, 100, 1e300, INFINITY, 1.000001};
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    if (one_in(d, 2))
        o->predict.method =
            (spgemm_predictor)dice_below(d, SPGEMM_PREDICTOR_COUNT);
    draw_parameters(d, o, x->is_large);
    if (o->predict.method == SPGEMM_PREDICTOR_CALLER || one_in(d, 8)) {
        o->predict.row_nnz = lying_row_nnz;
        o->predict.row_nnz_context = &x->mischief;
        x->mischief.lie = (int)dice_below(d, LIE_COUNT);
        x->mischief.seed = dice_bits(d);
    }
    if (one_in(d, 5))
        o->predict.slack = slacks[dice_below(d, 6)];
    o->predict.seed = dice_bits(d);
}

static void draw_resources(crossing *x)
{
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    o->resources.nthreads = one_in(d, 16) ? (int)dice_below(d, 4) : 1;
    if ((x->is_heavy || x->is_large) && one_in(d, 2))
        o->resources.nthreads = 2 + (int)dice_below(d, 2);
    o->product.row_order =
        one_in(d, 3) ? SPGEMM_ROWS_UNSORTED : SPGEMM_ROWS_SORTED;
    o->resources.input_check =
        one_in(d, 6) ? SPGEMM_CHECK_NONE : SPGEMM_CHECK_FULL;
    x->has_hooks = one_in(d, 2);
    if (x->has_hooks) {
        x->args->hooks = hostile_heap_hooks(x->heap, one_in(d, 2));
        o->resources.allocator = &x->args->hooks;
        if (one_in(d, 3)) {
            x->mischief.fail_at = dice_below(d, one_in(d, 3) ? 100 : 24);
            x->mischief.fails_forever = one_in(d, 2);
        }
    }
    if (one_in(d, 8))
        o->resources.memory_limit_bytes = (size_t)dice_bits(d) >>
                                          (x->is_large ? 34 : 40) >>
                                          dice_below(d, 22);
    if (one_in(d, 6)) {
        o->resources.progress = watch_progress;
        o->resources.progress_context = &x->mischief;
        if (one_in(d, 2))
            x->mischief.cancel_at = dice_below(d, 6);
    }
    x->has_context = one_in(d, 5);
    x->block_bytes =
        (size_t)dice_bits(d) >> (x->is_large ? 38 : 44) >> dice_below(d, 20);
}

/* Mostly nothing is asked for that the entry point does not use. */
static void forget_unused(crossing *x)
{
    spgemm_options *o = &x->args->options;
    if (one_in(&x->dice, 40))
        return;
    if (x->entry == ENTRY_PRECISE || x->entry == ENTRY_UPPER_BOUND)
        o->predict = (spgemm_predict_options){0};
    if (x->entry == ENTRY_RAP)
        o->predict = (spgemm_predict_options){.seed = o->predict.seed,
                                              .slack = o->predict.slack};
    if (x->entry == ENTRY_PREDICT) {
        o->predict.slack = 0;
        o->product.beta = NULL;
        o->product.D = NULL;
        x->has_context = false;
    }
}

/* ---- All of it ----------------------------------------------------------- */

static entry_point draw_entry(dice *d)
{
    static const entry_point entries[] = {
        ENTRY_RAP,         ENTRY_PREDICTED,   ENTRY_PREDICTED, ENTRY_PREDICTED,
        ENTRY_PREDICTED,   ENTRY_PRECISE,     ENTRY_PRECISE,   ENTRY_PRECISE,
        ENTRY_UPPER_BOUND, ENTRY_UPPER_BOUND, ENTRY_PLAN,      ENTRY_PLAN,
        ENTRY_PLAN,        ENTRY_PLAN,        ENTRY_STREAM,    ENTRY_STREAM,
        ENTRY_STREAM,      ENTRY_PREDICT,     ENTRY_PREDICT,   ENTRY_MATRIX};
    return entries[dice_below(d, sizeof entries / sizeof entries[0])];
}

/* C of R A B is NULL or one of the three. */
static void draw_wrong_output(crossing *x)
{
    const bool is_b = x->B == &x->args->B;
    if (x->wrong_output == 3 && (!is_b || one_in(&x->dice, 2)))
        x->wrong_output = x->R == &x->args->R ? 4 : 2;
}

void draw_crossing(crossing *x)
{
    frame f = {0};
    dice *d = &x->dice;
    x->args = arena_take(sizeof *x->args);
    x->mischief = (mischief){.fail_at = -1, .cancel_at = -1};
    x->entry = draw_entry(d);
    draw_frame(x, &f);
    x->is_heavy = f.layout_a == LAYOUT_DENSE || f.length_a > 1000;
    draw_operands(x, &f);
    draw_terms(x, &f);
    if (one_in(d, x->entry == ENTRY_PLAN ? 24 : f.is_crowded ? 1 : 5))
        draw_drops(d, &x->args->options, f.value_type);
    draw_prediction(x);
    draw_resources(x);
    forget_unused(x);
    x->has_report = !one_in(d, 4);
    x->wrong_output = one_in(d, 100) ? 1 + (int)dice_below(d, 3) : 0;
    if (x->entry == ENTRY_RAP)
        draw_wrong_output(x);
    else if (x->entry > ENTRY_PLAN || x->A != &x->args->A ||
             x->B != &x->args->B)
        x->wrong_output %= 2;
    x->is_damaged = one_in(d, 16);
    if (x->is_damaged)
        draw_damage(x);
    x->has_options = !one_in(d, 50);
    if (!x->has_options) {
        x->args->options = (spgemm_options){0};
        x->has_hooks = false;
        x->has_context = false;
        x->mischief.fail_at = -1;
    }
}

/* An array of `out` that is another's, too. */
static void draw_overlap(crossing *x, spgemm_out *out)
{
    const spgemm_csr *X = one_in(&x->dice, 2) || !x->B ? x->A : x->B;
    if (X->nnz <= 0)
        return;
    switch (dice_below(&x->dice, 4)) {
    case 0:
        out->values = out->colidx;
        break;
    case 1:
        out->colidx = X->colidx ? X->colidx : out->colidx;
        break;
    case 2:
        out->rowptr = X->rowptr ? X->rowptr : out->rowptr;
        break;
    default:
        out->values = X->values ? X->values : out->values;
    }
}

/* An output lies in the arena, beside the operands. */
enum { MOST_OUT_BYTES = ARENA_BYTES / 4 * 3 };

void draw_out(crossing *x, int64_t nrows, int64_t nnz, bool has_values)
{
    dice *d = &x->dice;
    const spgemm_csr *A = x->A;
    const size_t value_bytes =
        spgemm_value_bytes(A->value_type) ? bytes_of_type(A->value_type) : 1;
    const int64_t more = one_in(d, 2) ? 0 : dice_below(d, 1 + nnz);
    spgemm_out *out = &x->args->out;
    const bool is_unused =
        x->entry == ENTRY_PREDICT || x->entry == ENTRY_STREAM;
    if (!x->has_options || !one_in(d, is_unused ? 40 : 5) ||
        (size_t)(nnz + more) * (sizeof(int64_t) + value_bytes) > MOST_OUT_BYTES)
        return;
    out->capacity = one_in(d, 3) ? dice_below(d, 1 + nnz) : nnz + more;
    const size_t capacity = (size_t)out->capacity;
    out->rowptr = arena_take_output(((size_t)nrows + 1) * sizeof *out->rowptr);
    out->colidx =
        arena_take_output(capacity * (A->index_type == SPGEMM_I64 ? 8 : 4));
    if (has_values || one_in(d, 2))
        out->values = arena_take_output(capacity * value_bytes);
    x->args->options.resources.out = out;
    if (one_in(d, 20))
        draw_overlap(x, out);
}
