/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, m_t) = sums[t] for the columns m_0 < m_1 < ... of a row of a mask: what
   is not in the mask is neither stored nor summed.

   Where the row of B is much longer than that of the mask, the columns of the
   mask are looked up in it; elsewhere its columns are looked up in the mask, by
   a window of places, or by a table where the mask's columns lie too far apart
   for that. So a product costs at most about min(nnz of B's row, nnz of the
   mask's row) for each entry of A.

   Parameters: VAL, IDX, FN, semiring. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "masked.tmpl.h: define VAL, IDX and FN first"
#endif

/* Columns of the mask within reach of a row, and their sums. */
typedef struct FN(mask_row) {
    const IDX *Mj; /* [count], increasing, in [first, last] of the row */
    int64_t count;
    int64_t first; /* Mj[0] */
    int64_t width; /* to the last */
    VAL *sums;     /* [count] */
    IDX *is_met;   /* [count] */
} FN(mask_row);

static ALWAYS_INLINE FN(mask_row)
    FN(look_mask)(const spgemm_csr *mask, int64_t i, const FN(row) * r)
{
    const IDX *Mj = mask->colidx;
    const int64_t begin =
        FN(lower_bound)(Mj, mask->rowptr[i], mask->rowptr[i + 1], r->first);
    const int64_t end =
        FN(lower_bound)(Mj, begin, mask->rowptr[i + 1], r->last + 1);
    FN(mask_row) m = {.Mj = Mj + begin, .count = end - begin};
    if (m.count > 0) {
        m.first = m.Mj[0];
        m.width = m.Mj[m.count - 1] - m.first + 1;
    }
    return m;
}

static ALWAYS_INLINE void FN(mask_add)(const FN(mask_row) * m,
                                       int64_t t,
                                       VAL a,
                                       const VAL *Bx,
                                       int64_t q,
                                       bool is_numeric)
{
    m->is_met[t] = 1;
    if (is_numeric && HAS_VALUES)
        m->sums[t] = FN(add)(m->sums[t], FN(term)(a, Bx, q));
}

/* The mask's columns, each searched in the rest of B's row [q, end). */
static ALWAYS_INLINE void FN(mask_search)(const FN(mask_row) * m,
                                          const FN(row) * r,
                                          VAL a,
                                          int64_t q,
                                          int64_t end,
                                          bool is_numeric)
{
    for (int64_t t = 0; t < m->count && q < end; t++) {
        q = FN(lower_bound)(r->Bj, q, end, m->Mj[t]);
        if (q < end && r->Bj[q] == m->Mj[t])
            FN(mask_add)(m, t, a, r->Bx, q++, is_numeric);
    }
}

/* All products of the row, by places[x] of column first + x. */
static ALWAYS_INLINE void FN(mask_by_places)(const FN(mask_row) * m,
                                             const FN(row) * r,
                                             const int32_t *restrict places,
                                             bool is_numeric)
{
    for (int64_t k = 0; k < r->length; k++) {
        const VAL a = is_numeric ? FN(value_a)(r->Ax, k) : (VAL)0;
        int64_t q = r->Bp[r->Aj[k]];
        int64_t end = r->Bp[r->Aj[k] + 1];
        if (r->b_is_sorted && (end - q) / MASK_SEARCH > m->count) {
            FN(mask_search)(m, r, a, q, end, is_numeric);
            continue;
        }
        for (; q < end; q++) {
            const uint64_t x = (uint64_t)(r->Bj[q] - m->first);
            if (x >= (uint64_t)m->width || places[x] < 0)
                continue;
            FN(mask_add)(m, places[x], a, r->Bx, q, is_numeric);
        }
    }
}

/* The same by a table of `slots` slots: keys are columns, places in `spare`. */
static ALWAYS_INLINE void FN(mask_by_table)(const FN(mask_row) * m,
                                            const FN(row) * r,
                                            scratch *s,
                                            int64_t slots,
                                            bool is_numeric)
{
    const IDX *keys = s->keys;
    const IDX *places = s->spare;
    const int shift = hash_shift(slots);
    for (int64_t k = 0; k < r->length; k++) {
        const VAL a = is_numeric ? FN(value_a)(r->Ax, k) : (VAL)0;
        int64_t q = r->Bp[r->Aj[k]];
        int64_t end = r->Bp[r->Aj[k] + 1];
        if (r->b_is_sorted && (end - q) / MASK_SEARCH > m->count) {
            FN(mask_search)(m, r, a, q, end, is_numeric);
            continue;
        }
        for (; q < end; q++) {
            const int64_t h = FN(find_slot)(keys, slots, shift, r->Bj[q]);
            if (keys[h] == r->Bj[q])
                FN(mask_add)(m, places[h], a, r->Bx, q, is_numeric);
        }
    }
}

/* Sums for a mask's row: a table of at least twice its entries is there. */
static ALWAYS_INLINE void
FN(mask_begin)(FN(mask_row) * m, const scratch *s, bool is_numeric)
{
    m->sums = s->slot_sums;
    m->is_met = s->columns;
    for (int64_t t = 0; t < m->count; t++)
        m->is_met[t] = 0;
    for (int64_t t = 0; is_numeric && HAS_VALUES && t < m->count; t++)
        m->sums[t] = ZERO;
}

static NOINLINE void FN(mask_wide)(const FN(mask_row) * m,
                                   const FN(row) * r,
                                   scratch *s,
                                   bool is_numeric)
{
    const int64_t slots = hash_slots(2 * m->count);
    const int shift = hash_shift(slots);
    IDX *keys = s->keys;
    for (int64_t t = 0; t < m->count; t++) {
        const int64_t h = FN(find_slot)(keys, slots, shift, m->Mj[t]);
        keys[h] = m->Mj[t];
        ((IDX *)s->spare)[h] = (IDX)t;
    }
    if (is_numeric)
        FN(mask_by_table)(m, r, s, slots, true);
    else
        FN(mask_by_table)(m, r, s, slots, false);
    memset(keys, 0xff, (size_t)slots * sizeof *keys);
}

static ALWAYS_INLINE void FN(mask_narrow)(const FN(mask_row) * m,
                                          const FN(row) * r,
                                          int32_t *restrict places,
                                          bool is_numeric)
{
    for (int64_t t = 0; t < m->count; t++)
        places[m->Mj[t] - m->first] = (int32_t)t;
    if (is_numeric)
        FN(mask_by_places)(m, r, places, true);
    else
        FN(mask_by_places)(m, r, places, false);
    for (int64_t t = 0; t < m->count; t++)
        places[m->Mj[t] - m->first] = -1;
}

/* What was met, in order; returns how many. Cj is NULL: only that. */
static ALWAYS_INLINE int64_t FN(mask_extract)(const FN(mask_row) * m,
                                              IDX *restrict Cj,
                                              VAL *restrict Cx)
{
    int64_t n = 0;
    for (int64_t t = 0; t < m->count; t++) {
        if (!m->is_met[t])
            continue;
        if (Cj)
            Cj[n] = m->Mj[t];
        if (Cj && HAS_VALUES)
            Cx[n] = m->sums[t];
        n++;
    }
    return n;
}
