/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers that 64-bit digits and a small power of ten do not cover. */
#include "io/mtx_number.h"

#include <math.h>
#include <stdlib.h>

#include "io/mtx_words.h"

const uint64_t spgemm_mtx_power_of_five[MTX_EXACT_POWER + 1] = {
    1ull,
    5ull,
    25ull,
    125ull,
    625ull,
    3125ull,
    15625ull,
    78125ull,
    390625ull,
    1953125ull,
    9765625ull,
    48828125ull,
    244140625ull,
    1220703125ull,
    6103515625ull,
    30517578125ull,
    152587890625ull,
    762939453125ull,
    3814697265625ull,
    19073486328125ull,
    95367431640625ull,
    476837158203125ull,
    2384185791015625ull,
    11920928955078125ull,
    59604644775390625ull,
    298023223876953125ull,
    1490116119384765625ull,
    7450580596923828125ull,
};

/* Values beyond the largest double are infinite, as strtod() has them. */
bool spgemm_mtx_parse_rare(const char **text, double *value, locale_t c_locale)
{
    const char *begin = *text;
    const bool is_negative = *begin == '-';
    begin += is_negative || *begin == '+';
    const mtx_word word = mtx_next_word(begin);
    if (mtx_word_is(word, "inf") || mtx_word_is(word, "infinity")) {
        *value = is_negative ? -(double)INFINITY : (double)INFINITY;
    } else if (mtx_word_is(word, "nan")) {
        *value = (double)NAN;
    } else if (mtx_is_digit(*begin) ||
               (*begin == '.' && mtx_is_digit(begin[1]))) {
        char *end;
        *value = strtod_l(*text, &end, c_locale);
        *text = end;
        return true;
    } else {
        return false;
    }
    *text = word.end;
    return true;
}
