/* SPDX-License-Identifier: BSD-3-Clause */
/* What "+" and "*" are: C(i,j) is the sum, over k, of A(i,k) * B(k,j). */
#ifndef SPGEMM_SEMIRING_H
#define SPGEMM_SEMIRING_H

#include "spgemm/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The first word adds, the second multiplies. `pair` is 1, `first` the value of
 * A, `second` that of B; `any` is one of its terms. Values that a semiring does
 * not read may be missing.
 *
 * A sum begins at the identity of its addition: 0, for min the largest value
 * (infinity), for max the smallest. min and max ignore NaN: a minimum of nothing
 * but NaN is infinity, and so is one with an entry of D that is. As "*" they
 * take the other operand; of two NaN they are NaN. `or` and `and` are of "is not
 * zero", and 0 or 1. Complex values have no min, max, or, and.
 */
typedef enum spgemm_semiring {
    SPGEMM_PLUS_TIMES = 0,
    /** Counts products; of SPGEMM_BOOL, whether there is one. */
    SPGEMM_PLUS_PAIR = 1,
    SPGEMM_PLUS_FIRST = 2,
    SPGEMM_PLUS_SECOND = 3,
    SPGEMM_PLUS_MIN = 4,
    /** Shortest paths. */
    SPGEMM_MIN_PLUS = 5,
    /** Longest, critical paths. */
    SPGEMM_MAX_PLUS = 6,
    /** Bottleneck paths. */
    SPGEMM_MIN_MAX = 7,
    /** Widest paths. */
    SPGEMM_MAX_MIN = 8,
    /** Reachability. */
    SPGEMM_OR_AND = 9,
    SPGEMM_ANY_PAIR = 10,
    /** spgemm_product_options.user. */
    SPGEMM_USER = 11
} spgemm_semiring;

enum { SPGEMM_SEMIRING_COUNT = 12 };

/** Name of a semiring ("plus_times", ...); NULL if there is none. */
SPGEMM_API const char *spgemm_semiring_name(spgemm_semiring semiring);

/**
 * A semiring of yours, over values of any type, SPGEMM_ELEMENTS() included.
 * Called from several threads at once. Elements are aligned as they lie in the
 * arrays of A and B.
 */
typedef struct spgemm_user_semiring {
    void *context;
    /** One element: where sums begin. */
    const void *zero;

    /** *term = a * b */
    void (*multiply)(void *context, void *term, const void *a, const void *b);

    /** *sum = *sum + term */
    void (*add)(void *context, void *sum, const void *term);
} spgemm_user_semiring;

#ifdef __cplusplus
}
#endif
#endif
