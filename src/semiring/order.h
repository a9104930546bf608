/* SPDX-License-Identifier: BSD-3-Clause */
/* x as a key whose order is that of values: -1 is less than 0, -0 is 0, and NaN
   is above all, as it is of magnitudes. */
#ifndef SPGEMM_SEMIRING_ORDER_H
#define SPGEMM_SEMIRING_ORDER_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "common/compiler.h"

#define ORDER_SIGN (UINT64_C(1) << 63)
#define ORDER_NAN  UINT64_MAX

/* Two's complement, the negative half below the other. */
static ALWAYS_INLINE uint64_t order_integer(int64_t x)
{
    return (uint64_t)x ^ ORDER_SIGN;
}

/* The bits of a number grow with its size: those of negative ones are turned
   about, and lie below all others. */
static ALWAYS_INLINE uint64_t order_real(double x)
{
    const double value = x == 0 ? 0.0 : x;
    uint64_t bits;
    if (isnan(x))
        return ORDER_NAN;
    memcpy(&bits, &value, sizeof bits);
    return bits & ORDER_SIGN ? ~bits : bits | ORDER_SIGN;
}

#undef ORDER_SIGN
#undef ORDER_NAN
#endif
