/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the next entries of C go. */
#ifndef SPGEMM_KERNELS_ROW_ROOM_H
#define SPGEMM_KERNELS_ROW_ROOM_H

#include "kernels/row/take.h"

/* Where the next entries go, when numeric: room for n. false: no memory. */
static ALWAYS_INLINE bool make_room(output *out, int64_t n, bool is_numeric,
                                    IDX **Cj, VAL **Cx)
{
    if (!is_numeric)
        return true;
    if (!output_reserve(out, n))
        return false;
    *Cj = (IDX *)out->colidx + out->used;
    *Cx = values_at(out->values, out->used);
    return true;
}

#endif
