/* SPDX-License-Identifier: BSD-3-Clause */
/* The row loops, compiled for each type and instruction set. */
#ifndef SPGEMM_SPGEMM_KERNELS_H
#define SPGEMM_SPGEMM_KERNELS_H

#include "accumulate/scratch.h"
#include "cpu/features.h"
#include "matrix/octets.h"
#include "matrix/repetition.h"
#include "predict/prediction.h"
#include "spgemm/output.h"
#include "spgemm/spgemm.h"

/* What every row of one product shares. */
typedef struct operands {
    const spgemm_csr *A;
    const spgemm_csr *B;
    bool b_is_sorted;
    bool sort_rows;         /* of C */
    const uint8_t *a_same;  /* [A->nrows] row i has the columns of row i - 1 */
    const uint8_t *b_same;  /* [B->nrows]; NULL, both: few rows have */
    const octets *b_octets; /* NULL: B's columns are scattered */
    repetition repeats;
    const uint8_t *a_next;   /* [A->nrows] row i repeats row i - period */
    const uint8_t *b_next;   /* [B->nrows] row k repeats row k - a_shift; NULL,
                                both: few rows do, or nobody can use it */
    const int64_t *products; /* [A->nrows] */
    const uint16_t *row_class; /* [A->nrows], see prediction_class() */
    const prediction *prediction;
} operands;

/* Rows [row_begin, row_end) of C or, of a giant row, the columns
   [col_begin, col_end). */
typedef struct row_range {
    int64_t row_begin;
    int64_t row_end;
    int64_t col_begin;
    int64_t col_end;
    int64_t parts; /* that the row is cut into; 0: whole rows. B is sorted */
    bool is_last;  /* of the parts of its row */
} row_range;

/* C's rows to `out`. false: no memory. */
typedef bool numeric_fn(const operands *ops,
                        const row_range *range,
                        scratch *s,
                        output *out);

/* row_nnz[t - row_begin] = nnz of row t of C or, where rows is not NULL, of row
   rows[t], for t in [row_begin, row_end); in the columns of the range where it
   is a part. false: no memory. */
typedef bool symbolic_fn(const operands *ops,
                         const int64_t *rows,
                         const row_range *range,
                         scratch *s,
                         int64_t *row_nnz);

/* next[i] = whether row i of X, not empty, has the columns of row i - period,
   each plus shift, for i in [begin, end). */
typedef void mark_next_fn(const spgemm_csr *X,
                          int64_t begin,
                          int64_t end,
                          int64_t period,
                          int64_t shift,
                          uint8_t *next);

typedef struct kernels {
    numeric_fn *numeric;
    symbolic_fn *symbolic;
    mark_next_fn *mark_next; /* NULL: a_next and b_next are of no use */
} kernels;

/** The kernels for these types here; NULL: not built. */
const kernels *spgemm_kernels_select(spgemm_value_type value_type,
                                     spgemm_index_type index_type,
                                     isa which);

#endif
