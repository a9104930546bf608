/* SPDX-License-Identifier: BSD-3-Clause */
/* What values and column indices are called, and how many bytes they take. */
#include <complex.h>

#include "matrix/csr.h"

#define MOST_ELEMENT_BYTES 4096

typedef struct type_row {
    const char *name;
    size_t bytes;
} type_row;

static const type_row value_types[SPGEMM_VALUE_TYPE_COUNT] = {
    [SPGEMM_FP64] = {"double", sizeof(double)},
    [SPGEMM_FP32] = {"float", sizeof(float)},
    [SPGEMM_CFP64] = {"complex double", sizeof(double complex)},
    [SPGEMM_CFP32] = {"complex float", sizeof(float complex)},
    [SPGEMM_INT64] = {"int64", sizeof(int64_t)},
    [SPGEMM_INT32] = {"int32", sizeof(int32_t)},
    [SPGEMM_BOOL] = {"bool", sizeof(uint8_t)},
};

const char *spgemm_value_type_name(spgemm_value_type type)
{
    return (unsigned)type < SPGEMM_VALUE_TYPE_COUNT ? value_types[type].name
                                                    : NULL;
}

const char *spgemm_index_type_name(spgemm_index_type type)
{
    static const char *const names[] = {"int32", "int64"};
    return (unsigned)type <= SPGEMM_I64 ? names[type] : NULL;
}

size_t spgemm_value_bytes(spgemm_value_type type)
{
    if ((unsigned)type < SPGEMM_VALUE_TYPE_COUNT)
        return value_types[type].bytes;
    const unsigned bytes = (unsigned)type - (unsigned)SPGEMM_ELEMENTS(0);
    return bytes <= MOST_ELEMENT_BYTES ? bytes : 0;
}

size_t spgemm_index_size(spgemm_index_type type)
{
    return type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
}
