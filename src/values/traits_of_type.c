/* SPDX-License-Identifier: BSD-3-Clause */
/* Zero, "+" and the conjugate of a type. Compiled once for each: CMake says which
   by VALUE_H, and TYPE, its name. */
#include VALUE_H

#include "common/compiler.h"
#include "semiring/operators.h"
#include "values/traits.h"

#if defined(VALUE_IS_REAL)
#define FIELD FIELD_REAL
#elif defined(VALUE_IS_COMPLEX)
#define FIELD FIELD_COMPLEX
#elif defined(VALUE_IS_INTEGER)
#define FIELD FIELD_INTEGER
#else
#define FIELD FIELD_TRUTH
#endif

#if !defined(VALUE_IS_REAL) && !defined(VALUE_IS_COMPLEX)
#define NUMBERS NUMBERS_WITHOUT_NAN
#elif defined(VALUE_IS_COMPLEX)
#define NUMBERS                                                                \
    (sizeof(VAL) == 2 * sizeof(double) ? NUMBERS_DOUBLE : NUMBERS_FLOAT)
#else
#define NUMBERS (sizeof(VAL) == sizeof(double) ? NUMBERS_DOUBLE : NUMBERS_FLOAT)
#endif

static const VAL one = 1;

static bool is_zero(const void *values, int64_t p)
{
    return ((const VAL *)values)[p] == 0;
}

static void add(void *values, int64_t q, int64_t p)
{
    VAL *x = values;
    x[q] = op_plus(x[q], x[p]);
}

static void conjugate(void *values, int64_t begin, int64_t end)
{
#if defined(VALUE_IS_COMPLEX)
    VAL *x = values;
    for (int64_t p = begin; p < end; p++)
        x[p] = COMPLEX(REAL(x[p]), -IMAGINARY(x[p]));
#else
    (void)values;
    (void)begin;
    (void)end;
#endif
}

const value_traits TYPE = {
    .name = VALUE_NAME,
    .bytes = sizeof(VAL),
    .field = FIELD,
    .numbers = NUMBERS,
    .one = &one,
    .is_zero = is_zero,
    .add = add,
    .conjugate = conjugate,
};
