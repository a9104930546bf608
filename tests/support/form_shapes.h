/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of matrices on which, between them, every accumulator is met; masks,
   and values to drop, for what they make. */
#ifndef SPGEMM_TESTS_FORM_SHAPES_H
#define SPGEMM_TESTS_FORM_SHAPES_H

#include "scalars.h"

/** A pair of patterns, and what takes most rows of A*B where values are double,
    columns are of 32 bits, and nothing else is asked. */
typedef struct form_shape {
    const char *name;
    void (*make)(maker *m, spgemm_csr *A, spgemm_csr *B);
    int accumulator;   /* or ANY_ACCUMULATOR */
    bool needs_avx512; /* and another takes them elsewhere */
    bool is_giant;     /* one product takes milliseconds */
} form_shape;

enum { ANY_ACCUMULATOR = -1 };

extern const form_shape form_shapes[];
extern const int form_shape_count;

/** The pair, with values of a type; free both with free_csr(). */
void make_form_shape(const form_shape *shape, maker *m, spgemm_value_type type,
                     spgemm_csr *A, spgemm_csr *B);

/** Which entries a mask has. */
typedef enum mask_kind {
    MASK_SOME,    /* about half of C's, some others */
    MASK_FEW,     /* one of eight of C's */
    MASK_EQUAL,   /* C's */
    MASK_NOTHING, /* none */
    MASK_OUTSIDE, /* a few, none of C's */
    MASK_LONG,    /* C's and some more in every row than C has at all */
    MASK_JUMBLED, /* those of MASK_SOME, repeated and in no order */
    MASK_KINDS
} mask_kind;

const char *mask_text(mask_kind kind);

/** A mask for C, with drawn values of a type; free with free_csr(). */
spgemm_csr make_mask(maker *m, const spgemm_csr *C, mask_kind kind,
                     spgemm_value_type type);

/** A matrix that is added to C: some entries of C and some others, a few
    repeated where it is jumbled; free with free_csr(). */
spgemm_csr make_addend(maker *m, const spgemm_csr *C, bool is_jumbled,
                       spgemm_value_type type);

#endif
