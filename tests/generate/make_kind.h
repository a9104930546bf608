/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated matrices, named as on the command line, and questions to them. */
#ifndef SPGEMM_TESTS_MAKE_KIND_H
#define SPGEMM_TESTS_MAKE_KIND_H

#include "spgemm/spgemm.h"

/** generate() of "KIND SIZE... [--dofs N] [--seed N] [--reals] [--transpose]";
    sizes that are left out are the defaults. */
spgemm_status try_kind(spgemm_csr *A, const char *text);

/** The same, where it must succeed and give a matrix that is well formed and
    sorted. Free with spgemm_csr_destroy(). */
spgemm_csr make_kind(const char *text);

int64_t longest_row(const spgemm_csr *A);
bool has_entry(const spgemm_csr *A, int64_t i, int64_t j);
bool has_symmetric_places(const spgemm_csr *A);

/** The sum modulo 2^64 over the entries of mix(mix(i * ncols + j) + v), where v
    is the value in millionths and mix() the finaliser of SplitMix64. */
uint64_t hash_entries(const spgemm_csr *A);

/** The products of A*A and its entries, counted. */
void count_square(const spgemm_csr *A, int64_t *products, int64_t *nnz);

#endif
