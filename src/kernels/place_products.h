/* SPDX-License-Identifier: BSD-3-Clause */
/* For each product A(i,k) B(k,j), and for each entry of D, the entry of C(i,:) that
   is C(i,j): where it will be added, if the patterns stay. */
#ifndef SPGEMM_KERNELS_PLACE_PRODUCTS_H
#define SPGEMM_KERNELS_PLACE_PRODUCTS_H

#include "kernels/accumulators/hash.h"
#include "kernels/row/row_extent.h"
#include "matrix/csr.h"

/* What a slot of a table holds before a place. */
#define NO_PLACE UINT16_MAX

/* The places of the columns of a row of C, in slots: that of column first + x in slot
   x, beside which earlier rows may have left theirs; those of a row too wide for that
   in a table. */
typedef struct row_places {
    uint16_t *slots; /* [PLACED_COLUMNS], or as many as C has columns */
    const IDX *Cj;
    int64_t n;
    int64_t first;
    int64_t width;
    int64_t table; /* slots of it; 0: none */
    int shift;
    uint16_t mark; /* of entries that have products; 0: none is wanted */
} row_places;

/* The slot of the table where column j is or, if it is not, belongs. */
static inline int64_t table_slot(const row_places *r, IDX j)
{
    int64_t h = (int64_t)hash_column((uint64_t)j, r->shift);
    while (r->slots[h] != NO_PLACE &&
           r->Cj[r->slots[h] & (uint16_t)~r->mark] != j)
        h = (h + 1) & (r->table - 1);
    return h;
}

static inline void begin_table(row_places *r)
{
    r->table = hash_slots(2 * r->n);
    r->shift = hash_shift(r->table);
    memset(r->slots, 0xff, (size_t)r->table * sizeof *r->slots);
    for (int64_t t = 0; t < r->n; t++)
        r->slots[table_slot(r, r->Cj[t])] = (uint16_t)t;
}

static inline row_places places_of_row(const operands *ops, int64_t i,
                                       const spgemm_csr *C, uint16_t *slots)
{
    const epilogue *f = ops->epilogue;
    const IDX *Cj = (const IDX *)C->colidx + C->rowptr[i];
    const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
    int64_t first = Cj[0];
    int64_t last = Cj[n - 1];
    for (int64_t t = 0; !ops->sort_rows && t < n; t++) {
        first = min_i64(first, Cj[t]);
        last = max_i64(last, Cj[t]);
    }
    row_places r = {.slots = slots,
                    .Cj = Cj,
                    .n = n,
                    .first = first,
                    .width = last - first + 1,
                    .mark = f && f->D ? PLACE_OF_D_ALONE : 0};
    if (last - first >= PLACED_COLUMNS) {
        begin_table(&r);
        return r;
    }
    for (int64_t t = 0; t < n; t++)
        slots[(int64_t)Cj[t] - first] = (uint16_t)t;
    return r;
}

/* The slot of column j; -1: the row has not this column. */
static inline int64_t slot_of(const row_places *r, IDX j)
{
    if (r->table > 0) {
        const int64_t h = table_slot(r, j);
        return r->slots[h] == NO_PLACE ? -1 : h;
    }
    const int64_t x = (int64_t)j - r->first;
    if (x < 0 || x >= r->width)
        return -1;
    const int64_t place = r->slots[x] & (uint16_t)~r->mark;
    return place < r->n && r->Cj[place] == j ? x : -1;
}

/* The place of a product of column j: the entry's number, or that of entries. */
static inline uint16_t place_product(const row_places *r, IDX j)
{
    const int64_t slot = slot_of(r, j);
    if (slot < 0)
        return (uint16_t)r->n;
    const uint16_t place = r->slots[slot] & (uint16_t)~r->mark;
    if (r->mark)
        r->slots[slot] |= r->mark;
    return place;
}

/* The place of an entry of D, with a mark where there is none yet. */
static inline uint16_t place_entry(const row_places *r, IDX j)
{
    const int64_t slot = slot_of(r, j);
    return slot < 0 ? (uint16_t)r->n : (uint16_t)(r->slots[slot] ^ r->mark);
}

/* The places of the products of row i, of so many bytes each, to `to`. Of a plain
   row every column is there, and has its slot by its number. Returns their end. */
static ALWAYS_INLINE uint8_t *place_row(const operands *ops, int64_t i,
                                        size_t width, bool is_plain,
                                        const row_places *r, uint8_t *to)
{
    const IDX *Aj = ops->A->colidx;
    const int64_t *Bp = ops->B->rowptr;
    const IDX *Bj = ops->B->colidx;
    prefetch_row(ops, i, false);
    for (int64_t p = ops->A->rowptr[i]; p < ops->A->rowptr[i + 1]; p++)
        for (int64_t q = Bp[Aj[p]]; q < Bp[Aj[p] + 1]; q++) {
            const uint16_t place = is_plain
                                       ? r->slots[(int64_t)Bj[q] - r->first]
                                       : place_product(r, Bj[q]);
            if (width == 1)
                *to = (uint8_t)place;
            else
                memcpy(to, &place, sizeof place);
            to += width;
        }
    return to;
}

static ALWAYS_INLINE uint8_t *place_row_by(const operands *ops, int64_t i,
                                           size_t width, const row_places *r,
                                           uint8_t *to)
{
    return r->table == 0 && !operands_have_form(ops)
               ? place_row(ops, i, width, true, r, to)
               : place_row(ops, i, width, false, r, to);
}

/* The places of the entries of row i of D. Returns their end. */
static inline uint8_t *place_d(const operands *ops, int64_t i,
                               const row_places *r, uint8_t *to)
{
    const spgemm_csr *D = ops->epilogue->D;
    const IDX *Dj = D->colidx;
    for (int64_t p = D->rowptr[i]; p < D->rowptr[i + 1]; p++) {
        const uint16_t place = place_entry(r, Dj[p]);
        memcpy(to, &place, sizeof place);
        to += sizeof place;
    }
    return to;
}

static void place_products(const operands *ops, const row_range *range,
                           const spgemm_csr *C, const product_places *to,
                           uint16_t *slots)
{
    uint8_t *places = to->places;
    for (int64_t i = range->row_begin; i < range->row_end; i++) {
        const size_t width = to->width[i - range->row_begin];
        if (width == 0)
            continue;
        const row_places r = places_of_row(ops, i, C, slots);
        places = width == 1 ? place_row_by(ops, i, 1, &r, places)
                            : place_row_by(ops, i, 2, &r, places);
        if (r.mark)
            places = place_d(ops, i, &r, places);
    }
}

#endif
