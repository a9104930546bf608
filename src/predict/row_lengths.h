/* SPDX-License-Identifier: BSD-3-Clause */
/* How long the rows of B are, in 32 bits, and whether all are of one length. */
#ifndef SPGEMM_PREDICT_ROW_LENGTHS_H
#define SPGEMM_PREDICT_ROW_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "alloc/memory.h"
#include "spgemm/csr.h"

typedef struct row_lengths {
    int32_t *narrow; /* [nrows]; NULL: not written down, as they do not fit */
    const int64_t *rowptr;
    int64_t nrows;
    bool are_equal; /* false: not all, as far as they are written down */
} row_lengths;

/** Writes them down: they fit where B's entries do. false: no memory. To be
    cleared. */
bool spgemm_row_lengths_make(row_lengths *lengths, int nthreads, memory *m);

void spgemm_row_lengths_clear(row_lengths *lengths, memory *m);

#endif
