/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose columns are those of the row before, each `shift` further to the
   right: 0 further for the unknowns of one node of a mesh, 1 for stencils. */
#include "common/checked.h"
#include "matrix/csr.h"

#define SAMPLES 1024

/* Rows this short are compared without a branch an entry. */
#define SHORT_ROW 16

static ALWAYS_INLINE bool
is_same(const spgemm_csr *A, bool is_wide, int64_t i, int64_t shift)
{
    const int64_t begin = A->rowptr[i];
    const int64_t end = A->rowptr[i + 1];
    const int64_t length = end - begin;
    if (length == 0 || begin - A->rowptr[i - 1] != length)
        return false;
    /* Without sign: columns that are not checked yet may be anything. */
    uint64_t difference = 0;
    for (int64_t q = begin; q < end; q++) {
        difference |= (uint64_t)column_at(A->colidx, is_wide, q - length) +
                      (uint64_t)shift -
                      (uint64_t)column_at(A->colidx, is_wide, q);
        if (length > SHORT_ROW && difference != 0)
            break;
    }
    return difference == 0;
}

static bool is_same_row(const spgemm_csr *A, int64_t i, int64_t shift)
{
    return A->index_type == SPGEMM_I64 ? is_same(A, true, i, shift)
                                       : is_same(A, false, i, shift);
}

double spgemm_csr_same_share(const spgemm_csr *A, int64_t shift)
{
    const int64_t pairs = A->nrows - 1;
    if (pairs <= 0)
        return 0.0;
    const int64_t samples = min_i64(pairs, SAMPLES);
    int64_t same = 0;
    for (int64_t t = 0; t < samples; t++)
        same += is_same_row(A, 1 + pairs / samples * t, shift);
    return (double)same / (double)samples;
}

void spgemm_csr_mark_same(const spgemm_csr *A,
                          int64_t begin,
                          int64_t end,
                          uint8_t *same)
{
    for (int64_t i = begin; i < end; i++)
        same[i] = i > 0 && is_same_row(A, i, 0);
}
