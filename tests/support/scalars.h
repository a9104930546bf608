/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices whose values are of any type: one value read, written, drawn and
   compared. Shares no code with src/. */
#ifndef SPGEMM_TESTS_SCALARS_H
#define SPGEMM_TESTS_SCALARS_H

#include "generate.h"

/** A value of a type of the table: re and im where it is floating or complex,
    n where it is an integer or a truth value. What is not used is 0. */
typedef struct scalar {
    double re;
    double im;
    int64_t n;
} scalar;

bool is_complex(spgemm_value_type type);
bool is_floating(spgemm_value_type type); /* real or complex */

/** Bytes of a value, those of SPGEMM_ELEMENTS() included. */
size_t bytes_of_type(spgemm_value_type type);

/** Name for a message, of any type. */
const char *type_text(spgemm_value_type type);

/** Value p of an array of a type of the table. A truth value is 0 or 1,
    whatever byte it is. */
static inline scalar read_scalar(spgemm_value_type type, const void *values,
                                 int64_t p)
{
    const double *const fp64 = values;
    const float *const fp32 = values;
    switch (type) {
    case SPGEMM_FP64:
        return (scalar){.re = fp64[p]};
    case SPGEMM_FP32:
        return (scalar){.re = (double)fp32[p]};
    case SPGEMM_CFP64:
        return (scalar){.re = fp64[2 * p], .im = fp64[2 * p + 1]};
    case SPGEMM_CFP32:
        return (scalar){.re = (double)fp32[2 * p],
                        .im = (double)fp32[2 * p + 1]};
    case SPGEMM_INT64:
        return (scalar){.n = ((const int64_t *)values)[p]};
    case SPGEMM_INT32:
        return (scalar){.n = ((const int32_t *)values)[p]};
    default:
        return (scalar){.n = ((const uint8_t *)values)[p] != 0};
    }
}

static inline void write_scalar(spgemm_value_type type, void *values, int64_t p,
                                scalar x)
{
    double *const fp64 = values;
    float *const fp32 = values;
    switch (type) {
    case SPGEMM_FP64:
        fp64[p] = x.re;
        break;
    case SPGEMM_FP32:
        fp32[p] = (float)x.re;
        break;
    case SPGEMM_CFP64:
        fp64[2 * p] = x.re;
        fp64[2 * p + 1] = x.im;
        break;
    case SPGEMM_CFP32:
        fp32[2 * p] = (float)x.re;
        fp32[2 * p + 1] = (float)x.im;
        break;
    case SPGEMM_INT64:
        ((int64_t *)values)[p] = x.n;
        break;
    case SPGEMM_INT32:
        ((int32_t *)values)[p] = (int32_t)x.n;
        break;
    default:
        ((uint8_t *)values)[p] = x.n != 0;
    }
}

/** The integer n as a value: exact where it is small. */
scalar scalar_of(spgemm_value_type type, int64_t n);

/** Whether a value is zero; elements are where all their bytes are. */
bool is_zero_value(spgemm_value_type type, const void *x);

/** Whether two values are the same, bit for bit, all NaN being one. */
bool same_value_of(spgemm_value_type type, const void *x, const void *y);

/** An array of `count` values, drawn; free() it. Integers are small where they
    are VALUES_INTEGER, which every type holds exactly; any at all, zeros among
    them, where they are VALUES_ARBITRARY; the least, the greatest and those
    around 2^53 where they are VALUES_SPECIAL. Truth values are 0 and 1, any byte, and
    any but 0: all are true. */
void *draw_values(dice *d, spgemm_value_type type, value_kind kind,
                  int64_t count);

/** Give A values of another type in place of its own, drawn. */
void set_type(maker *m, spgemm_csr *A, spgemm_value_type type);

/** Take A's values away: a pattern. */
void drop_values(spgemm_csr *A);

/** The same matrix in arrays of its own; free with free_csr(). */
spgemm_csr copy_typed(const spgemm_csr *A);

/** Sort each row by column, stably. */
void sort_typed(spgemm_csr *A);

/** As matrices_agree(), for values of any type or none. */
bool typed_agree(const spgemm_csr *got, const spgemm_csr *want, char *text,
                 size_t size);

#endif
