/* SPDX-License-Identifier: BSD-3-Clause */
/* The operators that semirings are made of, x + y, x * y, min(x, y), ..., and
   where sums by them begin.

   An identity e changes nothing: op(x, e) is x, bit for bit, for every x that a
   sum can be. So lanes without a product may add it. (`any` has none, but is
   used with `pair` alone, whose terms are 1.) */
#ifndef SPGEMM_SEMIRING_OPERATORS_H
#define SPGEMM_SEMIRING_OPERATORS_H

#include <math.h>

#include "semiring/magnitude.h"
#include "semiring/order.h"

#if defined(VALUE_IS_REAL)
static ALWAYS_INLINE VAL op_plus(VAL x, VAL y)
{
    return x + y;
}
static ALWAYS_INLINE VAL op_times(VAL x, VAL y)
{
    return x * y;
}
#define IDENTITY_min ((VAL)INFINITY)
#define IDENTITY_max (-(VAL)INFINITY)
#define IS_NAN(x)    isnan(x)
#elif defined(VALUE_IS_COMPLEX)
static ALWAYS_INLINE VAL op_plus(VAL x, VAL y)
{
    return x + y;
}
/* The formula of the textbook: C's "*" makes infinities of some of its NaN, by
   a call. */
static ALWAYS_INLINE VAL op_times(VAL x, VAL y)
{
    return COMPLEX(REAL(x) * REAL(y) - IMAGINARY(x) * IMAGINARY(y),
                   REAL(x) * IMAGINARY(y) + IMAGINARY(x) * REAL(y));
}
#elif defined(VALUE_IS_INTEGER)
/* Without a sign, which wraps where signed numbers overflow. */
static ALWAYS_INLINE VAL op_plus(VAL x, VAL y)
{
    return (VAL)((UNSIGNED)x + (UNSIGNED)y);
}
static ALWAYS_INLINE VAL op_times(VAL x, VAL y)
{
    return (VAL)((UNSIGNED)x * (UNSIGNED)y);
}
#define IDENTITY_min MOST
#define IDENTITY_max LEAST
#define IS_NAN(x)    false
#elif defined(VALUE_IS_BOOL)
static ALWAYS_INLINE VAL op_plus(VAL x, VAL y)
{
    return (x | y) != 0;
}
static ALWAYS_INLINE VAL op_times(VAL x, VAL y)
{
    return x != 0 && y != 0;
}
static ALWAYS_INLINE VAL op_min(VAL x, VAL y)
{
    return x != 0 && y != 0;
}
static ALWAYS_INLINE VAL op_max(VAL x, VAL y)
{
    return (x | y) != 0;
}
#define IDENTITY_min ((VAL)1)
#define IDENTITY_max ((VAL)0)
#define IS_NAN(x)    false
#endif

#if defined(VALUE_IS_REAL) || defined(VALUE_IS_INTEGER)
/* A NaN is not below or above anything: as y, the new term of a sum, it is
   ignored. Sums begin at an identity, so that x is none. */
static ALWAYS_INLINE VAL op_min(VAL x, VAL y)
{
    return y < x ? y : x;
}
static ALWAYS_INLINE VAL op_max(VAL x, VAL y)
{
    return y > x ? y : x;
}
#endif

#if !defined(VALUE_IS_COMPLEX)
/* The same of two factors, either of which may be NaN: the other is taken. The lesser
   is found before NaN is asked for, else more branches depend on which it is: max_min
   of short rows takes 1.13 to 1.26 times as long. */
static ALWAYS_INLINE VAL op_fmin(VAL x, VAL y)
{
    const VAL least = op_min(x, y);
    return IS_NAN(x) ? y : least;
}
static ALWAYS_INLINE VAL op_fmax(VAL x, VAL y)
{
    const VAL most = op_max(x, y);
    return IS_NAN(x) ? y : most;
}
static ALWAYS_INLINE VAL op_or(VAL x, VAL y)
{
    return (VAL)(x != 0 || y != 0);
}
static ALWAYS_INLINE VAL op_and(VAL x, VAL y)
{
    return (VAL)(x != 0 && y != 0);
}
#endif

/* A value as it is stored: of truths, which may be any byte, 1. */
#if defined(VALUE_IS_BOOL)
#define STORED(x) ((VAL)((x) != 0))
#else
#define STORED(x) (x)
#endif
static ALWAYS_INLINE VAL op_first(VAL x, VAL y)
{
    (void)y;
    return STORED(x);
}
static ALWAYS_INLINE VAL op_second(VAL x, VAL y)
{
    (void)x;
    return STORED(y);
}
static ALWAYS_INLINE VAL op_pair(VAL x, VAL y)
{
    (void)x;
    (void)y;
    return (VAL)1;
}
static ALWAYS_INLINE VAL op_any(VAL x, VAL y)
{
    (void)x;
    return STORED(y);
}

/* |x|, to drop small entries by: see semiring/magnitude.h. */
static ALWAYS_INLINE uint64_t op_magnitude(VAL x)
{
#if defined(VALUE_IS_COMPLEX)
    return magnitude_complex(REAL(x), IMAGINARY(x));
#elif defined(VALUE_IS_INTEGER) || defined(VALUE_IS_BOOL)
    return magnitude_integer(x);
#else
    return magnitude_real(x);
#endif
}
/* x, to keep the largest by: see semiring/order.h. Complex values have no order,
   and nobody asks for it. */
static ALWAYS_INLINE uint64_t op_order_key(VAL x)
{
#if defined(VALUE_IS_COMPLEX)
    (void)x;
    return 0;
#elif defined(VALUE_IS_INTEGER) || defined(VALUE_IS_BOOL)
    return order_integer(x);
#else
    return order_real(x);
#endif
}
static ALWAYS_INLINE bool op_is_within(VAL x, double tolerance)
{
#if defined(VALUE_IS_COMPLEX)
    return complex_is_within(REAL(x), IMAGINARY(x), tolerance);
#elif defined(VALUE_IS_INTEGER) || defined(VALUE_IS_BOOL)
    return integer_is_within(x, tolerance);
#else
    return real_is_within(x, tolerance);
#endif
}

#define IDENTITY_plus ((VAL)0)
#define IDENTITY_or   ((VAL)0)
#define IDENTITY_any  ((VAL)0)

/* What a window's sums are while nothing was added to them. A sum of real
   numbers begun at -0 still changes no term; +0 is added where it leaves. Then
   the sums themselves tell what was touched. */
#if defined(VALUE_IS_REAL)
#define UNTOUCHED_plus ((VAL)-0.0)
#else
#define UNTOUCHED_plus IDENTITY_plus
#endif
#define UNTOUCHED_min IDENTITY_min
#define UNTOUCHED_max IDENTITY_max
#define UNTOUCHED_or  IDENTITY_or
#define UNTOUCHED_any IDENTITY_any

/* A sum that is complete as the first term of another: a NaN is ignored there,
   too. */
#define AS_TERM_plus(x) (x)
#define AS_TERM_min(x)  op_min(IDENTITY_min, x)
#define AS_TERM_max(x)  op_max(IDENTITY_max, x)
#define AS_TERM_or(x)   (x)
#define AS_TERM_any(x)  (x)

#define IS_PLUS_plus true
#define IS_PLUS_min  false
#define IS_PLUS_max  false
#define IS_PLUS_or   false
#define IS_PLUS_any  false

#endif
