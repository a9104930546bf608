/* SPDX-License-Identifier: BSD-3-Clause */
/* What all matrices of a call have in common. */
#ifndef SPGEMM_TESTS_CROSS_DRAW_FRAME_H
#define SPGEMM_TESTS_CROSS_DRAW_FRAME_H

#include "draw.h"

/* Columns of what may be transposed. */
enum { MOST_TURNED = 2048, MOST_LARGE_TURNED = 1 << 20, MOST_PALETTE = 4096 };

typedef struct frame {
    spgemm_index_type index_type;
    spgemm_value_type value_type;
    value_kind values;
    int64_t rows; /* of op(A) */
    int64_t inner;
    int64_t cols; /* of op(B) */
    bool is_wide;
    bool is_square; /* A is B, too */
    bool is_jumbled;
    bool is_crowded; /* entries are dropped, mostly */
    layout layout_a;
    layout layout_b;
    int64_t length_a;
    int64_t length_b;
    bool is_pattern_a;
    bool is_pattern_b;
    int64_t palette[MOST_PALETTE];
    int64_t npalette;
    int64_t most_entries;
    int64_t most_turned;
} frame;

/** Types, semiring and shapes. */
void draw_frame(crossing *x, frame *f);

/** Shapes and layouts of a large crossing. */
void draw_large_shapes(crossing *x, frame *f);

/** As many columns as the type of columns allows a call. */
static inline int64_t most_columns(const frame *f)
{
    return f->index_type == SPGEMM_I32 ? INT32_MAX : (int64_t)1 << 60;
}

/** Columns of a palette in [0, f->cols), the first and the last among them. */
void draw_palette(dice *d, frame *f, int64_t count);

/** A and B, and what is done to them. */
void draw_operands(crossing *x, frame *f);

/** Rows, columns, mask, alpha, beta and D. */
void draw_terms(crossing *x, const frame *f);

#endif
