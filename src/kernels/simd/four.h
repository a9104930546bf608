/* SPDX-License-Identifier: BSD-3-Clause */
/* Four values side by side, on any machine: vectors of the compiler, which makes
   none by itself of what is written value by value; where values or operators are
   no vector's, an array. */
#ifndef SPGEMM_KERNELS_SIMD_FOUR_H
#define SPGEMM_KERNELS_SIMD_FOUR_H

#include "semiring/operators_of_semiring.h"

#if defined(PLUS_TIMES) && defined(VALUE_IS_REAL)
#define FOUR_ELEMENT VAL
#elif defined(PLUS_TIMES) && defined(VALUE_IS_INTEGER)
#define FOUR_ELEMENT UNSIGNED
#else
#define FOUR_ELEMENT VAL
#define FOUR_ARRAY
#endif

/* Values to a part: no vector is wider than the machine's. */
#if defined(FOUR_ARRAY)
#define FOUR_PART 1
#elif defined(__AVX__) || defined(VALUE_IS_f32) || defined(VALUE_IS_i32)
#define FOUR_PART 4
#else
#define FOUR_PART 2
#endif

#if defined(FOUR_ARRAY)
typedef VAL four_part[1];
#else
typedef FOUR_ELEMENT four_part
    __attribute__((vector_size(FOUR_PART * sizeof(VAL))));
#endif

typedef struct four {
    four_part part[4 / FOUR_PART];
} four;

static ALWAYS_INLINE four four_of(VAL x, VAL y, VAL z, VAL w)
{
    const FOUR_ELEMENT each[4] = {(FOUR_ELEMENT)x, (FOUR_ELEMENT)y,
                                  (FOUR_ELEMENT)z, (FOUR_ELEMENT)w};
#if FOUR_PART == 4
    return (four){{{each[0], each[1], each[2], each[3]}}};
#elif FOUR_PART == 2
    return (four){{{each[0], each[1]}, {each[2], each[3]}}};
#else
    return (four){{{each[0]}, {each[1]}, {each[2]}, {each[3]}}};
#endif
}

static ALWAYS_INLINE VAL four_get(const four *x, int u)
{
    return (VAL)x->part[u / FOUR_PART][u % FOUR_PART];
}

static ALWAYS_INLINE four four_load(const VAL *from)
{
    four x;
    memcpy(&x, from, sizeof x);
    return x;
}

static ALWAYS_INLINE void four_store(VAL *to, four x)
{
    memcpy(to, &x, sizeof x);
}

#if FOUR_PART == 4 && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define FOUR_TRANSPOSES
/* x[q] becomes value q of each. */
static ALWAYS_INLINE void four_transpose(four x[4])
{
    four_part pair[4]; /* even and odd ones of the first two, of the last two */
    for (int h = 0; h < 2; h++) {
        const four_part y = x[2 * h].part[0];
        const four_part z = x[2 * h + 1].part[0];
        pair[2 * h] = __builtin_shufflevector(y, z, 0, 4, 2, 6);
        pair[2 * h + 1] = __builtin_shufflevector(y, z, 1, 5, 3, 7);
    }
    for (int h = 0; h < 2; h++) {
        x[h].part[0] =
            __builtin_shufflevector(pair[h], pair[h + 2], 0, 1, 4, 5);
        x[h + 2].part[0] =
            __builtin_shufflevector(pair[h], pair[h + 2], 2, 3, 6, 7);
    }
}
#endif
#endif

static ALWAYS_INLINE four four_product(spgemm_semiring sr, four a, four b)
{
    for (int t = 0; t < 4 / FOUR_PART; t++) {
#if defined(FOUR_ARRAY)
        *a.part[t] = semiring_multiply(sr, *a.part[t], *b.part[t]);
#else
        (void)sr;
        a.part[t] *= b.part[t];
#endif
    }
    return a;
}

/* sum + a * b. */
static ALWAYS_INLINE four four_add(spgemm_semiring sr, four sum, four a, four b)
{
    for (int t = 0; t < 4 / FOUR_PART; t++) {
#if defined(FOUR_ARRAY)
        *sum.part[t] = semiring_add(
            sr, *sum.part[t], semiring_multiply(sr, *a.part[t], *b.part[t]));
#else
        (void)sr;
        sum.part[t] += a.part[t] * b.part[t];
#endif
    }
    return sum;
}

#endif
