/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum, modulo 2^64, of a hash of each array element and its position: the
   same for any number of threads. */
#include "checksum.h"

#include <string.h>

#include "common/rng.h"

static uint64_t hash_entry(const spgemm_csr *A, int64_t p)
{
    uint64_t bits;
    memcpy(&bits, (const double *)A->values + p, sizeof bits);
    const int64_t column = A->index_type == SPGEMM_I64
                               ? ((const int64_t *)A->colidx)[p]
                               : ((const int32_t *)A->colidx)[p];
    return rng_mix(rng_bits(bits, (uint64_t)p) + (uint64_t)column);
}

uint64_t checksum(const spgemm_csr *A)
{
    uint64_t sum = rng_bits((uint64_t)A->nrows, (uint64_t)A->ncols) +
                   rng_bits((uint64_t)A->nnz, 0);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t p = 0; p < A->nnz; p++)
        sum += hash_entry(A, p);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i <= A->nrows; i++)
        sum += rng_bits(~(uint64_t)i, (uint64_t)A->rowptr[i]);
    return sum;
}
