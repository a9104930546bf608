/* SPDX-License-Identifier: BSD-3-Clause */
/* A double as the first of 15, 16 or 17 digits that reads back as itself: the
   digits are a product or quotient of integers below 2^128, rounded once. */
#include "io/mtx_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mtx_number.h"

enum { FEWEST_DIGITS = 15, MOST_DIGITS = 17 };

/* Decimal exponents for which ten's powers are exact in the reader too. */
enum {
    LEAST_EXPONENT = MOST_DIGITS - MTX_EXACT_POWER,
    GREATEST_EXPONENT = FEWEST_DIGITS + MTX_EXACT_POWER - 2
};

/* value = significand * 2^exponent, 2^52 <= significand < 2^53. */
typedef struct binary {
    uint64_t significand;
    int exponent;
} binary;

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
static char *format_digits(char *text, uint64_t digits, int power)
{
    char plain[MTX_NUMBER_BYTES];
    for (; digits % 10 == 0; digits /= 10)
        power++;
    const int length =
        (int)(spgemm_mtx_format_index(plain, (int64_t)digits) - plain);
    const int exponent = power + length - 1;
    const bool is_scientific = exponent < -5 || exponent >= MOST_DIGITS;
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

/* Infinite, not a number, or out of reach of 128-bit arithmetic. */
static char *format_rare(char *text, double value, locale_t c_locale)
{
    const locale_t caller = uselocale(c_locale);
    int length = 0;
    for (int digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
        length = snprintf(text, MTX_NUMBER_BYTES, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    uselocale(caller);
    return text + length;
}

char *spgemm_mtx_format_double(char *text, double value, locale_t c_locale)
{
    const double size = fabs(value);
    if (!(size < 1e40))
        return format_rare(text, value, c_locale);
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
    if (exponent < LEAST_EXPONENT || exponent > GREATEST_EXPONENT)
        return format_rare(text, size, c_locale);
    if (scale_to_integer(parts, MOST_DIGITS - 1 - exponent) >=
        100000000000000000u)
        exponent++;
    for (int digits = FEWEST_DIGITS;; digits++) {
        const int power = digits - 1 - exponent;
        const uint64_t scaled = scale_to_integer(parts, power);
        if (digits == MOST_DIGITS || mtx_scale(scaled, -power) == size)
            return format_digits(text, scaled, -power);
    }
}
