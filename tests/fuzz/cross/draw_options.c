/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole crossing: shapes, operands, every option, and what the hooks do. */
#include <math.h>
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "callbacks.h"
#include "draw.h"
#include "reference_ring.h"
#include "scalars.h"

/* Columns of what may be transposed. */
enum { MOST_TURNED = 2048 };

/* What all matrices of a call have in common. */
typedef struct frame {
    spgemm_index_type index_type;
    spgemm_value_type value_type;
    value_kind values;
    int64_t rows; /* of op(A) */
    int64_t inner;
    int64_t cols; /* of op(B) */
    bool is_wide;
    bool is_jumbled;
    layout layout_a;
    layout layout_b;
    int64_t length_a;
    int64_t length_b;
    bool is_pattern_a;
    bool is_pattern_b;
    int64_t palette[48];
} frame;

/* ---- Types --------------------------------------------------------------- */

static spgemm_value_type draw_elements(dice *d)
{
    static const int bytes[] = {1, 2, 3, 5, 8, 12, 16, 24, 40, 100, 512};
    return SPGEMM_ELEMENTS(bytes[dice_below(d, 11)]);
}

static void draw_types(crossing *x, frame *f)
{
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    f->index_type = one_in(d, 3) ? SPGEMM_I64 : SPGEMM_I32;
    f->value_type =
        one_in(d, 2)
            ? SPGEMM_FP64
            : (spgemm_value_type)dice_below(d, SPGEMM_VALUE_TYPE_COUNT);
    f->values = one_in(d, 4) ? (value_kind)dice_below(d, 3) : VALUES_INTEGER;
    if (one_in(d, 12)) {
        o->semiring = SPGEMM_USER;
        if (one_in(d, 2))
            f->value_type = draw_elements(d);
        x->args->user = draw_user_semiring(d, f->value_type);
        o->user = &x->args->user;
    } else if (one_in(d, 2)) {
        if (one_in(d, 16)) /* which is not asked */
            o->user = &x->args->user;
        o->semiring = (spgemm_semiring)dice_below(d, SPGEMM_USER);
        if (!ring_exists(o->semiring, f->value_type) && !one_in(d, 8))
            o->semiring = SPGEMM_PLUS_TIMES;
    }
    if (one_in(d, 16))
        f->is_pattern_a = f->is_pattern_b = true;
    if (one_in(d, 24))
        f->is_pattern_a = true;
}

/* ---- Shapes -------------------------------------------------------------- */

static void draw_sizes(dice *d, frame *f, int64_t most)
{
    f->rows = dice_below(d, most + 1);
    f->inner = dice_below(d, most + 1);
    f->cols = dice_below(d, most + 1);
    f->length_a = 1 + dice_below(d, 4);
    f->length_b = 1 + dice_below(d, 6);
}

/* Columns far apart: rows of C are hashed. */
static void widen(dice *d, frame *f)
{
    const int64_t most =
        f->index_type == SPGEMM_I32 ? INT32_MAX : (int64_t)1 << 60;
    f->is_wide = true;
    f->cols = most >> dice_below(d, 12);
    for (int t = 0; t < 48; t++)
        f->palette[t] = t < 2 ? (f->cols - 1) * t : dice_below(d, f->cols);
    f->length_a = 4 + dice_below(d, 6);
    f->length_b = 4 + dice_below(d, 6);
}

/* Rows that go through a window slice by slice. */
static void spread(dice *d, frame *f)
{
    f->layout_b = LAYOUT_SPREAD;
    f->rows = 1 + dice_below(d, 3);
    f->inner = 20 + dice_below(d, 20);
    f->cols = ((int64_t)1 << 18) + dice_below(d, 1 << 20);
    f->length_a = 40;
    f->length_b = 300 + dice_below(d, 200);
}

/* A row so long that it is cut by columns: it meets few rows of B, often. */
static void enlarge(dice *d, frame *f)
{
    f->layout_b = LAYOUT_SPREAD;
    f->is_jumbled = true;
    f->rows = 1 + dice_below(d, 2);
    f->inner = 3 + dice_below(d, 6);
    f->cols = (int64_t)1 << (12 + dice_below(d, 9));
    f->length_a = 1500;
    f->length_b = 400;
}

static void draw_layouts(dice *d, frame *f)
{
    switch (dice_below(d, 40)) {
    case 0:
    case 1: /* runs, by rows like the one before */
        f->layout_a = f->layout_b = LAYOUT_RUNS;
        f->rows = 1 + dice_below(d, 24);
        f->inner = 8 + dice_below(d, 24);
        f->cols = 24 + dice_below(d, 100);
        f->length_a = f->length_b = 8 + dice_below(d, 12);
        f->is_jumbled = false;
        break;
    case 2:
    case 3: /* a stencil */
        f->layout_a = f->layout_b = LAYOUT_SHIFTED;
        f->rows = f->inner = f->cols = 16 + dice_below(d, 25);
        f->length_a = f->length_b = 2 + dice_below(d, 6);
        f->is_jumbled = false;
        break;
    case 4:
        f->layout_b = LAYOUT_LONG;
        f->cols = 200 + dice_below(d, 200);
        f->length_b = 12;
        f->inner = 1 + dice_below(d, 6);
        break;
    case 5:
    case 6:
        widen(d, f);
        break;
    case 7: /* enough for several threads, now and then */
        if (one_in(d, 8)) {
            f->layout_a = f->layout_b = LAYOUT_DENSE;
            f->rows = f->inner = f->cols = 30 + dice_below(d, 14);
        }
        break;
    case 8:
    case 9: /* scattered over a window */
        f->rows = 1 + dice_below(d, 12);
        f->inner = 10 + dice_below(d, 20);
        f->cols = 100 + dice_below(d, 900);
        f->length_a = f->length_b = 12;
        break;
    case 10:
        if (one_in(d, 8))
            spread(d, f);
        else if (one_in(d, 40))
            enlarge(d, f);
        break;
    default:
        break;
    }
}

static void draw_shapes(dice *d, frame *f)
{
    draw_sizes(d, f, one_in(d, 4) ? 40 : 10);
    f->is_jumbled = one_in(d, 3);
    if (f->value_type < SPGEMM_ELEMENTS_BASE)
        draw_layouts(d, f);
}

/* ---- Operands ------------------------------------------------------------ */

static recipe recipe_of(const frame *f, int64_t nrows, int64_t ncols)
{
    return (recipe){.nrows = nrows,
                    .ncols = ncols,
                    .is_jumbled = f->is_jumbled,
                    .index_type = f->index_type,
                    .value_type = f->value_type,
                    .values = f->values};
}

static spgemm_csr draw_a(crossing *x, const frame *f)
{
    const bool is_turned = x->args->options.op_a != SPGEMM_OP_NONE;
    recipe r = recipe_of(f, is_turned ? f->inner : f->rows,
                         is_turned ? f->rows : f->inner);
    r.layout = f->layout_a;
    r.length = f->length_a;
    r.is_pattern = f->is_pattern_a;
    return draw_matrix(&x->dice, &r);
}

static void use_palette(recipe *r, const frame *f)
{
    if (f->is_wide) {
        r->palette = f->palette;
        r->npalette = 48;
    }
}

static spgemm_csr draw_b(crossing *x, const frame *f)
{
    const bool is_turned = x->args->options.op_b != SPGEMM_OP_NONE;
    recipe r = recipe_of(f, is_turned ? f->cols : f->inner,
                         is_turned ? f->inner : f->cols);
    r.layout = f->layout_b;
    r.length = f->length_b;
    r.is_pattern = f->is_pattern_b;
    if (!is_turned)
        use_palette(&r, f);
    return draw_matrix(&x->dice, &r);
}

static spgemm_operation draw_operation(dice *d)
{
    return one_in(d, 5) ? (spgemm_operation)(1 + dice_below(d, 2))
                        : SPGEMM_OP_NONE;
}

static void draw_operands(crossing *x, frame *f)
{
    dice *d = &x->dice;
    arguments *args = x->args;
    if (f->cols <= MOST_TURNED) {
        args->options.op_a = draw_operation(d);
        args->options.op_b = draw_operation(d);
    }
    if (one_in(d, 20) && f->cols <= MOST_TURNED) { /* A is B, too */
        f->inner = f->cols = f->rows;
        f->is_pattern_b = f->is_pattern_a;
        args->A = draw_a(x, f);
        x->A = x->B = &args->A;
        return;
    }
    args->A = draw_a(x, f);
    args->B = draw_b(x, f);
    x->A = &args->A;
    x->B = &args->B;
}

/* ---- What is computed ---------------------------------------------------- */

static void draw_rows(crossing *x, const frame *f)
{
    const int64_t count = 1 + dice_below(&x->dice, f->rows + 3);
    int64_t *rows = arena_take((size_t)count * sizeof *rows);
    for (int64_t t = 0; t < count; t++)
        rows[t] = dice_below(&x->dice, f->rows);
    x->args->options.rows = rows;
    x->args->options.nrows = count;
}

/* Increasing columns of op(B): of the palette where it is wide. */
static void draw_cols(crossing *x, const frame *f)
{
    static int64_t list[2048];
    int64_t count = 0;
    const int64_t most = f->is_wide ? 16 : f->cols < 2048 ? f->cols : 2048;
    for (int64_t t = 0; t < most; t++)
        if (f->is_wide)
            list[count++] = f->palette[dice_below(&x->dice, 48)];
        else if (one_in(&x->dice, 2))
            list[count++] = t;
    int64_t kept = 0;
    for (int64_t t = 0; t < count; t++) { /* into place, each once */
        int64_t at = kept;
        while (at > 0 && list[at - 1] >= list[t])
            at--;
        if (at < kept && list[at] == list[t])
            continue;
        const int64_t j = list[t];
        memmove(list + at + 1, list + at, (size_t)(kept - at) * sizeof *list);
        list[at] = j;
        kept++;
    }
    if (kept == 0)
        return;
    int64_t *cols = arena_take((size_t)kept * sizeof *cols);
    memcpy(cols, list, (size_t)kept * sizeof *cols);
    x->args->options.cols = cols;
    x->args->options.ncols = kept;
}

/* A matrix of C's shape. */
static recipe recipe_of_c(crossing *x, const frame *f)
{
    const spgemm_options *o = &x->args->options;
    recipe r = recipe_of(f, o->rows ? o->nrows : f->rows,
                         o->cols ? o->ncols : f->cols);
    r.length = 1 + dice_below(&x->dice, 1 + f->length_a * f->length_b % 500);
    r.is_jumbled = one_in(&x->dice, 2);
    if (!o->cols)
        use_palette(&r, f);
    return r;
}

/* Short rows of few columns, which B has too, and often twice. */
static void use_few_columns(crossing *x, recipe *r)
{
    static int64_t few[4];
    dice *d = &x->dice;
    const spgemm_csr *B = x->B;
    const spgemm_options *o = &x->args->options;
    const bool is_of_b = o->op_b == SPGEMM_OP_NONE && !o->cols && B->nnz > 0;
    for (int t = 0; t < 4; t++)
        few[t] = is_of_b ? column_of(B, dice_below(d, B->nnz))
                         : dice_below(d, r->ncols);
    r->palette = few;
    r->npalette = 4;
    r->length = 1 + dice_below(d, 3);
}

static void draw_mask(crossing *x, const frame *f)
{
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    recipe r = recipe_of_c(x, f);
    o->mask_mode = (unsigned)dice_below(d, 4);
    if (one_in(d, 2))
        r.value_type =
            (spgemm_value_type)dice_below(d, SPGEMM_VALUE_TYPE_COUNT);
    r.is_pattern = !(o->mask_mode & SPGEMM_MASK_VALUES) && one_in(d, 2);
    if (r.ncols > 0 && one_in(d, 3))
        use_few_columns(x, &r);
    if (x->A->nrows == r.nrows && x->A->ncols == r.ncols && one_in(d, 2)) {
        o->mask = x->A; /* as those who count triangles have it */
        if (!x->A->values)
            o->mask_mode &= ~(unsigned)SPGEMM_MASK_VALUES;
        return;
    }
    x->args->mask = draw_matrix(d, &r);
    o->mask = &x->args->mask;
}

static void draw_terms(crossing *x, const frame *f)
{
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    if (f->rows > 0 && one_in(d, 6))
        draw_rows(x, f);
    if (f->cols > 0 && one_in(d, 6))
        draw_cols(x, f);
    if (one_in(d, 4))
        draw_mask(x, f);
    if (one_in(d, 6))
        o->alpha = draw_one_value(d, f->value_type, f->values);
    if (one_in(d, 6)) {
        const recipe r = recipe_of_c(x, f);
        const bool is_a =
            x->A->nrows == r.nrows && x->A->ncols == r.ncols && one_in(d, 3);
        if (!is_a)
            x->args->D = draw_matrix(d, &r);
        o->D = is_a ? x->A : &x->args->D;
        if (one_in(d, 2))
            o->beta = draw_one_value(d, f->value_type, f->values);
    }
}

static void draw_drops(dice *d, spgemm_options *o)
{
    static const double tolerances[] = {0.5, 1, 2, 3, 1e-300, INFINITY, 100};
    o->drop_zeros = one_in(d, 3);
    if (one_in(d, 3))
        o->drop_tolerance = tolerances[dice_below(d, 7)];
    if (one_in(d, 3))
        o->keep_top = 1 + dice_below(d, 6);
}

/* ---- How it is computed -------------------------------------------------- */

static void draw_parameters(dice *d, spgemm_options *o)
{
    const spgemm_predictor_limits *limits = spgemm_predict_limits(o->predictor);
    if (limits->size.least > 0 && one_in(d, 2)) {
        o->predict_size = limits->size.least + dice_below(d, 40);
        if (limits->size_is_power_of_two)
            o->predict_size = limits->size.least << dice_below(d, 4);
    }
    if (limits->size.most <= 1 << 16 && one_in(d, 32))
        o->predict_size = limits->size.most;
    if (limits->probability.least > 0 && one_in(d, 2))
        o->predict_probability = one_in(d, 4) ? limits->probability.least : 0.5;
    if (limits->budget.least > 0 && one_in(d, 2))
        o->predict_budget = 1 + dice_below(d, 1000);
    if (limits->error.least > 0 && one_in(d, 2))
        o->predict_error = one_in(d, 4) ? limits->error.most : 0.01;
}

static void draw_prediction(crossing *x)
{
    static const double slacks[] = {1, 1.5, 100, 1e300, INFINITY, 1.000001};
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    if (one_in(d, 2))
        o->predictor = (spgemm_predictor)dice_below(d, SPGEMM_PREDICTOR_COUNT);
    draw_parameters(d, o);
    if (o->predictor == SPGEMM_PREDICTOR_CALLER || one_in(d, 8)) {
        o->row_nnz = lying_row_nnz;
        o->row_nnz_context = &x->mischief;
        x->mischief.lie = (int)dice_below(d, LIE_COUNT);
        x->mischief.seed = dice_bits(d);
    }
    if (one_in(d, 5))
        o->slack = slacks[dice_below(d, 6)];
    o->seed = dice_bits(d);
}

static void draw_resources(crossing *x)
{
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    o->nthreads = one_in(d, 16) ? (int)dice_below(d, 4) : 1;
    if (x->is_heavy && one_in(d, 2))
        o->nthreads = 2 + (int)dice_below(d, 2);
    o->row_order = one_in(d, 3) ? SPGEMM_ROWS_UNSORTED : SPGEMM_ROWS_SORTED;
    o->input_check = one_in(d, 6) ? SPGEMM_CHECK_NONE : SPGEMM_CHECK_FULL;
    x->has_hooks = one_in(d, 2);
    if (x->has_hooks) {
        x->args->hooks = hostile_heap_hooks(x->heap, one_in(d, 2));
        o->allocator = &x->args->hooks;
        if (one_in(d, 3)) {
            x->mischief.fail_at = dice_below(d, one_in(d, 3) ? 100 : 24);
            x->mischief.fails_forever = one_in(d, 2);
        }
    }
    if (one_in(d, 8))
        o->memory_limit_bytes =
            (size_t)dice_bits(d) >> (40 + dice_below(d, 22));
    if (one_in(d, 6)) {
        o->progress = watch_progress;
        o->progress_context = &x->mischief;
        if (one_in(d, 2))
            x->mischief.cancel_at = dice_below(d, 6);
    }
    x->has_context = one_in(d, 5);
    x->block_bytes = (size_t)dice_bits(d) >> (44 + dice_below(d, 20));
}

/* ---- All of it ----------------------------------------------------------- */

static entry_point draw_entry(dice *d)
{
    static const entry_point entries[] = {
        ENTRY_PREDICTED,   ENTRY_PREDICTED,   ENTRY_PREDICTED, ENTRY_PREDICTED,
        ENTRY_PREDICTED,   ENTRY_PRECISE,     ENTRY_PRECISE,   ENTRY_PRECISE,
        ENTRY_UPPER_BOUND, ENTRY_UPPER_BOUND, ENTRY_PLAN,      ENTRY_PLAN,
        ENTRY_PLAN,        ENTRY_PLAN,        ENTRY_STREAM,    ENTRY_STREAM,
        ENTRY_STREAM,      ENTRY_PREDICT,     ENTRY_PREDICT,   ENTRY_MATRIX};
    return entries[dice_below(d, sizeof entries / sizeof entries[0])];
}

void draw_crossing(crossing *x)
{
    frame f = {0};
    dice *d = &x->dice;
    x->args = arena_take(sizeof *x->args);
    x->mischief = (mischief){.fail_at = -1, .cancel_at = -1};
    x->entry = draw_entry(d);
    draw_types(x, &f);
    draw_shapes(d, &f);
    x->is_heavy = f.layout_a == LAYOUT_DENSE || f.length_a > 1000;
    draw_operands(x, &f);
    draw_terms(x, &f);
    if (one_in(d, x->entry == ENTRY_PLAN ? 24 : 5))
        draw_drops(d, &x->args->options);
    draw_prediction(x);
    draw_resources(x);
    x->has_report = !one_in(d, 4);
    x->wrong_output = one_in(d, 100) ? 1 + (int)dice_below(d, 3) : 0;
    if (x->entry > ENTRY_PLAN || x->A != &x->args->A || x->B != &x->args->B)
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

void draw_out(crossing *x, int64_t nrows, int64_t nnz, bool has_values)
{
    dice *d = &x->dice;
    const spgemm_csr *A = x->A;
    const size_t value_bytes =
        spgemm_value_bytes(A->value_type) ? bytes_of_type(A->value_type) : 1;
    const int64_t more = one_in(d, 2) ? 0 : dice_below(d, 1 + nnz);
    spgemm_out *out = &x->args->out;
    if (!x->has_options || !one_in(d, 5))
        return;
    out->capacity = one_in(d, 3) ? dice_below(d, 1 + nnz) : nnz + more;
    const size_t capacity = (size_t)out->capacity;
    out->rowptr = arena_take_output(((size_t)nrows + 1) * sizeof *out->rowptr);
    out->colidx =
        arena_take_output(capacity * (A->index_type == SPGEMM_I64 ? 8 : 4));
    if (has_values || one_in(d, 2))
        out->values = arena_take_output(capacity * value_bytes);
    x->args->options.out = out;
}
