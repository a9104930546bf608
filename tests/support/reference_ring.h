/* SPDX-License-Identifier: BSD-3-Clause */
/* "+" and "*" of every semiring over every type, one value at a time, as
   semiring.h defines them. Shares no code with src/. */
#ifndef SPGEMM_TESTS_REFERENCE_RING_H
#define SPGEMM_TESTS_REFERENCE_RING_H

#include "scalars.h"

typedef struct ring {
    spgemm_semiring semiring;
    spgemm_value_type type;
    const spgemm_user_semiring *user; /* of SPGEMM_USER */
} ring;

/** Name for a message. */
const char *ring_text(spgemm_semiring semiring);

/** Whether the semiring is one of the type. */
bool ring_exists(spgemm_semiring semiring, spgemm_value_type type);

/** Whether "*" reads its first and its second argument. */
bool ring_reads_first(spgemm_semiring semiring);
bool ring_reads_second(spgemm_semiring semiring);

/** *sum = the identity of "+". */
void ring_zero(const ring *r, void *sum);

/** *term = a * b; what is not read may be NULL. `term` is neither. */
void ring_multiply(const ring *r, void *term, const void *a, const void *b);

/** *sum = *sum + term. */
void ring_add(const ring *r, void *sum, const void *term);

/** *sum = *sum + a * b; `term` is room for one value. */
void ring_add_product(const ring *r, void *sum, const void *a, const void *b,
                      void *term);

#endif
