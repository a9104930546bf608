/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of any type of values, for functions that move entries: where each
   went is read off a matrix of doubles that number them. */
#ifndef SPGEMM_TESTS_TYPED_H
#define SPGEMM_TESTS_TYPED_H

#include "build_csr.h"

/** The types of the table, SPGEMM_ELEMENTS of 3 and of 24 bytes. */
enum { TYPED_COUNT = SPGEMM_VALUE_TYPE_COUNT + 2 };
spgemm_value_type typed_type(int number);

/** A with the values 0, 1, 2, ...; free with free_csr(). */
spgemm_csr numbered_copy(const spgemm_csr *A);

/** A with elements of another type: any bytes. Free with free_csr(). */
spgemm_csr typed_copy(const spgemm_csr *A, spgemm_value_type type);

/** A without values: a view of A. */
spgemm_csr pattern_of(const spgemm_csr *A);

/**
 * Whether `got` has the structure of `places`, and as entry q the element of
 * `from` that values[q] of `places` numbers; no values where `from` has none.
 */
bool elements_agree(const spgemm_csr *got, const spgemm_csr *from,
                    const spgemm_csr *places);

#endif
