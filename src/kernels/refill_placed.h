/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of a row of C, the places of whose products are known: each is
   added where it stays. No column is looked at. */
#ifndef SPGEMM_KERNELS_REFILL_PLACED_H
#define SPGEMM_KERNELS_REFILL_PLACED_H

#include "kernels/row/row_extent.h"

/* Bytes of B's values from which they are asked for early: below, they stay in a
   cache, and asking costs. */
#define FAR_BYTES ((size_t)6 << 20)

/* Products that are made before the first is added. */
#define PLACED_ABREAST 4

static inline bool is_far(const operands *ops)
{
    return reads_b(semiring_of(ops)) &&
           (size_t)ops->B->nnz * sizeof(VAL) >= FAR_BYTES;
}

/* Asks for B's values of an entry of A to come. */
static inline void prefetch_values(const operands *ops, int64_t p)
{
    const IDX *Aj = ops->A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const VAL *Bx = ops->B->values;
    const int64_t last = ops->A->nnz - 1;
    const int64_t k = Aj[min_i64(p + AHEAD_ROWS, last)];
    PREFETCH(&Bp[Aj[min_i64(p + AHEAD_POINTERS, last)]]);
    prefetch_ends((const char *)(Bx + Bp[k]), (const char *)(Bx + Bp[k + 1]),
                  true);
}

static ALWAYS_INLINE size_t place_at(const uint8_t *places, size_t width)
{
    uint16_t place;
    if (width == 1)
        return *places;
    memcpy(&place, places, sizeof place);
    return place;
}

/* Adds a B(k,:), of `length` entries from q on, at their places. */
static ALWAYS_INLINE void add_placed(spgemm_semiring sr, VAL a,
                                     const VAL *restrict Bx, int64_t q,
                                     int64_t length, size_t width,
                                     const uint8_t *restrict places,
                                     VAL *restrict sums)
{
    int64_t u = 0;
    for (; u + PLACED_ABREAST <= length; u += PLACED_ABREAST) {
        VAL term[PLACED_ABREAST];
        for (int t = 0; t < PLACED_ABREAST; t++)
            term[t] = product(sr, a, Bx, q + u + t);
        for (int t = 0; t < PLACED_ABREAST; t++) {
            VAL *sum = sums + place_at(places + (size_t)(u + t) * width, width);
            *sum = semiring_add(sr, *sum, term[t]);
        }
    }
    for (; u < length; u++) {
        VAL *sum = sums + place_at(places + (size_t)u * width, width);
        *sum = semiring_add(sr, *sum, product(sr, a, Bx, q + u));
    }
}

/* Row i, of n entries, whose places are of so many bytes each. Returns their
   end. */
static ALWAYS_INLINE const uint8_t *
refill_placed_row(spgemm_semiring sr, const operands *ops, int64_t i, int64_t n,
                  size_t width, const uint8_t *places, VAL *restrict sums)
{
    const IDX *Aj = ops->A->colidx;
    const VAL *Ax = reads_a(sr) ? ops->A->values : NULL;
    const int64_t *Bp = ops->B->rowptr;
    const VAL *Bx = reads_b(sr) ? ops->B->values : NULL;
    const bool asks = is_far(ops);
    for (int64_t u = 0; u < n; u++)
        sums[u] = zero_of(sr);
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++) {
        const int64_t q = Bp[Aj[p]];
        const int64_t length = Bp[Aj[p] + 1] - q;
        if (asks)
            prefetch_values(ops, p);
        add_placed(sr, value_a(sr, Ax, p), Bx, q, length, width, places, sums);
        places += (size_t)length * width;
    }
    return places;
}

static ROW_OF_SEMIRING const uint8_t *
refill_placed(const operands *ops, int64_t i, int64_t n, size_t width,
              const uint8_t *places, VAL *Cx)
{
    const spgemm_semiring which = semiring_of(ops);
    const uint8_t *end = places;
    if (width == 1)
        WITH_SEMIRING(which, sr,
                      end = refill_placed_row(sr, ops, i, n, 1, places, Cx));
    else
        WITH_SEMIRING(which, sr,
                      end = refill_placed_row(sr, ops, i, n, 2, places, Cx));
    return end;
}

#endif
