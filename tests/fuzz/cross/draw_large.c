/* SPDX-License-Identifier: BSD-3-Clause */
/* Shapes of as many products as one call of a user has: what small matrices never
   reach are rows of all lengths beside one another, blocks of rows that several
   threads take in turn, pieces of giant rows, and samples that are not all rows. */
#include "draw_frame.h"

static int64_t power_below(dice *d, int64_t n)
{
    return (int64_t)1 << dice_below(d, n);
}

static int64_t between(int64_t least, int64_t x, int64_t most)
{
    return x < least ? least : x < most ? x : most;
}

static layout draw_layout(dice *d)
{
    static const layout layouts[] = {
        LAYOUT_RANDOM, LAYOUT_RANDOM, LAYOUT_RUNS,  LAYOUT_SHIFTED,
        LAYOUT_LONG,   LAYOUT_SPREAD, LAYOUT_BAND,  LAYOUT_BAND,
        LAYOUT_MIXED,  LAYOUT_MIXED,  LAYOUT_SINGLE};
    return layouts[dice_below(d, sizeof layouts / sizeof layouts[0])];
}

/* How many products C takes, about: few where each is much work. */
static int64_t draw_products(crossing *x, const frame *f)
{
    const bool is_slow =
        f->value_type >= SPGEMM_ELEMENTS_BASE || x->entry == ENTRY_RAP;
    return (int64_t)1 << (12 + dice_below(&x->dice, is_slow ? 4 : 10));
}

static void draw_lengths(crossing *x, frame *f)
{
    dice *d = &x->dice;
    const bool is_rap = x->entry == ENTRY_RAP;
    f->length_a = power_below(d, is_rap ? 4 : 8);
    f->length_b = power_below(d, is_rap ? 4 : 10);
    f->length_a += dice_below(d, f->length_a);
    f->length_b += dice_below(d, f->length_b);
    if (f->is_square)
        f->length_b = f->length_a;
}

/* Columns of C, of which few are met where there are many. */
static int64_t draw_columns(dice *d, const frame *f)
{
    if (one_in(d, 12))
        return most_columns(f);
    return between(1, (f->inner << dice_below(d, 8)) >> dice_below(d, 6),
                   (int64_t)1 << 22);
}

void draw_large_shapes(crossing *x, frame *f)
{
    dice *d = &x->dice;
    const int64_t products = draw_products(x, f);
    const bool is_rap = x->entry == ENTRY_RAP;
    f->is_square = !is_rap && one_in(d, 4);
    draw_lengths(x, f);
    f->rows = between(1, products / (f->length_a * f->length_b), 1 << 17);
    f->inner = between(1, (f->rows << dice_below(d, 8)) >> dice_below(d, 8),
                       is_rap ? 1 << 12 : 1 << 19);
    f->cols = draw_columns(d, f);
    if (f->is_square)
        f->inner = f->cols = f->rows;
    f->is_jumbled = one_in(d, 5);
    f->layout_a = draw_layout(d);
    f->layout_b = one_in(d, 3) ? f->layout_a : draw_layout(d);
    if (f->layout_a == LAYOUT_SINGLE && !one_in(d, 4))
        f->rows = f->inner;
    if (f->layout_b == LAYOUT_SINGLE && !one_in(d, 4))
        f->cols = f->inner;
    if (f->cols >= INT32_MAX)
        draw_palette(d, f, 48 + dice_below(d, MOST_PALETTE - 47));
}
