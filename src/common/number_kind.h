/* SPDX-License-Identifier: BSD-3-Clause */
/* What an array of values is made of, as far as NaN go. */
#ifndef SPGEMM_COMMON_NUMBER_KIND_H
#define SPGEMM_COMMON_NUMBER_KIND_H

typedef enum number_kind {
    NUMBERS_WITHOUT_NAN = 0, /* integers, or what only the caller knows */
    NUMBERS_DOUBLE,
    NUMBERS_FLOAT
} number_kind;

#endif
