/* SPDX-License-Identifier: BSD-3-Clause */
/* One argument made wrong. Arrays stay as long as their matrix says: all else
   may be anything. What is left may happen to be right. */
#include <math.h>

#include "build_csr.h"
#include "draw.h"

static const int64_t rare[] = {
    -1, INT64_MIN,        INT64_MAX, INT32_MIN, (int64_t)INT32_MAX,    1,
    0,  (int64_t)1 << 32, -5,        1000,      (int64_t)INT32_MAX + 1};

static int64_t draw_rare(dice *d)
{
    return rare[dice_below(d, sizeof rare / sizeof rare[0])];
}

static void damage_rowptr(dice *d, spgemm_csr *X)
{
    int64_t *at = &X->rowptr[dice_below(d, X->nrows + 1)];
    *at = one_in(d, 2) ? draw_rare(d) : *at + dice_below(d, 7) - 3;
}

static void damage_column(dice *d, spgemm_csr *X)
{
    if (X->nnz == 0)
        return;
    const int64_t p = dice_below(d, X->nnz);
    const int64_t j = one_in(d, 2) ? X->ncols : draw_rare(d);
    set_column_of(X, p, X->index_type == SPGEMM_I32 ? (int32_t)j : j);
}

static void damage_matrix(crossing *x, spgemm_csr *X)
{
    dice *d = &x->dice;
    /* The transpose of a matrix this wide would fill the machine. */
    const bool is_turned = x->args->options.product.op_a != SPGEMM_OP_NONE ||
                           x->args->options.product.op_b != SPGEMM_OP_NONE ||
                           (x->entry == ENTRY_RAP && !x->R);
    if (!X->rowptr)
        return;
    x->args->options.resources.input_check = SPGEMM_CHECK_FULL;
    switch (dice_below(d, 16)) {
    case 0:
    case 1:
    case 2:
        damage_rowptr(d, X);
        break;
    case 3:
    case 4:
    case 5:
        damage_column(d, X);
        break;
    case 6:
        X->flags = (uint32_t)dice_below(d, 32);
        break;
    case 7:
        X->nrows -= 1;
        break;
    case 8:
        X->ncols = one_in(d, 2) && !is_turned ? draw_rare(d) : X->ncols + 1;
        break;
    case 9:
        X->nnz = X->nnz > 0 && one_in(d, 2) ? X->nnz - 1 : -1;
        break;
    case 10:
        X->rowptr = NULL;
        break;
    case 11:
        X->colidx = NULL;
        break;
    case 12:
        X->values = NULL;
        break;
    case 13: /* never a wider type than its array has room for */
        X->index_type = X->index_type == SPGEMM_I64 && one_in(d, 2)
                            ? SPGEMM_I32
                            : (spgemm_index_type)2;
        break;
    case 14:
        X->value_type = (spgemm_value_type)(one_in(d, 2) ? 7 : 0x11001);
        break;
    default:
        /* A semiring of the fuzzer's writes all bytes of its own type. */
        if (x->args->options.product.semiring != SPGEMM_USER)
            X->value_type = SPGEMM_BOOL;
    }
}

static double draw_rare_number(dice *d)
{
    static const double numbers[] = {-1,        NAN,  INFINITY, 0.5,
                                     -INFINITY, 1e-9, 2};
    return numbers[dice_below(d, 7)];
}

static void damage_list(dice *d, const int64_t *list, int64_t *count)
{
    if (!list || one_in(d, 4))
        *count = list ? -dice_below(d, 2) : 1;
    else
        ((int64_t *)(uintptr_t)list)[dice_below(d, *count)] = draw_rare(d);
}

static void damage_hooks(crossing *x)
{
    if (!x->args->options.resources.allocator)
        return;
    if (one_in(&x->dice, 2))
        x->args->hooks.release = NULL;
    else
        x->args->hooks.allocate = NULL;
}

static void damage_numbers(dice *d, spgemm_options *o)
{
    switch (dice_below(d, 9)) {
    case 0:
        o->predict.method = (spgemm_predictor)draw_rare(d);
        break;
    case 1:
        o->product.semiring = (spgemm_semiring)draw_rare(d);
        break;
    case 2:
        o->product.row_order = (spgemm_row_order)draw_rare(d);
        break;
    case 3:
        o->resources.input_check = (spgemm_input_check)2;
        break;
    case 4:
        o->product.op_a = (spgemm_operation)draw_rare(d);
        break;
    case 5:
        o->product.op_b = (spgemm_operation)draw_rare(d);
        break;
    case 6:
        o->filter.mask_mode = (unsigned)dice_below(d, 8);
        break;
    case 7:
        o->filter.top_by = (spgemm_top_order)(one_in(d, 2) ? draw_rare(d) : 2);
        break;
    default:
        (dice_below(d, 2) ? o->filter.reserved
                          : o->resources.reserved)[dice_below(d, 2)] = 1;
    }
}

static void damage_options(crossing *x)
{
    dice *d = &x->dice;
    spgemm_options *o = &x->args->options;
    switch (dice_below(d, 14)) {
    case 0:
        o->predict.slack = draw_rare_number(d);
        break;
    case 1:
        o->resources.nthreads = -1;
        break;
    case 2:
        o->predict.size = draw_rare(d);
        break;
    case 3:
        o->predict.probability = draw_rare_number(d);
        break;
    case 4:
        o->predict.budget = draw_rare(d);
        break;
    case 5:
        o->predict.error = draw_rare_number(d);
        break;
    case 6:
        o->filter.drop_tolerance = draw_rare_number(d);
        break;
    case 7:
        o->filter.keep_top = draw_rare(d);
        break;
    case 8:
        damage_list(d, o->product.rows, &o->product.nrows);
        break;
    case 9:
        damage_list(d, o->product.cols, &o->product.ncols);
        break;
    case 10:
        damage_hooks(x);
        break;
    case 11:
        o->predict.row_nnz = NULL;
        break;
    case 12:
        o->product.beta = x->args->user.zero;
        break;
    default:
        damage_numbers(d, o);
    }
}

static void damage_user(crossing *x)
{
    spgemm_user_semiring *user = &x->args->user;
    switch (dice_below(&x->dice, 4)) {
    case 0:
        user->zero = NULL;
        break;
    case 1:
        user->multiply = NULL;
        break;
    case 2:
        user->add = NULL;
        break;
    default:
        x->args->options.product.user = NULL;
    }
}

void draw_damage(crossing *x)
{
    dice *d = &x->dice;
    switch (dice_below(d, 10)) {
    case 0:
    case 1:
        damage_matrix(x, &x->args->A);
        break;
    case 2:
    case 3:
        if (x->B == &x->args->B)
            damage_matrix(x, &x->args->B);
        break;
    case 4:
        damage_matrix(x, x->R == &x->args->R ? &x->args->R : &x->args->mask);
        break;
    case 5:
        damage_matrix(x, &x->args->D);
        break;
    case 6:
        damage_user(x);
        break;
    case 7:
        if (one_in(d, 4)) {
            *(one_in(d, 2) ? &x->A : &x->B) = NULL;
            break;
        } /* fall through */
    default:
        damage_options(x);
    }
}
