/* SPDX-License-Identifier: BSD-3-Clause */
/* The sum, modulo 2^64, of a hash of each array element and its position: the
   same for any number of threads. */
#include "checksum.h"

#include <string.h>

#include "common/rng.h"
#include "npy.h"

static uint64_t hash_entry(const spgemm_csr *A, size_t value_bytes, int64_t p)
{
    uint64_t bits[2] = {0}; /* of a complex number the second, too */
    memcpy(bits, (const char *)A->values + (size_t)p * value_bytes,
           value_bytes);
    const int64_t column = A->index_type == SPGEMM_I64
                               ? ((const int64_t *)A->colidx)[p]
                               : ((const int32_t *)A->colidx)[p];
    if (value_bytes > sizeof *bits)
        bits[0] ^= rng_mix(bits[1]);
    return rng_mix(rng_bits(bits[0], (uint64_t)p) + (uint64_t)column);
}

uint64_t checksum(const spgemm_csr *A)
{
    uint64_t sum = rng_bits((uint64_t)A->nrows, (uint64_t)A->ncols) +
                   rng_bits((uint64_t)A->nnz, 0);
    const size_t value_bytes = npy_value_bytes(A->value_type);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t p = 0; p < A->nnz; p++)
        sum += hash_entry(A, value_bytes, p);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i <= A->nrows; i++)
        sum += rng_bits(~(uint64_t)i, (uint64_t)A->rowptr[i]);
    return sum;
}
