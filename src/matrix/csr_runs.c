/* SPDX-License-Identifier: BSD-3-Clause */
/* The share of positions p with colidx[p + n - 1] = colidx[p] + n - 1: how much
   of a matrix lies in runs of n columns, as finite elements with several
   unknowns a node do, and graphs do not. */
#include "matrix/csr.h"

#define SAMPLES 1024

static ALWAYS_INLINE int64_t count_runs(const spgemm_csr *A,
                                        bool is_wide,
                                        int n)
{
    const int64_t last = A->nnz - n;
    int64_t runs = 0;
    for (int64_t t = 0; t < SAMPLES; t++) {
        /* Every place when there are few, evenly spread ones when many. */
        const int64_t p = last < SAMPLES ? t : last / SAMPLES * t;
        if (p > last)
            break;
        runs += column_at(A->colidx, is_wide, p + n - 1) -
                    column_at(A->colidx, is_wide, p) ==
                n - 1;
    }
    return runs;
}

double spgemm_csr_run_share(const spgemm_csr *A, int n)
{
    const int64_t places = A->nnz - (n - 1);
    if (places <= 0)
        return 0.0;
    const int64_t runs = A->index_type == SPGEMM_I64 ? count_runs(A, true, n)
                                                     : count_runs(A, false, n);
    return (double)runs / (double)(places < SAMPLES ? places : SAMPLES);
}
