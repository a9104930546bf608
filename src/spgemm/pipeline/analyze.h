/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernels want to know of an operand's pattern beyond that it is
   right: found while it is checked. */
#ifndef SPGEMM_SPGEMM_PIPELINE_ANALYZE_H
#define SPGEMM_SPGEMM_PIPELINE_ANALYZE_H

#include <stdatomic.h>

#include "kernels/row/kernels.h"

typedef struct analysis {
    const spgemm_csr *X; /* may be gone when this is cleared */
    int64_t nrows;       /* of X, from spgemm_analyze() on */
    const kernels *kernels;
    memory *m;
    uint8_t *same;       /* [nrows] row i has the columns of row i - 1 */
    uint8_t *next;       /* [nrows] row i has those of row i - period, each plus
                      shift; NULL, both: few rows have */
    bitmap_rows bitmaps; /* row is NULL: not wanted, or X is not sorted */
    bool wants_same;     /* if enough rows are */
    bool wants_bitmaps;
    int64_t period; /* of the rows to mark as next; 0: none */
    int64_t shift;
    bool is_brief;         /* only what follows is looked for */
    atomic_bool is_single; /* no row has two entries */
    atomic_bool increases; /* and each lies right of those above */
} analysis;

/* Entries of an operand from which a look at how rows are alike may pay. */
#define LOOKED_ENTRIES 64

/**
 * The full check of X, unless `is_trusted`, and what there is to find; the columns in
 * bitmap rows if X is sorted. *is_sorted must be set beforehand if
 * X is trusted. Errors as spgemm_csr_check_full(), and out of memory.
 */
spgemm_status spgemm_analyze(analysis *s, bool is_trusted, int nthreads,
                             bool *is_sorted, spgemm_fault *fault);

/** Whether these kernels are faster with B as bitmap rows, if its rows are sorted, or
    are put in order first; what making them costs is left out where the product is to
    be repeated. A and B may not have been checked yet. */
bool spgemm_takes_bitmaps(const spgemm_csr *A, const spgemm_csr *B,
                          const kernels *k, bool b_is_sorted, bool is_repeated);

/** Bytes that analyses of A and of B, which A meets, are about to take at most, for
    these kernels. */
double spgemm_analysis_bytes(const spgemm_csr *A, const spgemm_csr *B,
                             const kernels *k, bool is_repeated);

void spgemm_analysis_clear(analysis *s);

#endif
