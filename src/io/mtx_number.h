/* SPDX-License-Identifier: BSD-3-Clause */
/* Decimal text to integers and to the nearest double (ties to even), in exact
   integer arithmetic: no locale and no floating-point mode matters. */
#ifndef SPGEMM_IO_MTX_NUMBER_H
#define SPGEMM_IO_MTX_NUMBER_H

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "common/compiler.h"

__extension__ typedef unsigned __int128 mtx_wide;

/* 5^27 < 2^63 < 5^28: so far 10^k times a 64-bit integer is exact. */
enum { MTX_EXACT_POWER = 27 };

extern const uint64_t spgemm_mtx_power_of_five[MTX_EXACT_POWER + 1];

static ALWAYS_INLINE bool mtx_is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* The digits at *text, which moves past them; more than INT64_MAX saturates
   at UINT64_MAX. No digit: *text stays. */
static ALWAYS_INLINE uint64_t mtx_parse_digits(const char **text)
{
    const char *p = *text;
    uint64_t number = 0;
    for (; mtx_is_digit(*p); p++) {
        if (UNLIKELY(number > INT64_MAX / 10)) {
            number = UINT64_MAX;
            continue;
        }
        number = 10 * number + (uint64_t)(*p - '0');
    }
    *text = p;
    return number > INT64_MAX ? UINT64_MAX : number;
}

/* significand * 2^exponent to the nearest double, for 2^63 <= significand and
   a result in the normal range. */
static inline double mtx_round(mtx_wide significand, int exponent)
{
    const uint64_t high = (uint64_t)(significand >> 64);
    const int bits = high ? 128 - __builtin_clzll(high) : 64;
    const int drop = bits - 53;
    const mtx_wide half = (mtx_wide)1 << (drop - 1);
    const mtx_wide rest = significand & (2 * half - 1);
    uint64_t kept = (uint64_t)(significand >> drop);
    kept += rest > half || (rest == half && (kept & 1));
    /* A carry out of the 53 bits moves into the exponent as it should. */
    const uint64_t encoded =
        ((uint64_t)(exponent + drop + 52 + 1023) << 52) + (kept - (1ull << 52));
    double value;
    memcpy(&value, &encoded, sizeof value);
    return value;
}

/* number * 10^power to the nearest double, |power| <= MTX_EXACT_POWER. */
static inline double mtx_scale(uint64_t number, int power)
{
    if (number == 0)
        return 0;
    const int shift = __builtin_clzll(number);
    number <<= shift;
    if (power >= 0)
        return mtx_round((mtx_wide)number * spgemm_mtx_power_of_five[power],
                         power - shift);
    uint64_t divisor = spgemm_mtx_power_of_five[-power];
    const int divisor_shift = __builtin_clzll(divisor);
    divisor <<= divisor_shift;
    const mtx_wide dividend = (mtx_wide)number << 63;
    const uint64_t quotient = (uint64_t)(dividend / divisor);
    const bool is_inexact = (mtx_wide)quotient * divisor != dividend;
    return mtx_round(((mtx_wide)quotient << 1) | is_inexact,
                     power - shift + divisor_shift - 64);
}

/** A number that needs more than 64-bit digits, or a word ("inf", "nan");
    false if it is neither. Moves *text past it. */
bool spgemm_mtx_parse_rare(const char **text, double *value, locale_t c_locale);

/* Whether the number [begin, end) has no point and no exponent. */
static inline bool mtx_is_integer(const char *begin, const char *end)
{
    begin += *begin == '-' || *begin == '+';
    while (begin < end && mtx_is_digit(*begin))
        begin++;
    return begin == end;
}

/* The integer at *text, which moves past it; false if there is none, or one that
   does not fit. */
static inline bool mtx_parse_integer(const char **text, int64_t *integer)
{
    const char *p = *text;
    const bool is_negative = *p == '-';
    p += is_negative || *p == '+';
    const char *const begin = p;
    uint64_t size = 0;
    for (; mtx_is_digit(*p); p++)
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, (uint64_t)(*p - '0'), &size))
            return false;
    if (p == begin || size > (uint64_t)INT64_MAX + is_negative)
        return false;
    *integer = (int64_t)(is_negative ? 0 - size : size);
    *text = p;
    return true;
}

/* Eight digits at once. D. Lemire, Number parsing at a gigabyte per second,
   Software: Practice and Experience 51(8), 2021, doi:10.1002/spe.2984. */
static ALWAYS_INLINE bool mtx_is_eight_digits(uint64_t eight)
{
    const uint64_t high = 0xf0f0f0f0f0f0f0f0u;
    return ((eight & high) | (((eight + 0x0606060606060606u) & high) >> 4)) ==
           0x3333333333333333u;
}

static ALWAYS_INLINE uint64_t mtx_eight_digits(uint64_t eight)
{
    eight -= 0x3030303030303030u;
    eight = 10 * eight + (eight >> 8);
    eight = (eight & 0x000000ff000000ffu) * 0x000f424000000064u +
            ((eight >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u;
    return eight >> 32;
}

/* The digits at *text after those in *number, modulo 2^64. Reads up to seven
   bytes beyond them. */
static ALWAYS_INLINE void mtx_append_digits(const char **text, uint64_t *number)
{
    const char *p = *text;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t eight;
    while (memcpy(&eight, p, sizeof eight), mtx_is_eight_digits(eight)) {
        *number = 100000000 * *number + mtx_eight_digits(eight);
        p += sizeof eight;
    }
#endif
    for (; mtx_is_digit(*p); p++)
        *number = 10 * *number + (uint64_t)(*p - '0');
    *text = p;
}

/* Digits after the 'e' of an exponent, which stop growing where no digits of a
   line can make up for them. */
static inline bool mtx_parse_exponent(const char **text, int64_t *exponent)
{
    const char *p = *text;
    const bool is_negative = *p == '-';
    p += is_negative || *p == '+';
    *text = p;
    const uint64_t size = mtx_parse_digits(text);
    const int64_t most = (int64_t)1 << 48;
    const int64_t bounded = size < (uint64_t)most ? (int64_t)size : most;
    *exponent += is_negative ? -bounded : bounded;
    return *text > p;
}

/* Digits of [begin, end) from the first that is not 0, a point after it
   counted too: at least as many as matter. */
static inline int64_t mtx_significant_digits(const char *begin, const char *end)
{
    while (begin < end && (*begin == '0' || *begin == '.'))
        begin++;
    return end - begin;
}

/* The number at *text, which moves past it; false if there is none. May read
   seven bytes beyond the end of its line. */
static ALWAYS_INLINE bool mtx_parse_double(const char **text, double *value,
                                           locale_t c_locale)
{
    const char *p = *text;
    const bool is_negative = *p == '-';
    p += is_negative || *p == '+';
    const char *const begin = p;
    uint64_t number = 0;
    int64_t power = 0;
    mtx_append_digits(&p, &number);
    int64_t digits = p - begin;
    if (*p == '.') {
        const char *const fraction = ++p;
        mtx_append_digits(&p, &number);
        digits += p - fraction;
        power = fraction - p;
    }
    if (UNLIKELY(digits == 0))
        return spgemm_mtx_parse_rare(text, value, c_locale);
    const char *const end = p;
    if ((*p | 0x20) == 'e') {
        p++;
        if (!mtx_parse_exponent(&p, &power))
            return false;
    }
    if (UNLIKELY(power > MTX_EXACT_POWER || power < -MTX_EXACT_POWER ||
                 (digits > 19 && mtx_significant_digits(begin, end) > 19)))
        return spgemm_mtx_parse_rare(text, value, c_locale);
    *text = p;
    const double size = mtx_scale(number, (int)power);
    *value = is_negative ? -size : size;
    return true;
}

#endif
