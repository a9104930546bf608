/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes that reach every accumulator, of every type and semiring. */
#include "draw_frame.h"

#include "callbacks.h"
#include "reference_ring.h"

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
        o->product.semiring = SPGEMM_USER;
        if (one_in(d, 2))
            f->value_type = draw_elements(d);
        x->args->user = draw_user_semiring(d, f->value_type);
        o->product.user = &x->args->user;
    } else if (one_in(d, 2)) {
        if (one_in(d, 16)) /* which is not asked */
            o->product.user = &x->args->user;
        o->product.semiring = (spgemm_semiring)dice_below(d, SPGEMM_USER);
        if (!ring_exists(o->product.semiring, f->value_type) && !one_in(d, 8))
            o->product.semiring = SPGEMM_PLUS_TIMES;
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

void draw_palette(dice *d, frame *f, int64_t count)
{
    f->is_wide = true;
    f->npalette = count;
    for (int64_t t = 0; t < count; t++)
        f->palette[t] = t < 2 ? (f->cols - 1) * t : dice_below(d, f->cols);
}

/* Columns far apart: rows of C are hashed. */
static void widen(dice *d, frame *f)
{
    f->cols = most_columns(f) >> dice_below(d, 12);
    draw_palette(d, f, 48);
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

/* Rows of many products in few columns, whose largest are found slice by
   slice. */
static void crowd(dice *d, frame *f)
{
    f->is_crowded = true;
    f->layout_b = LAYOUT_SPREAD;
    f->rows = 1 + dice_below(d, 6);
    f->inner = 20 + dice_below(d, 20);
    f->cols = 300 + dice_below(d, one_in(d, 2) ? 1000 : 12000);
    f->length_a = 40;
    f->length_b = 80 + dice_below(d, 60);
}

/* More than few products. */
static void fill_the_other(dice *d, frame *f)
{
    f->inner = 300;
    f->rows = f->cols = 130;
    if (f->layout_b != LAYOUT_SINGLE) {
        f->layout_b = LAYOUT_DENSE;
        f->rows = one_in(d, 4) ? 400 : f->inner;
    } else if (f->layout_a != LAYOUT_SINGLE) {
        f->layout_a = LAYOUT_DENSE;
        f->cols = one_in(d, 4) ? 400 : f->inner;
    }
}

/* Rows of one entry at most, of A or of B or of both: products that do not meet, or
   whose columns are all that has to be sorted. */
static void thin(dice *d, frame *f)
{
    const int64_t which = dice_below(d, 3);
    f->inner = 64 + dice_below(d, 100);
    f->rows = 64 + dice_below(d, 100);
    f->cols = f->inner - 10 + dice_below(d, 100);
    f->is_jumbled = one_in(d, 6);
    f->length_a = one_in(d, 4) ? 50 : 4;
    if (which != 0)
        f->layout_a = LAYOUT_SINGLE;
    if (which != 1)
        f->layout_b = LAYOUT_SINGLE;
    if (one_in(d, 4))
        fill_the_other(d, f);
    else if (one_in(d, 2)) /* diagonals, among others */
        f->rows = f->cols = f->inner;
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
    case 11:
        crowd(d, f);
        break;
    case 12:
    case 13:
        thin(d, f);
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

void draw_frame(crossing *x, frame *f)
{
    draw_types(x, f);
    const bool is_long = x->is_large && f->value_type < SPGEMM_ELEMENTS_BASE;
    f->most_entries = is_long ? MOST_LARGE_ENTRIES : MOST_ENTRIES;
    f->most_turned = x->is_large ? MOST_LARGE_TURNED : MOST_TURNED;
    if (x->is_large)
        draw_large_shapes(x, f);
    else
        draw_shapes(&x->dice, f);
}
