/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a type of values without its kernels. */
#ifndef SPGEMM_VALUES_TRAITS_H
#define SPGEMM_VALUES_TRAITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/number_kind.h"
#include "spgemm/spgemm.h"

/* Bytes of an element of a caller's type, at most. */
#define USER_BYTES 4096

typedef enum value_field {
    FIELD_REAL,
    FIELD_COMPLEX,
    FIELD_INTEGER,
    FIELD_TRUTH
} value_field;

/* The same for each type, written in its own terms: traits_of_type.c. */
typedef struct value_traits {
    const char *name;
    size_t bytes;
    value_field field;
    number_kind numbers;
    const void *one;
    bool (*is_zero)(const void *values, int64_t p);
    void (*add)(void *values, int64_t q,
                int64_t p); /* values[q] += values[p] */
    void (*conjugate)(void *values, int64_t begin, int64_t end);
} value_traits;

/** NULL: there is none, or its values are bytes that only the caller knows. */
const value_traits *spgemm_value_traits(spgemm_value_type type);

/** false of types whose values are bytes. */
static inline bool spgemm_value_is_complex(spgemm_value_type type)
{
    const value_traits *traits = spgemm_value_traits(type);
    return traits && traits->field == FIELD_COMPLEX;
}

/** Bytes of one column index. */
size_t spgemm_index_size(spgemm_index_type type);

#endif
