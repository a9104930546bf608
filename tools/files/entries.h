/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a matrix of either type, and the bytes of what it holds. */
#ifndef TOOLS_ENTRIES_H
#define TOOLS_ENTRIES_H

#include "spgemm/spgemm.h"

static inline size_t index_bytes(spgemm_index_type type)
{
    return type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
}

/** Of entry p. */
static inline int64_t entry_column(const spgemm_csr *A, int64_t p)
{
    return A->index_type == SPGEMM_I64 ? ((const int64_t *)A->colidx)[p]
                                       : ((const int32_t *)A->colidx)[p];
}

static inline void set_column(spgemm_csr *A, int64_t p, int64_t column)
{
    if (A->index_type == SPGEMM_I64)
        ((int64_t *)A->colidx)[p] = column;
    else
        ((int32_t *)A->colidx)[p] = (int32_t)column;
}

#endif
