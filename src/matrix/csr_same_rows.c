/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose columns are those of the row before, as the unknowns of one node
   of a finite element mesh have, or web pages made by one program. */
#include <string.h>

#include "common/checked.h"
#include "common/team.h"
#include "matrix/csr.h"

#define SAMPLES   1024
#define ROW_GRAIN 65536 /* rows that are worth a thread */

static bool is_same(const spgemm_csr *A, size_t index_size, int64_t i)
{
    const int64_t *p = A->rowptr + i;
    const size_t length = (size_t)(p[1] - p[0]);
    const char *colidx = A->colidx;
    return length > 0 && p[0] - p[-1] == p[1] - p[0] &&
           memcmp(colidx + (size_t)p[0] * index_size,
                  colidx + (size_t)p[-1] * index_size,
                  length * index_size) == 0;
}

double spgemm_csr_same_share(const spgemm_csr *A)
{
    const size_t index_size = spgemm_index_size(A->index_type);
    const int64_t pairs = A->nrows - 1;
    if (pairs <= 0)
        return 0.0;
    const int64_t samples = min_i64(pairs, SAMPLES);
    int64_t same = 0;
    for (int64_t t = 0; t < samples; t++)
        same += is_same(A, index_size, 1 + pairs / samples * t);
    return (double)same / (double)samples;
}

void spgemm_csr_mark_same(const spgemm_csr *A, int nthreads, uint8_t *same)
{
    const size_t index_size = spgemm_index_size(A->index_type);
    if (A->nrows > 0)
        same[0] = false;
#pragma omp parallel for schedule(static)                                      \
    num_threads(spgemm_team_size(nthreads, A->nrows, ROW_GRAIN))
    for (int64_t i = 1; i < A->nrows; i++)
        same[i] = is_same(A, index_size, i);
}
