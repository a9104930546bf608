/* SPDX-License-Identifier: BSD-3-Clause */
/* The semirings that are built; the only place to look, or to add one.

   X(semiring, its name, "+", "*", the types): the operators are those of
   operators.h. OWN: all types, and kernels of its own, where the semiring is a
   constant; ALL: all types; ORDERED: all but complex numbers; NUMBERS: neither these
   nor truths, of which it is one of the others, spgemm_semiring_of_truths(). What
   follows X is handed on to it. */
#ifndef SPGEMM_SEMIRING_SEMIRINGS_H
#define SPGEMM_SEMIRING_SEMIRINGS_H

#define SEMIRINGS(X, ...)                                                      \
    X(SPGEMM_PLUS_TIMES, plus_times, plus, times, OWN, __VA_ARGS__)            \
    X(SPGEMM_PLUS_PAIR, plus_pair, plus, pair, ALL, __VA_ARGS__)               \
    X(SPGEMM_PLUS_FIRST, plus_first, plus, first, ALL, __VA_ARGS__)            \
    X(SPGEMM_PLUS_SECOND, plus_second, plus, second, ALL, __VA_ARGS__)         \
    X(SPGEMM_PLUS_MIN, plus_min, plus, fmin, NUMBERS, __VA_ARGS__)             \
    X(SPGEMM_MIN_PLUS, min_plus, min, plus, ORDERED, __VA_ARGS__)              \
    X(SPGEMM_MAX_PLUS, max_plus, max, plus, ORDERED, __VA_ARGS__)              \
    X(SPGEMM_MIN_MAX, min_max, min, fmax, NUMBERS, __VA_ARGS__)                \
    X(SPGEMM_MAX_MIN, max_min, max, fmin, NUMBERS, __VA_ARGS__)                \
    X(SPGEMM_OR_AND, or_and, or, and, NUMBERS, __VA_ARGS__)                    \
    X(SPGEMM_ANY_PAIR, any_pair, any, pair, ALL, __VA_ARGS__)

/* Which multiplications read the values of A and of B. */
#define READS_A_times  true
#define READS_A_plus   true
#define READS_A_fmin   true
#define READS_A_fmax   true
#define READS_A_and    true
#define READS_A_first  true
#define READS_A_second false
#define READS_A_pair   false
#define READS_B_times  true
#define READS_B_plus   true
#define READS_B_fmin   true
#define READS_B_fmax   true
#define READS_B_and    true
#define READS_B_first  false
#define READS_B_second true
#define READS_B_pair   false

#endif
