/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of a row of C = alpha A B + beta D, masked, the places of whose
   products and of whose entries of D are known. What C has no entry for is summed
   behind the row's entries, and left there. */
#ifndef SPGEMM_KERNELS_REFILL_FORM_H
#define SPGEMM_KERNELS_REFILL_FORM_H

#include "kernels/epilogue.h"
#include "kernels/refill_placed.h"

/* Adds row i of D, in the order that merge_with_d() has: of several entries of
   one column the first alone meets the products. */
static ALWAYS_INLINE void add_placed_d(spgemm_semiring sr, const epilogue *f,
                                       int64_t i, const uint8_t *places,
                                       VAL *sums)
{
    const VAL *Dx = f->D->values;
    const int64_t begin = f->D->rowptr[i];
    const int64_t end = f->D->rowptr[i + 1];
    size_t before = SIZE_MAX;
    for (int64_t p = begin; p < end; p++) {
        const size_t at = place_at(places + (size_t)(p - begin) * 2, 2);
        VAL *sum = sums + (at & (PLACE_OF_D_ALONE - 1));
        const VAL met =
            select_value(at & PLACE_OF_D_ALONE, zero_of(sr), as_term(sr, *sum));
        *sum = semiring_add(sr, select_value(at == before, *sum, met),
                            scaled_d(sr, Dx, p, f->beta));
        before = at;
    }
}

static ALWAYS_INLINE void finish_form(spgemm_semiring sr, const epilogue *f,
                                      int64_t i, int64_t n,
                                      const uint8_t *places_of_d, VAL *sums)
{
    if (f->alpha)
        scale_values(sr, *(const VAL *)f->alpha, n, sums);
    if (f->D)
        add_placed_d(sr, f, i, places_of_d, sums);
}

/* Row i, of n entries: its values to Cx. Returns the end of its places; NULL: no
   memory. */
static ALWAYS_INLINE const uint8_t *refill_form(const operands *ops, int64_t i,
                                                int64_t n, size_t width,
                                                const uint8_t *places,
                                                scratch *s, VAL *Cx)
{
    const spgemm_semiring which = semiring_of(ops);
    const epilogue *f = ops->epilogue;
    if (!scratch_hash(s, hash_slots(n + 1)))
        return NULL;
    VAL *sums = s->slot_sums;
    places = refill_placed(ops, i, n + 1, width, places, sums);
    if (f)
        WITH_SEMIRING(which, sr, finish_form(sr, f, i, n, places, sums));
    memcpy(Cx, sums, (size_t)n * sizeof *Cx);
    return places + 2 * (size_t)operands_row_of_d(ops, i);
}

#endif
