/* SPDX-License-Identifier: BSD-3-Clause */
/* A double as the first of 15, 16 or 17 digits that reads back as itself, a
   float as the first of 6 to 9: the digits are a product or quotient of integers
   below 2^128, rounded once. */
#include "io/mtx_format.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mtx_number.h"

/* How many digits a type may need. */
typedef struct precision {
    int fewest;
    int most;
    uint64_t power; /* 10^most */
    bool is_single;
} precision;

static const precision of_double = {15, 17, 100000000000000000u, false};
static const precision of_float = {6, 9, 1000000000u, true};

/* From here on numbers are written with an exponent. */
enum { SCIENTIFIC_DIGITS = 17 };

/* value = significand * 2^exponent, 2^52 <= significand < 2^53. */
typedef struct binary {
    uint64_t significand;
    int exponent;
} binary;

/* Whether ten's powers for this decimal exponent are exact in the reader too. */
static bool is_in_reach(const precision *type, int exponent)
{
    return exponent >= type->most - MTX_EXACT_POWER &&
           exponent <= type->fewest + MTX_EXACT_POWER - 2;
}

char *spgemm_mtx_format_index(char *text, int64_t n)
{
    char digits[MTX_NUMBER_BYTES];
    char *first = digits + sizeof digits;
    uint64_t rest = (uint64_t)n;
    do {
        *--first = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    const size_t length = (size_t)(digits + sizeof digits - first);
    memcpy(text, first, length);
    return text + length;
}

char *spgemm_mtx_format_integer(char *text, int64_t n)
{
    if (n >= 0)
        return spgemm_mtx_format_index(text, n);
    *text++ = '-';
    return spgemm_mtx_format_index(text, (int64_t)(0 - (uint64_t)n));
}

/* value * 10^power to the nearest integer, ties to even; it is below 2^58. */
static uint64_t scale_to_integer(binary value, int power)
{
    const int shift = value.exponent + power;
    const uint64_t five = spgemm_mtx_power_of_five[power < 0 ? -power : power];
    mtx_wide dividend = value.significand;
    mtx_wide divisor = 1;
    if (power < 0)
        divisor = five;
    else
        dividend *= five;
    if (shift < 0)
        divisor <<= -shift;
    else
        dividend <<= shift;
    const mtx_wide whole =
        power < 0 ? dividend / divisor : dividend >> (shift < 0 ? -shift : 0);
    const mtx_wide rest = 2 * (dividend - whole * divisor);
    return (uint64_t)whole +
           (rest > divisor || (rest == divisor && (whole & 1)));
}

/* digits * 10^power as "12.5", "0.00125" or "1.25e+30". */
static ALWAYS_INLINE char *format_digits(char *text, uint64_t digits, int power)
{
    char plain[MTX_NUMBER_BYTES];
    for (; digits % 10 == 0; digits /= 10)
        power++;
    const int length =
        (int)(spgemm_mtx_format_index(plain, (int64_t)digits) - plain);
    const int exponent = power + length - 1;
    const bool is_scientific = exponent < -5 || exponent >= SCIENTIFIC_DIGITS;
    const int before = is_scientific ? 1 : exponent + 1;
    if (before <= 0) {
        memcpy(text, "0.00000", 7);
        text += 2 - before;
        memcpy(text, plain, (size_t)length);
        return text + length;
    }
    for (int c = 0; c < before || c < length; c++) {
        if (c == before)
            *text++ = '.';
        *text++ = c < length ? plain[c] : '0';
    }
    if (!is_scientific)
        return text;
    *text++ = 'e';
    *text++ = exponent < 0 ? '-' : '+';
    return spgemm_mtx_format_index(text, exponent < 0 ? -exponent : exponent);
}

/* Whether a decimal, rounded to a double, is `value` once more rounded to its
   type. Half-way between two floats nobody knows. */
static ALWAYS_INLINE bool is_same(const precision *type, double decimal,
                                  double value)
{
    uint64_t bits;
    if (!type->is_single)
        return decimal == value;
    memcpy(&bits, &decimal, sizeof bits);
    return (double)(float)decimal == value && (bits & 0x1fffffff) != 0x10000000;
}

/* Infinite, not a number, or out of reach of 128-bit arithmetic. */
static char *format_rare(char *text, double value, const precision *type,
                         locale_t c_locale)
{
    const locale_t caller = uselocale(c_locale);
    int length = 0;
    for (int digits = type->fewest; digits <= type->most; digits++) {
        length = snprintf(text, MTX_NUMBER_BYTES, "%.*g", digits, value);
        if (is_same(type, strtod(text, NULL), value))
            break;
    }
    uselocale(caller);
    return text + length;
}

static ALWAYS_INLINE char *format_number(char *text, double value,
                                         const precision *type,
                                         locale_t c_locale)
{
    const double size = fabs(value);
    if (!(size < 1e40))
        return format_rare(text, value, type, c_locale);
    if (signbit(value))
        *text++ = '-';
    if (size < 0x1p53 && size == (double)(int64_t)size)
        return spgemm_mtx_format_index(text, (int64_t)size);

    binary parts;
    const double fraction = frexp(size, &parts.exponent);
    parts.significand = (uint64_t)(fraction * 0x1p53);
    parts.exponent -= 53;
    /* floor(log10(size)), or one less. */
    int exponent = (int)floor((parts.exponent + 52) * 0.30102999566398120);
    if (!is_in_reach(type, exponent))
        return format_rare(text, size, type, c_locale);
    if (scale_to_integer(parts, type->most - 1 - exponent) >= type->power)
        exponent++;
    for (int digits = type->fewest;; digits++) {
        const int power = digits - 1 - exponent;
        const uint64_t scaled = scale_to_integer(parts, power);
        if (digits == type->most ||
            is_same(type, mtx_scale(scaled, -power), size))
            return format_digits(text, scaled, -power);
    }
}

char *spgemm_mtx_format_double(char *text, double value, locale_t c_locale)
{
    return format_number(text, value, &of_double, c_locale);
}

char *spgemm_mtx_format_float(char *text, float value, locale_t c_locale)
{
    return format_number(text, (double)value, &of_float, c_locale);
}
