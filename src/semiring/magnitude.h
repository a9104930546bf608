/* SPDX-License-Identifier: BSD-3-Clause */
/* |x| as a key whose order is that of magnitudes, and whether it is at most t.

   Integers are compared as integers. sqrt(a^2 + b^2) of a complex number is
   taken of its parts over a power of two where these, squared, would overflow
   or vanish: exact, so that equal magnitudes stay equal. NaN is above all. */
#ifndef SPGEMM_SEMIRING_MAGNITUDE_H
#define SPGEMM_SEMIRING_MAGNITUDE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/compiler.h"

#define MAGNITUDE_NAN      UINT64_MAX
#define MAGNITUDE_INFINITE (UINT64_MAX - 1)

/* ---- Integers: the size itself -------------------------------------------- */

static ALWAYS_INLINE uint64_t magnitude_integer(int64_t x)
{
    return x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
}

static ALWAYS_INLINE bool integer_is_within(int64_t x, double tolerance)
{
    return tolerance >= 0x1p64 || magnitude_integer(x) <= (uint64_t)tolerance;
}

/* ---- Real numbers: their bits without the sign ---------------------------- */

static ALWAYS_INLINE uint64_t magnitude_real(double x)
{
    const double size = fabs(x);
    uint64_t bits;
    if (isnan(size))
        return MAGNITUDE_NAN;
    memcpy(&bits, &size, sizeof bits);
    return bits;
}

static ALWAYS_INLINE bool real_is_within(double x, double tolerance)
{
    return fabs(x) <= tolerance;
}

/* ---- Complex numbers ------------------------------------------------------ */

/* Exponents are moved by this where squares leave their range, which they do
   not from 2^-SAFE to 2^SAFE. */
#define SHIFT 600
#define SAFE  0x1p500

/* Keys of exponents from -SHIFT on, as numbers without a sign. */
#define EXPONENT(e) ((uint64_t)(e) << 52)
#define KEY_BASE    EXPONENT(1024)

/* The magnitude times 2^-shift. */
typedef struct shifted_magnitude {
    double size;
    int shift; /* 0, SHIFT or -SHIFT */
} shifted_magnitude;

static ALWAYS_INLINE shifted_magnitude magnitude_of(double a, double b)
{
    const double most = fmax(fabs(a), fabs(b));
    const int shift = most > SAFE                       ? SHIFT
                      : most < 1.0 / SAFE && most > 0.0 ? -SHIFT
                                                        : 0;
    const double scale = shift == 0 ? 1.0 : shift > 0 ? 0x1p-600 : 0x1p600;
    const double x = a * scale;
    const double y = b * scale;
    return (shifted_magnitude){sqrt(x * x + y * y), shift};
}

static ALWAYS_INLINE uint64_t magnitude_complex(double a, double b)
{
    if (isnan(a) || isnan(b))
        return MAGNITUDE_NAN;
    if (isinf(a) || isinf(b))
        return MAGNITUDE_INFINITE;
    const shifted_magnitude m = magnitude_of(a, b);
    const uint64_t bits = magnitude_real(m.size);
    return bits == 0     ? 0
           : m.shift < 0 ? KEY_BASE + bits - EXPONENT(SHIFT)
           : m.shift > 0 ? KEY_BASE + bits + EXPONENT(SHIFT)
                         : KEY_BASE + bits;
}

static ALWAYS_INLINE bool complex_is_within(double a, double b,
                                            double tolerance)
{
    const shifted_magnitude m = magnitude_of(a, b);
    const double scale = m.shift == 0 ? 1.0 : m.shift > 0 ? 0x1p-600 : 0x1p600;
    if (isnan(a) || isnan(b))
        return false;
    return m.size <= tolerance * scale;
}

#undef SHIFT
#undef SAFE
#undef EXPONENT
#undef KEY_BASE
#endif
