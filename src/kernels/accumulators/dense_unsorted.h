/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) in place positions[x] of the row, the next free one when x is
   met first: for rows that need not be sorted, of sums that do not tell whether they are
   touched (dense_listed.h).

   F. G. Gustavson, ACM TOMS 4(3):250-269, 1978. The sums are where they will
   stay, begun at zero_of() before any product comes, so that old and new columns take
   the same steps and no branch asks which it is. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_DENSE_UNSORTED_H
#define SPGEMM_KERNELS_ACCUMULATORS_DENSE_UNSORTED_H

#include "kernels/row/room.h"
#include "kernels/row/row.h"

/* Entries of the row in the order in which they are met; returns their number.
   Cx[0 .. zeros) are set to zero_of() first, zeros >= that number. */
static ALWAYS_INLINE int64_t append_row(spgemm_semiring sr, const c_row *r,
                                        int32_t *restrict positions,
                                        int64_t zeros, IDX *restrict Cj,
                                        VAL *restrict Cx)
{
    int32_t n = 0;
    for (int64_t u = 0; HAS_VALUES && u < zeros; u++)
        Cx[u] = zero_of(sr);
    for (int64_t t = 0; t < r->length; t++) {
        const VAL a = value_a(sr, r->Ax, t);
        int64_t q;
        int64_t end;
        b_range(r, r->Aj[t], &q, &end);
        for (; q < end; q++) {
            const IDX j = r->Bj[q];
            int32_t *at = &positions[j - r->first];
            const int32_t met = *at;
            const int32_t place = met < 0 ? n : met;
            n += met < 0;
            *at = place;
            Cj[place] = j;
            if (HAS_VALUES)
                Cx[place] =
                    semiring_add(sr, Cx[place], product(sr, a, r->Bx, q));
        }
    }
    for (int32_t u = 0; u < n; u++)
        positions[Cj[u] - r->first] = -1;
    return n;
}

/* A row that need not be sorted: straight to `out` or, where that may be too
   short for its bound, by way of the scratch. */
static ROW_OF_SEMIRING int64_t unsorted_row(const c_row *r, scratch *s,
                                            output *out)
{
    const int64_t columns = row_width(r);
    const int64_t most = min_i64(r->products, columns);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (columns > s->position_columns &&
        !spgemm_scratch_grow_positions(s, columns))
        return -1;
    const bool is_direct = LIKELY(output_has_room(out, most));
    int64_t zeros = most;
    if (is_direct) {
        make_room(out, most, true, &Cj, &Cx);
        zeros = min_i64(most, out->limit - out->used);
    } else {
        if (!scratch_hash(s, hash_slots(most)))
            return -1;
        Cj = s->columns;
        Cx = s->slot_sums;
    }
    int64_t n = 0;
    WITH_SEMIRING(r->semiring, sr,
                  n = append_row(sr, r, s->positions, zeros, Cj, Cx));
    if (is_direct) {
        output_take(out, n);
        return n;
    }
    if (!make_room(out, n, true, &Cj, &Cx))
        return -1;
    memcpy(Cj, s->columns, (size_t)n * sizeof *Cj);
    if (HAS_VALUES)
        memcpy(Cx, s->slot_sums, (size_t)n * sizeof *Cx);
    output_take(out, n);
    return n;
}

#endif
