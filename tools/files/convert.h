/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of other types: both operands of a product must have the same. */
#ifndef TOOLS_CONVERT_H
#define TOOLS_CONVERT_H

#include "spgemm/spgemm.h"

/** A value of any type. */
typedef struct number {
    int64_t integer; /* of integers and truths */
    double real;
    double imaginary;
} number;

/** values[p] = n, as its type has it. */
void convert_put(void *values, spgemm_value_type type, int64_t p, number n);

bool convert_is_integer(spgemm_value_type type);
bool convert_is_complex(spgemm_value_type type);
bool convert_is_single(spgemm_value_type type);

/** The type that values of two types are brought to, as NumPy does: integers
    and float meet at double. */
spgemm_value_type convert_common_type(spgemm_value_type a, spgemm_value_type b);

/** Make A one of these types, neither smaller than its own. A is as it was on
    failure. */
spgemm_status convert_matrix(spgemm_csr *A, spgemm_index_type index_type,
                             spgemm_value_type value_type);

/** Entries of a matrix of truths at one place become one, which is true if one of
    them is: written as a pattern they would be counted. Sorts its rows, where
    they are not. */
spgemm_status convert_merge_truths(spgemm_csr *A);

#endif
