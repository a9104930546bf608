/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = a B(k,:) of the one entry a of A's row i, or C(i,j(k)) = A(i,k) b(k) of
   rows k of B of one entry at most, each right of those above: products in the
   order of their columns, no two of which meet. Of a diagonal A or B, and of one
   that chooses rows or columns. Where C's columns are known, its values alone. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SCALE_H
#define SPGEMM_KERNELS_ACCUMULATORS_SCALE_H

#include "kernels/row/room.h"
#include "kernels/row/row_extent.h"

/* Rows of A that are taken together at most: what they need is asked for before. */
#define SCALE_ROWS 64

/* Whether row i of C is scaled. */
static inline bool is_scaled(const operands *ops, int64_t i)
{
    const int64_t *Ap = ops->A->rowptr;
    return ops->scales_columns || (Ap[i + 1] - Ap[i] == 1 && ops->b_is_sorted);
}

static ALWAYS_INLINE void scale_each(spgemm_semiring sr, const IDX *restrict Bj,
                                     const VAL *restrict Bx, VAL a,
                                     int64_t begin, int64_t end,
                                     bool has_columns, IDX *restrict Cj,
                                     VAL *restrict Cx)
{
#pragma omp simd
    for (int64_t q = begin; q < end; q++) {
        if (!has_columns)
            Cj[q - begin] = Bj[q];
        if (HAS_VALUES)
            Cx[q - begin] =
                semiring_add(sr, zero_of(sr), product(sr, a, Bx, q));
    }
}

/* Entries [begin, end) of B times a. Cj is NULL where the columns are there. */
static ROW_OF_SEMIRING void scale_some(spgemm_semiring semiring, const IDX *Bj,
                                       const VAL *Bx, VAL a, int64_t begin,
                                       int64_t end, IDX *Cj, VAL *Cx)
{
    WITH_SEMIRING(semiring, sr, {
        if (!Cj)
            scale_each(sr, Bj, Bx, a, begin, end, true, Cj, Cx);
        else
            scale_each(sr, Bj, Bx, a, begin, end, false, Cj, Cx);
    });
}

/* The same by eights: up to seven entries behind are read and written, too. */
static ALWAYS_INLINE void scale_eights(spgemm_semiring sr,
                                       const VAL *restrict Bx, VAL a,
                                       int64_t begin, int64_t end,
                                       VAL *restrict Cx)
{
    for (int64_t q = begin; q < end; q += 8, Cx += 8) {
#pragma omp simd
        for (int t = 0; t < 8; t++)
            Cx[t] = semiring_add(sr, zero_of(sr), product(sr, a, Bx, q + t));
    }
}

/* Of n > 0 of them. */
static inline void copy_eights(const IDX *restrict Bj, int64_t n,
                               IDX *restrict Cj)
{
    memcpy(Cj, Bj, 8 * sizeof *Cj);
    if (n > 8)
        memcpy(Cj + 8, Bj + 8, (size_t)(n - 8) * sizeof *Cj);
}

/* Whether eights are a vector, or some. */
#ifdef VALUE_IS_COMPLEX
#define SCALES_EIGHTS false
#else
#define SCALES_EIGHTS true
#endif

/* Whether the rows of B that entries [begin, end) of A name follow one another. */
static inline bool names_a_run(const IDX *Aj, int64_t begin, int64_t end)
{
    int64_t others = 0;
#pragma omp simd reduction(+ : others)
    for (int64_t p = begin; p < end; p++)
        others += (int64_t)Aj[p] - Aj[begin] != p - begin;
    return others == 0;
}

/* Rows of C, `room` entries together, of entries [begin, end) of A, one each. */
static ALWAYS_INLINE void scale_rows_of_b(spgemm_semiring sr,
                                          const operands *ops, int64_t begin,
                                          int64_t end, int64_t room, IDX *Cj,
                                          VAL *Cx)
{
    const int64_t *Bp = ops->B->rowptr;
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = ops->B->colidx;
    const VAL *Bx = ops->B->values;
    int64_t n = 0;
    if (!Cj && !HAS_VALUES)
        return;
    for (int64_t p = begin; p < end; p++) {
        const int64_t q = Bp[Aj[p]];
        const int64_t q_end = Bp[Aj[p] + 1];
        if (q == q_end)
            continue;
        const int64_t eights = (q_end - q + 7) & ~(int64_t)7;
        const VAL a = value_a(sr, ops->A->values, p);
        if (!SCALES_EIGHTS || q + eights > ops->B->nnz || n + eights > room) {
            scale_some(sr, Bj, Bx, a, q, q_end, Cj ? Cj + n : NULL,
                       values_at(Cx, n));
        } else {
            if (Cj)
                copy_eights(Bj + q, q_end - q, Cj + n);
            if (HAS_VALUES)
                scale_eights(sr, Bx, a, q, q_end, values_at(Cx, n));
        }
        n += q_end - q;
    }
}

/* The columns of those rows: false if they are not there. */
static inline bool copy_columns(const operands *ops, int64_t begin, int64_t end,
                                int64_t room, IDX *Cj)
{
    const IDX *Aj = ops->A->colidx;
    const IDX *Bj = ops->B->colidx;
    if (!names_a_run(Aj, begin, end)) {
        if (!b_is_near(ops->B))
            prefetch_rows(ops, begin, end, true);
        return false;
    }
    if (!SCALES_EIGHTS)
        return false;
    memcpy(Cj, Bj + ops->B->rowptr[Aj[begin]], (size_t)room * sizeof *Cj);
    return true;
}

/* Entries [begin, end) of A, times B's row of each, which is its entry k. */
static ALWAYS_INLINE void scale_by_each(spgemm_semiring sr, const operands *ops,
                                        int64_t begin, int64_t end,
                                        IDX *restrict Cj, VAL *restrict Cx)
{
    const IDX *restrict Aj = ops->A->colidx;
    const IDX *restrict Bj = ops->B->colidx;
    const VAL *restrict Ax = ops->A->values;
    const VAL *restrict Bx = ops->B->values;
    for (int64_t p = begin; p < end && Cj; p++)
        Cj[p - begin] = Bj[Aj[p]];
    for (int64_t p = begin; p < end && HAS_VALUES; p++)
        Cx[p - begin] = semiring_add(
            sr, zero_of(sr), product(sr, value_a(sr, Ax, p), Bx, Aj[p]));
}

/* The same of rows that may be empty. */
static ALWAYS_INLINE void scale_by_some(spgemm_semiring sr, const operands *ops,
                                        int64_t begin, int64_t end,
                                        IDX *restrict Cj, VAL *restrict Cx)
{
    const int64_t *restrict Bp = ops->B->rowptr;
    const IDX *restrict Aj = ops->A->colidx;
    const IDX *restrict Bj = ops->B->colidx;
    const VAL *restrict Ax = ops->A->values;
    const VAL *restrict Bx = ops->B->values;
    int64_t n = 0;
    for (int64_t p = begin; p < end; p++) {
        const int64_t q = Bp[Aj[p]];
        if (q == Bp[Aj[p] + 1])
            continue;
        Cj[n] = Bj[q];
        if (HAS_VALUES)
            Cx[n] = semiring_add(sr, zero_of(sr),
                                 product(sr, value_a(sr, Ax, p), Bx, q));
        n++;
    }
}

/* `total` entries of C, of entries [begin, end) of A, of rows or of columns that are
   scaled: a matrix may have both. */
static NOINLINE void scale_entries(const operands *ops, bool scales_columns,
                                   int64_t begin, int64_t end, int64_t total,
                                   IDX *Cj, VAL *Cx)
{
    if (!scales_columns)
        WITH_SEMIRING(semiring_of(ops), sr,
                      scale_rows_of_b(sr, ops, begin, end, total, Cj, Cx));
    else if (operands_b_has_one_each(ops))
        WITH_SEMIRING(semiring_of(ops), sr,
                      scale_by_each(sr, ops, begin, end, Cj, Cx));
    else
        WITH_SEMIRING(semiring_of(ops), sr,
                      scale_by_some(sr, ops, begin, end, Cj, Cx));
}

/* Row i, which is scaled, and those behind it, up to `end`, that are as well and
   fit where it does: their nnz is written. Returns how many they are; -1: no
   memory. */
static NOINLINE int64_t scale_rows(const operands *ops, int64_t i, int64_t end,
                                   scratch *s, output *out, int64_t *nnz)
{
    const int64_t *Ap = ops->A->rowptr;
    const int64_t *products = ops->products + i;
    const int64_t most = min_i64(end - i, SCALE_ROWS);
    int64_t rows = 1;
    int64_t empty = 0;
    int64_t total = products[0];
    IDX *Cj;
    VAL *Cx;
    if (!make_room(out, total, true, &Cj, &Cx))
        return -1;
    nnz[0] = total;
    while (rows < most && is_scaled(ops, i + rows) &&
           output_has_room(out, total + products[rows])) {
        nnz[rows] = products[rows];
        empty += products[rows] == 0;
        total += products[rows++];
    }
    const int64_t first = Ap[i];
    const int64_t last = Ap[i + rows];
    const bool has_columns =
        !ops->scales_columns && copy_columns(ops, first, last, total, Cj);
    scale_entries(ops, ops->scales_columns, first, last, total,
                  has_columns ? NULL : Cj, Cx);
    output_take(out, total);
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC] += rows - empty;
    return rows;
}

/* Whether all rows are, and the entries of each are those of B's row, or of A's. */
static inline bool is_scaled_in_place(const operands *ops)
{
    return ops->scales_rows ||
           (ops->scales_columns && operands_b_has_one_each(ops));
}

/* The values of a range of rows of C, whose structure is known, to Cx. */
static inline void scale_in_place(const operands *ops, const row_range *range,
                                  scratch *s, const int64_t *Cp, VAL *Cx)
{
    const int64_t *Ap = ops->A->rowptr;
    int64_t rows = 0;
    for (int64_t i = range->row_begin; i < range->row_end; i++)
        rows += Cp[i] != Cp[i + 1];
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_ESC] += rows;
    scale_entries(ops, !ops->scales_rows, Ap[range->row_begin],
                  Ap[range->row_end], Cp[range->row_end] - Cp[range->row_begin],
                  NULL, Cx);
}

#endif
