/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, m_t) = sum of A(i,k) B(k, m_t) for the columns m_0 < m_1 < ... of rows of a mask.

   What the mask lets pass is found first, as (t, entry of A, entry of B), and added
   then: one look-up serves all semirings, and whether a product passes, which may be as
   good as random, no branch asks. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_MASKED_HITS_H
#define SPGEMM_KERNELS_ACCUMULATORS_MASKED_HITS_H

#include "kernels/row/room.h"
#include "kernels/row/row.h"

/* Columns of the mask within reach of a row, or of some rows, and their sums. */
typedef struct mask_row {
    const IDX *Mj; /* [count] */
    int64_t count;
    VAL *sums;   /* [count] */
    IDX *is_met; /* [count] */
} mask_row;

#define MASK_HITS  128
#define MASK_STRIP 64 /* entries between two looks at the room left */

/* Whether factors are read at all: products are counted where they are not. */
static ALWAYS_INLINE bool reads_factors(spgemm_semiring sr)
{
    return reads_a(sr) || reads_b(sr);
}

/* What is kept of a product: its term is at hand in kernels of one semiring, where the
   rest of B's row is read, too; elsewhere what is not there would be read for nothing. */
typedef enum hit_kind { HIT_COUNTED, HIT_TERM, HIT_FACTORS } hit_kind;

#if defined(SEMIRING)
#define HIT_OF_ROW HIT_TERM
#else
#define HIT_OF_ROW HIT_FACTORS
#endif

/* Products that passed, on their way to the sums. */
typedef struct mask_hits {
    spgemm_semiring semiring;
    hit_kind kind;
    const VAL *Ax; /* from the entry on that of_a are counted from */
    const VAL *Bx;
    int64_t count;
    IDX of_mask[MASK_HITS];
    IDX of_a[MASK_HITS];
    int64_t of_b[MASK_HITS];
#if defined(SEMIRING)
    VAL terms[MASK_HITS];
#endif
} mask_hits;

static ALWAYS_INLINE void mask_hits_begin(mask_hits *hits, const operands *ops,
                                          const spgemm_csr *B, int64_t first,
                                          hit_kind kind)
{
    hits->semiring = semiring_of(ops);
    hits->kind = kind;
    hits->Ax =
        reads_a(hits->semiring) ? (const VAL *)ops->A->values + first : NULL;
    hits->Bx = B->values;
    hits->count = 0;
}

/* The n-th, if it is there; else the next is written over it. Returns how many there
   are. */
static ALWAYS_INLINE int64_t mask_hit(mask_hits *hits, int64_t n, IDX of_mask,
                                      int64_t of_a, int64_t of_b, hit_kind kind,
                                      bool is_there)
{
    hits->of_mask[n] = of_mask;
#if defined(SEMIRING)
    if (kind == HIT_TERM)
        hits->terms[n] = product(SEMIRING, value_a(SEMIRING, hits->Ax, of_a),
                                 hits->Bx, of_b);
#endif
    if (kind == HIT_FACTORS) {
        hits->of_a[n] = (IDX)of_a;
        hits->of_b[n] = of_b;
    }
    return n + is_there;
}

static ALWAYS_INLINE VAL mask_term(spgemm_semiring sr, const mask_hits *hits,
                                   int64_t n, hit_kind kind)
{
#if defined(SEMIRING)
    if (kind == HIT_TERM)
        return hits->terms[n];
#endif
    if (kind == HIT_COUNTED)
        return product(sr, (VAL)0, NULL, 0);
    return product(sr, value_a(sr, hits->Ax, hits->of_a[n]), hits->Bx,
                   hits->of_b[n]);
}

static ALWAYS_INLINE void mask_add_each(spgemm_semiring sr, const mask_row *m,
                                        const mask_hits *hits, hit_kind kind)
{
    for (int64_t n = 0; n < hits->count; n++) {
        const IDX t = hits->of_mask[n];
        m->is_met[t] = 1;
        if (HAS_VALUES)
            m->sums[t] =
                semiring_add(sr, m->sums[t], mask_term(sr, hits, n, kind));
    }
}

/* Of a semiring, whose factors are read or not. */
static ALWAYS_INLINE void mask_add_kind(spgemm_semiring sr, const mask_row *m,
                                        const mask_hits *hits)
{
    if (!reads_factors(sr))
        mask_add_each(sr, m, hits, HIT_COUNTED);
    else if (hits->kind == HIT_OF_ROW)
        mask_add_each(sr, m, hits, HIT_OF_ROW);
    else
        mask_add_each(sr, m, hits, HIT_FACTORS);
}

/* To the sums; none is left. */
static ROW_OF_SEMIRING void mask_add_hits(const mask_row *m, mask_hits *hits)
{
    WITH_SEMIRING(hits->semiring, sr, mask_add_kind(sr, m, hits));
    hits->count = 0;
}

/* Room for a strip. */
static ALWAYS_INLINE void mask_make_room(const mask_row *m, mask_hits *hits)
{
    if (hits->count > MASK_HITS - MASK_STRIP)
        mask_add_hits(m, hits);
}

static ALWAYS_INLINE void mask_begin(const operands *ops, mask_row *m,
                                     VAL *sums, IDX *is_met)
{
    const VAL zero = zero_of(semiring_of(ops));
    m->sums = sums;
    m->is_met = is_met;
    for (int64_t t = 0; t < m->count; t++)
        is_met[t] = 0;
    for (int64_t t = 0; HAS_VALUES && t < m->count; t++)
        sums[t] = zero;
}

static inline int64_t mask_nnz(const IDX *is_met, int64_t count)
{
    int64_t n = 0;
    for (int64_t t = 0; t < count; t++)
        n += is_met[t];
    return n;
}

/* What was met, in order; where it is roomy, a place behind the last is written. */
static ALWAYS_INLINE void mask_extract(const mask_row *m, bool is_roomy,
                                       IDX *restrict Cj, VAL *restrict Cx)
{
    int64_t n = 0;
    for (int64_t t = 0; t < m->count; t++) {
        if (!is_roomy && !m->is_met[t])
            continue;
        Cj[n] = m->Mj[t];
        if (HAS_VALUES)
            Cx[n] = m->sums[t];
        n += m->is_met[t];
    }
}

/* What was met, to C, or counted alone. Returns how many; -1: no memory. */
static NOINLINE int64_t mask_end(const mask_row *m, bool is_numeric,
                                 output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    const int64_t n = mask_nnz(m->is_met, m->count);
    if (!is_numeric || n == 0)
        return n;
    if (!make_room(out, n, true, &Cj, &Cx))
        return -1;
    if (output_is_roomy(out, n))
        mask_extract(m, true, Cj, Cx);
    else
        mask_extract(m, false, Cj, Cx);
    output_take(out, n);
    return n;
}

#endif
