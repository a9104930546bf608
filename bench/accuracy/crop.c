/* SPDX-License-Identifier: BSD-3-Clause */
/* Two matrices, cut such that they can be multiplied: A(:, 0:k) B(0:k, :),
   k the lesser of A's columns and B's rows. */
#include "crop.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Entries of a sorted row that lie left of column k. */
static int64_t left_count(const int32_t *Aj, int64_t length, int64_t k)
{
    int64_t low = 0;
    int64_t high = length;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (Aj[middle] < k)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static spgemm_status keep_columns(spgemm_csr *part, const spgemm_csr *A,
                                  int64_t k)
{
    const int64_t *Ap = A->rowptr;
    const int32_t *Aj = A->colidx;
    const double *Ax = A->values;
    int64_t nnz = 0;
    for (int64_t i = 0; i < A->nrows; i++)
        nnz += left_count(Aj + Ap[i], Ap[i + 1] - Ap[i], k);
    const spgemm_status status = spgemm_csr_create(
        part, A->nrows, k, nnz, A->index_type, A->value_type, NULL);
    if (status < 0)
        return status;
    int32_t *Pj = part->colidx;
    double *Px = part->values;
    int64_t *Pp = part->rowptr;
    for (int64_t i = 0; i < A->nrows; i++) {
        const size_t count =
            (size_t)left_count(Aj + Ap[i], Ap[i + 1] - Ap[i], k);
        Pp[i + 1] = Pp[i] + (int64_t)count;
        if (count == 0)
            continue;
        memcpy(Pj + Pp[i], Aj + Ap[i], count * sizeof *Pj);
        memcpy(Px + Pp[i], Ax + Ap[i], count * sizeof *Px);
    }
    part->flags |= A->flags & SPGEMM_SORTED_ROWS;
    return SPGEMM_SUCCESS;
}

static void keep_rows(spgemm_csr *part, const spgemm_csr *B, int64_t k)
{
    *part = spgemm_csr_view(k, B->ncols, B->rowptr[k], B->rowptr, B->colidx,
                            B->values, B->index_type, B->value_type);
    part->flags |= B->flags & SPGEMM_SORTED_ROWS;
}

static void describe(crop *c, const char *what, int64_t kept, int64_t all)
{
    snprintf(c->word, sizeof c->word, "%s %" PRId64 " of %" PRId64, what, kept,
             all);
}

spgemm_status crop_pair(crop *c, const spgemm_csr *A, const spgemm_csr *B)
{
    *c = (crop){.A = A, .B = B, .word = "none"};
    if (A->ncols > B->nrows) {
        describe(c, "A columns", B->nrows, A->ncols);
        c->A = &c->part;
        return keep_columns(&c->part, A, B->nrows);
    }
    if (A->ncols < B->nrows) {
        describe(c, "B rows", A->ncols, B->nrows);
        c->B = &c->part;
        keep_rows(&c->part, B, A->ncols);
    }
    return SPGEMM_SUCCESS;
}

void crop_clear(crop *c)
{
    spgemm_csr_destroy(&c->part);
}
