/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays of A, B and C: as they are, and for peers that count entries with an
   int. */
#ifndef BENCH_COPY_H
#define BENCH_COPY_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spgemm/spgemm.h"

/** All of a matrix into arrays that are large enough. */
static inline void copy_matrix(spgemm_csr *to, const spgemm_csr *from)
{
    const size_t nnz = (size_t)from->rowptr[from->nrows];
    memcpy(to->rowptr, from->rowptr,
           ((size_t)from->nrows + 1) * sizeof(int64_t));
    memcpy(to->colidx, from->colidx, nnz * sizeof(int32_t));
    memcpy(to->values, from->values, nnz * sizeof(double));
}

/** A block for an array; never NULL, as the process ends if there is none. */
static inline void *copy_room(int64_t count, size_t size)
{
    void *block = malloc((size_t)(count + 1) * size);
    if (!block)
        abort();
    return block;
}

/** Copies of A's arrays; to be freed with free(). */
static inline int *copy_rowptr(const spgemm_csr *A)
{
    int *rowptr = (int *)copy_room(A->nrows + 1, sizeof(int));
    for (int64_t i = 0; i <= A->nrows; i++)
        rowptr[i] = (int)A->rowptr[i];
    return rowptr;
}

static inline int *copy_colidx(const spgemm_csr *A)
{
    int *colidx = (int *)copy_room(A->nnz, sizeof(int));
    memcpy(colidx, A->colidx, (size_t)A->nnz * sizeof(int));
    return colidx;
}

static inline double *copy_values(const spgemm_csr *A)
{
    double *values = (double *)copy_room(A->nnz, sizeof(double));
    memcpy(values, A->values, (size_t)A->nnz * sizeof(double));
    return values;
}

/** Fill C, whose arrays are large enough, from arrays of a peer. */
static inline void copy_out(spgemm_csr *C, const int *rowptr, const int *colidx,
                            const double *values)
{
    for (int64_t i = 0; i <= C->nrows; i++)
        C->rowptr[i] = rowptr[i];
    memcpy(C->colidx, colidx, (size_t)C->rowptr[C->nrows] * sizeof(int));
    memcpy(C->values, values, (size_t)C->rowptr[C->nrows] * sizeof(double));
}

#endif
