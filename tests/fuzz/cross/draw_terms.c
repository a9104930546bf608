/* SPDX-License-Identifier: BSD-3-Clause */
/* A, B, and what else C is made of. */
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "draw_frame.h"

/* ---- Operands ------------------------------------------------------------ */

static recipe recipe_of(const frame *f, int64_t nrows, int64_t ncols)
{
    return (recipe){.nrows = nrows,
                    .ncols = ncols,
                    .most = f->most_entries,
                    .is_jumbled = f->is_jumbled,
                    .index_type = f->index_type,
                    .value_type = f->value_type,
                    .values = f->values};
}

/* Of a large matrix that is stored turned: as many entries as it would have. */
static int64_t turned_length(const crossing *x, int64_t length, int64_t nrows,
                             int64_t ncols)
{
    if (!x->is_large)
        return length;
    const int64_t turned = length * nrows / ncols;
    return turned > 0 ? turned : 1;
}

static spgemm_csr draw_a(crossing *x, const frame *f)
{
    const bool is_turned = x->args->options.product.op_a != SPGEMM_OP_NONE;
    recipe r = recipe_of(f, is_turned ? f->inner : f->rows,
                         is_turned ? f->rows : f->inner);
    r.layout = f->layout_a;
    r.length = is_turned ? turned_length(x, f->length_a, f->rows, f->inner)
                         : f->length_a;
    r.is_pattern = f->is_pattern_a;
    return draw_matrix(&x->dice, &r);
}

static void use_palette(recipe *r, const frame *f)
{
    if (f->is_wide) {
        r->palette = f->palette;
        r->npalette = f->npalette;
    }
}

static spgemm_csr draw_b(crossing *x, const frame *f)
{
    const bool is_turned = x->args->options.product.op_b != SPGEMM_OP_NONE;
    recipe r = recipe_of(f, is_turned ? f->cols : f->inner,
                         is_turned ? f->inner : f->cols);
    r.layout = f->layout_b;
    r.length = is_turned ? turned_length(x, f->length_b, f->inner, f->cols)
                         : f->length_b;
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

/* A of R A B, a square one mostly. */
static void draw_middle(crossing *x, frame *f, int64_t nrows)
{
    const bool is_square = !x->R || !one_in(&x->dice, 4);
    const int64_t ncols = is_square ? nrows : dice_below(&x->dice, 41);
    recipe r = recipe_of(f, nrows, ncols);
    r.layout = f->layout_a;
    r.length = f->length_a < 12 ? f->length_a : 12;
    r.is_pattern = f->is_pattern_a;
    x->args->A = draw_matrix(&x->dice, &r);
    f->inner = ncols;
}

/* R A B: any three, or B in the place of R, or of A, or both. */
static void draw_three(crossing *x, frame *f)
{
    dice *d = &x->dice;
    arguments *args = x->args;
    spgemm_product_options *o = &args->options.product;
    /* C has as many rows, too. */
    const bool may_turn = f->cols <= 200;
    x->A = &args->A;
    x->B = &args->B;
    x->R = &args->R;
    if (may_turn && one_in(d, 4)) { /* R is B transposed */
        x->R = NULL;
        f->rows = f->cols;
        f->is_pattern_a = f->is_pattern_b;
        if (!one_in(d, 16))
            o->op_b = SPGEMM_OP_NONE;
    } else if (may_turn && one_in(d, 12)) {
        f->rows = f->inner = f->cols;
        f->is_pattern_b = f->is_pattern_a;
        x->R = one_in(d, 2) ? &args->A : &args->R;
        x->B = one_in(d, 2) ? x->R : &args->A;
        args->R = draw_a(x, f);
        o->op_a = SPGEMM_OP_NONE;
        f->layout_a = f->layout_b;
        args->A = draw_a(x, f);
        return;
    } else {
        args->R = draw_a(x, f);
    }
    draw_middle(x, f, f->inner);
    args->B = draw_b(x, f);
}

void draw_operands(crossing *x, frame *f)
{
    dice *d = &x->dice;
    arguments *args = x->args;
    if (f->cols <= f->most_turned) {
        args->options.product.op_a = draw_operation(d);
        args->options.product.op_b = draw_operation(d);
    }
    if (x->entry == ENTRY_RAP) {
        draw_three(x, f);
        return;
    }
    if (!x->is_large && one_in(d, 20) && f->cols <= f->most_turned)
        f->is_square = true;
    if (f->is_square) {
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
    x->args->options.product.rows = rows;
    x->args->options.product.nrows = count;
}

/* Increasing columns of op(B): of the palette where it is wide. */
static void draw_cols(crossing *x, const frame *f)
{
    static int64_t list[MOST_LARGE_TURNED];
    int64_t count = 0;
    const int64_t most = f->is_wide                 ? 16
                         : f->cols < f->most_turned ? f->cols
                                                    : f->most_turned;
    for (int64_t t = 0; t < most; t++)
        if (f->is_wide)
            list[count++] = f->palette[dice_below(&x->dice, f->npalette)];
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
    x->args->options.product.cols = cols;
    x->args->options.product.ncols = kept;
}

/* A matrix of C's shape. */
static recipe recipe_of_c(crossing *x, const frame *f)
{
    const spgemm_options *o = &x->args->options;
    recipe r = recipe_of(f, o->product.rows ? o->product.nrows : f->rows,
                         o->product.cols ? o->product.ncols : f->cols);
    r.length = 1 + dice_below(&x->dice, 1 + f->length_a * f->length_b % 500);
    r.is_jumbled = one_in(&x->dice, 2);
    if (!o->product.cols)
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
    const bool is_of_b =
        o->product.op_b == SPGEMM_OP_NONE && !o->product.cols && B->nnz > 0;
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
    o->filter.mask_mode = (unsigned)dice_below(d, 4);
    if (one_in(d, 2))
        r.value_type =
            (spgemm_value_type)dice_below(d, SPGEMM_VALUE_TYPE_COUNT);
    r.is_pattern = !(o->filter.mask_mode & SPGEMM_MASK_VALUES) && one_in(d, 2);
    if (r.ncols > 0 && one_in(d, 3))
        use_few_columns(x, &r);
    if (x->A->nrows == r.nrows && x->A->ncols == r.ncols && one_in(d, 2)) {
        o->filter.mask = x->A; /* as those who count triangles have it */
        if (!x->A->values)
            o->filter.mask_mode &= ~(unsigned)SPGEMM_MASK_VALUES;
        return;
    }
    x->args->mask = draw_matrix(d, &r);
    o->filter.mask = &x->args->mask;
}

void draw_terms(crossing *x, const frame *f)
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
        o->product.alpha = draw_one_value(d, f->value_type, f->values);
    if (one_in(d, 6)) {
        const recipe r = recipe_of_c(x, f);
        const bool is_a =
            x->A->nrows == r.nrows && x->A->ncols == r.ncols && one_in(d, 3);
        if (!is_a)
            x->args->D = draw_matrix(d, &r);
        o->product.D = is_a ? x->A : &x->args->D;
        if (one_in(d, 2))
            o->product.beta = draw_one_value(d, f->value_type, f->values);
    }
}
