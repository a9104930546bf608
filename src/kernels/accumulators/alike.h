/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i + u, first + x) = sums[x][u]: up to four rows of A with the same columns, where
   B's columns come in no runs, as those of a prolongator of each unknown by itself.
   Each entry of B is read once, and added to the sums of all rows, which lie side by
   side. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_ALIKE_H
#define SPGEMM_KERNELS_ACCUMULATORS_ALIKE_H

#include "kernels/accumulators/lines.h"
#include "kernels/row/row.h"
#include "kernels/row/take.h"
#include "kernels/simd/four.h"

#define ALIKE_ROWS 4

static inline void alike_mark(uint8_t *lines, uint8_t *words, int64_t x)
{
    lines[x >> 3] |= (uint8_t)(1u << (x & 7));
    words[x >> 6] = 1;
}

/* at[u] += a[u] b: of all rows, there or not, where that is a vector. */
static ALWAYS_INLINE void alike_add_entry(spgemm_semiring sr, four a, int rows,
                                          VAL b, VAL *at)
{
#if defined(FOUR_ARRAY)
    for (int u = 0; u < rows; u++)
        at[u] =
            semiring_add(sr, at[u], semiring_multiply(sr, four_get(&a, u), b));
#else
    (void)rows;
    four_store(at, four_add(sr, four_load(at), a, four_of(b, b, b, b)));
#endif
}

static ALWAYS_INLINE void alike_add(spgemm_semiring sr, const c_row *r,
                                    int rows, bool marks, scratch *s)
{
    const int64_t *restrict Bp = r->Bp;
    const IDX *restrict Bj = r->Bj;
    const VAL *restrict Bx = r->Bx;
    VAL *restrict sums = s->supernode_sums;
    uint8_t *restrict lines = s->lines;
    uint8_t *restrict words = s->words;
    const int64_t first = r->first;
    /* Rows that are not there are the first, once more. */
    const VAL *Ax[ALIKE_ROWS];
    for (int u = 0; u < ALIKE_ROWS; u++)
        Ax[u] = reads_a(sr) ? r->Ax + (u < rows ? u : 0) * r->length : NULL;
    for (int64_t p = 0; p < r->length; p++) {
        const four a = four_of(value_a(sr, Ax[0], p), value_a(sr, Ax[1], p),
                               value_a(sr, Ax[2], p), value_a(sr, Ax[3], p));
        const int64_t end = Bp[r->Aj[p] + 1];
        for (int64_t q = Bp[r->Aj[p]]; q < end; q++) {
            const int64_t x = (int64_t)Bj[q] - first;
            alike_add_entry(sr, a, rows, reads_b(sr) ? Bx[q] : (VAL)0,
                            sums + ALIKE_ROWS * x);
            if (marks)
                alike_mark(lines, words, x);
        }
    }
}

/* Sums all products of `rows` rows that have the columns of the first, r. */
static NOINLINE void alike_sum(const c_row *r, int rows, bool marks, scratch *s)
{
    if (marks)
        WITH_SEMIRING(semiring_of_row(r), sr, alike_add(sr, r, rows, true, s));
    else
        WITH_SEMIRING(semiring_of_row(r), sr, alike_add(sr, r, rows, false, s));
}

/* The columns alone. */
static inline void alike_mark_all(const c_row *r, scratch *s)
{
    for (int64_t p = 0; p < r->length; p++)
        for (int64_t q = r->Bp[r->Aj[p]]; q < r->Bp[r->Aj[p] + 1]; q++)
            alike_mark(s->lines, s->words, (int64_t)r->Bj[q] - r->first);
}

/* Cx[u n + t] = the sum of row u and column Cj[t], t < n; all are wiped. */
static ALWAYS_INLINE void alike_take(scratch *s, sum_rule rule, int rows,
                                     const IDX *restrict Cj, int64_t n,
                                     int64_t first, VAL *restrict Cx)
{
    VAL *restrict sums = s->supernode_sums;
    for (int64_t t = 0; t < n; t++) {
        VAL *at = sums + ALIKE_ROWS * ((int64_t)Cj[t] - first);
        for (int u = 0; u < rows; u++)
            Cx[u * n + t] = leave(at[u], rule);
        for (int u = 0; u < ALIKE_ROWS; u++)
            at[u] = rule.untouched;
    }
}

#endif
