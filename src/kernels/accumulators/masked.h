/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, m_t) = sums[t] for the columns m_0 < m_1 < ... of a row of a mask: what
   is not in the mask is neither stored nor summed.

   Where the row of B is much longer than that of the mask, MASK_SEARCH times, the
   columns of the mask are looked up in it; elsewhere its columns are looked up in
   the mask: of up to sixteen by comparing with all of them, of more by a window of
   places, or by a table where the mask's columns lie too far apart for that. So a
   product costs at most about min(nnz of B's row, nnz of the mask's row) for each
   entry of A. With B as bitmap rows most rows are not these, but summed whole and
   masked then: epilogue_rows.h. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MASKED_H
#define SPGEMM_KERNELS_ACCUMULATORS_MASKED_H

#include "kernels/accumulators/masked_hits.h"

/* All products of the row. */
static ALWAYS_INLINE void mask_sum(const operands *ops, const mask_row *m,
                                   const c_row *r, const column_places *places,
                                   places_way way, hit_kind kind)
{
    const IDX *Bj = r->Bj;
    mask_hits hits;
    mask_hits_begin(&hits, ops, ops->B, r->Aj - (const IDX *)ops->A->colidx,
                    kind);
    for (int64_t k = 0; k < r->length; k++) {
        int64_t q = r->Bp[r->Aj[k]];
        const int64_t end = r->Bp[r->Aj[k] + 1];
        if (r->b_is_sorted &&
            (end - q) /
                    (way == PLACES_OF_SIXTEEN ? MASK_SEARCH_FEW : MASK_SEARCH) >
                m->count) {
            search_each(m, IN_MASK, m->Mj, m->count, Bj, q, end, 0, (IDX)k,
                        &hits);
            continue;
        }
        for (; q < end; q += MASK_STRIP) {
            mask_make_room(m, &hits);
            hits.count = look_up(places, way, IN_MASK, Bj, q,
                                 min_i64(end, q + MASK_STRIP), 0, (IDX)k, kind,
                                 &hits, hits.count);
        }
    }
    mask_add_hits(m, &hits);
}

static ALWAYS_INLINE void mask_sum_by(const operands *ops, const mask_row *m,
                                      const c_row *r,
                                      const column_places *places,
                                      places_way way)
{
    if (reads_factors(semiring_of(ops)))
        mask_sum(ops, m, r, places, way, HIT_OF_ROW);
    else
        mask_sum(ops, m, r, places, way, HIT_COUNTED);
}

#endif
