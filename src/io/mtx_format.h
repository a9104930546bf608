/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers to text that reads back as the same number. */
#ifndef SPGEMM_IO_MTX_FORMAT_H
#define SPGEMM_IO_MTX_FORMAT_H

#include <locale.h>
#include <stdint.h>

/** Room that one number takes at most. */
enum { MTX_NUMBER_BYTES = 32 };

/** The digits of n >= 0; returns where they end. No '\0' is written. */
char *spgemm_mtx_format_index(char *text, int64_t n);

/** The digits of any integer, after its sign. */
char *spgemm_mtx_format_integer(char *text, int64_t n);

/** The digits of a double, 17 at most; returns where they end. */
char *spgemm_mtx_format_double(char *text, double value, locale_t c_locale);

/** The digits of a float, 9 at most, that read back as the same float, by way
    of a double too. */
char *spgemm_mtx_format_float(char *text, float value, locale_t c_locale);

#endif
