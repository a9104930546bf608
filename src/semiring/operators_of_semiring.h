/* SPDX-License-Identifier: BSD-3-Clause */
/* "+" and "*" of a semiring, by its enumerator: a constant in kernels of one
   semiring, and in a case of WITH_SEMIRING, so that nothing is left of the
   switches. */
#ifndef SPGEMM_SEMIRING_OPERATORS_OF_SEMIRING_H
#define SPGEMM_SEMIRING_OPERATORS_OF_SEMIRING_H

#include "semiring/operators.h"
#include "semiring/semirings.h"
#include "spgemm/semiring.h"

/* What follows, if the type of values has the semiring. */
#define HAS_OWN(...) __VA_ARGS__
#define HAS_ALL(...) __VA_ARGS__
#if defined(VALUE_IS_COMPLEX)
#define HAS_ORDERED(...)
#else
#define HAS_ORDERED(...) __VA_ARGS__
#endif
#if defined(VALUE_IS_BOOL)
#define HAS_NUMBERS(...)
#else
#define HAS_NUMBERS(...) HAS_ORDERED(__VA_ARGS__)
#endif

/* WITH_SEMIRING(which, sr, statement): the statement, in which sr is a constant,
   for the semiring `which`. */
#if defined(SEMIRING)
#define WITH_SEMIRING(which, sr, ...)                                          \
    do {                                                                       \
        const spgemm_semiring sr = SEMIRING;                                   \
        (void)(which);                                                         \
        __VA_ARGS__;                                                           \
    } while (0)
#else
#define SHARES_OWN(...)
#define SHARES_ALL(...)     HAS_ALL(__VA_ARGS__)
#define SHARES_ORDERED(...) HAS_ORDERED(__VA_ARGS__)
#define SHARES_NUMBERS(...) HAS_NUMBERS(__VA_ARGS__)
#define WITH_SEMIRING(which, sr, ...)                                          \
    do {                                                                       \
        switch (which) {                                                       \
            SEMIRINGS(CASE_OF_SEMIRING, sr, __VA_ARGS__)                       \
        default:                                                               \
            SPGEMM_ASSERT(false);                                              \
        }                                                                      \
    } while (0)
#define CASE_OF_SEMIRING(semiring, name, add, mul, types, sr, ...)             \
    SHARES_##types(case semiring                                               \
                   : {                                                         \
                       const spgemm_semiring sr = semiring;                    \
                       __VA_ARGS__;                                            \
                   } break;)
#endif

/* For a function of the semiring: its cases, of one word of its line. */
#define BY_ADD(semiring, name, add, mul, types, prefix)                        \
    HAS_##types(case semiring : return prefix##add;)
#define BY_MUL(semiring, name, add, mul, types, prefix)                        \
    HAS_##types(case semiring : return prefix##mul;)

/* Values that are not read need not be there. */
static ALWAYS_INLINE bool reads_a(spgemm_semiring sr)
{
    switch (sr) {
        SEMIRINGS(BY_MUL, HAS_VALUES && READS_A_)
    default:
        return false;
    }
}

static ALWAYS_INLINE bool reads_b(spgemm_semiring sr)
{
    switch (sr) {
        SEMIRINGS(BY_MUL, HAS_VALUES && READS_B_)
    default:
        return false;
    }
}

/* Where a sum begins. */
static ALWAYS_INLINE VAL zero_of(spgemm_semiring sr)
{
    switch (sr) {
        SEMIRINGS(BY_ADD, IDENTITY_)
    default:
        return (VAL)0;
    }
}

/* What a window holds while nothing was added. */
static ALWAYS_INLINE VAL untouched_of(spgemm_semiring sr)
{
    switch (sr) {
        SEMIRINGS(BY_ADD, UNTOUCHED_)
    default:
        return (VAL)0;
    }
}

static ALWAYS_INLINE bool adds_by_plus(spgemm_semiring sr)
{
    switch (sr) {
        SEMIRINGS(BY_ADD, IS_PLUS_)
    default:
        return false;
    }
}

static ALWAYS_INLINE VAL semiring_add(spgemm_semiring sr, VAL x, VAL y)
{
    switch (sr) {
#define ADD(semiring, name, add, mul, types, ...)                              \
    HAS_##types(case semiring : return op_##add(x, y);)
        SEMIRINGS(ADD, )
#undef ADD
    default:
        return x;
    }
}

static ALWAYS_INLINE VAL semiring_multiply(spgemm_semiring sr, VAL x, VAL y)
{
    switch (sr) {
#define MULTIPLY(semiring, name, add, mul, types, ...)                         \
    HAS_##types(case semiring : return op_##mul(x, y);)
        SEMIRINGS(MULTIPLY, )
#undef MULTIPLY
    default:
        return x;
    }
}

/* A sum that is complete as the first term of another. */
static ALWAYS_INLINE VAL as_term(spgemm_semiring sr, VAL x)
{
    switch (sr) {
#define AS_TERM(semiring, name, add, mul, types, ...)                          \
    HAS_##types(case semiring : return AS_TERM_##add(x);)
        SEMIRINGS(AS_TERM, )
#undef AS_TERM
    default:
        return x;
    }
}

static ALWAYS_INLINE VAL value_a(spgemm_semiring sr, const VAL *Ax, int64_t p)
{
    return reads_a(sr) ? Ax[p] : (VAL)0;
}

/* The product of a with entry q of B. */
static ALWAYS_INLINE VAL product(spgemm_semiring sr, VAL a, const VAL *Bx,
                                 int64_t q)
{
    return semiring_multiply(sr, a, reads_b(sr) ? Bx[q] : (VAL)0);
}

#if defined(LANES)
static ALWAYS_INLINE lanes semiring_add_lanes(spgemm_semiring sr, lanes x,
                                              lanes y)
{
    switch (sr) {
#define ADD(semiring, name, add, mul, types, ...)                              \
    HAS_##types(case semiring : return lanes_##add(x, y);)
        SEMIRINGS(ADD, )
#undef ADD
    default:
        return x;
    }
}

static ALWAYS_INLINE lanes semiring_multiply_lanes(spgemm_semiring sr, factor x,
                                                   lanes y)
{
    switch (sr) {
#define MULTIPLY(semiring, name, add, mul, types, ...)                         \
    HAS_##types(case semiring : return lanes_##mul(x, y);)
        SEMIRINGS(MULTIPLY, )
#undef MULTIPLY
    default:
        return y;
    }
}

/* The products of a with `taken` lanes of b; elsewhere what changes no sum. */
static ALWAYS_INLINE lanes product_lanes(spgemm_semiring sr, factor a, lanes b,
                                         unsigned taken)
{
    return lanes_keep(taken, semiring_multiply_lanes(sr, a, b),
                      lanes_set(zero_of(sr)));
}
#endif

#endif
