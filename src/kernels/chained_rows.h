/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) = sum over k of A(i,k) W(k,:), W(k,:) = sum over l of M(k,l) B(l,:), for
   C = A (M B): a row of W is summed beside the row of C that needs it, and is gone.

   Columns get places in the order in which they are met, those of W the places of
   C. Both sums are begun as in a row of their own, and in its order: the bits are
   those of two products. Rows of A of the same columns share the rows of W. */
#ifndef SPGEMM_KERNELS_CHAINED_ROWS_H
#define SPGEMM_KERNELS_CHAINED_ROWS_H

#include "kernels/accumulators/hash.h"
#include "kernels/accumulators/supernode.h"
#include "kernels/row/together.h"

/* Rows of M are asked for so many entries of A ahead. */
#define AHEAD_CHAINED 12

/* Rows of B that are taken at once where they have the same columns, as those of
   the unknowns of a point of a solid have. */
#define CHAINED_TERMS 3

/* Where the rows in hand are summed. */
typedef struct chained_row {
    int rows;                   /* of A, of the same columns */
    int64_t length;             /* of each */
    int64_t n;                  /* columns met */
    IDX *restrict columns;      /* by place */
    int32_t *restrict place_of; /* by column; -1: not met */
    VAL *restrict row_of_W;     /* by place */
    VAL *restrict sums;         /* by place, of the first row of C */
    int64_t stride;             /* to those of the next */
    uint8_t *restrict marks; /* by place: W's row has it. 0 from the last word
                                   that has a place on */
    sum_rule rule;
} chained_row;

/* A place for column j. */
static inline int32_t chained_meet(chained_row *r, IDX j)
{
    if (r->n % 64 == 0)
        memset(r->marks + r->n, 0, 64);
    r->columns[r->n] = j;
    r->place_of[j] = (int32_t)r->n;
    return (int32_t)r->n++;
}

/* What is known of the rows of B, for all of a pass. */
typedef enum chained_kind {
    CHAINED_ANY,
    CHAINED_SINGLE, /* row l is entry l */
    CHAINED_ALIKE /* b_same_as_previous: many have the columns of the row before */
} chained_kind;

/* Whether CHAINED_TERMS entries of M from t on, before `end`, have rows of B that follow
   one another and have the same columns. */
static inline bool chained_alike(const operands *ops, int64_t t, int64_t end)
{
    const uint8_t *same = ops->b_same_as_previous;
    const IDX *Mj = (const IDX *)ops->middle->colidx + t;
    if (t + CHAINED_TERMS > end)
        return false;
    for (int u = 1; u < CHAINED_TERMS; u++)
        if (Mj[u] != Mj[0] + u || !same[Mj[u]])
            return false;
    return true;
}

static inline int32_t chained_place(chained_row *r, IDX j)
{
    const int32_t x = r->place_of[j];
    return UNLIKELY(x < 0) ? chained_meet(r, j) : x;
}

/* CHAINED_TERMS entries m of M, times rows of B of the same columns, of which the
   first is its entries [q, q_end): each sum is in memory once. */
static inline void chained_terms(chained_row *r, const operands *ops,
                                 const VAL *m, int64_t q, int64_t q_end)
{
    const IDX *restrict Bj = ops->B->colidx;
    const VAL *restrict Bx = ops->B->values;
    const int64_t length = q_end - q;
    VAL factors[CHAINED_TERMS];
    for (int u = 0; u < CHAINED_TERMS; u++)
        factors[u] = m[u];
    for (; q < q_end; q++) {
        const int32_t x = chained_place(r, Bj[q]);
        VAL sum = r->row_of_W[x];
        for (int u = 0; u < CHAINED_TERMS; u++)
            sum =
                semiring_add(SEMIRING, sum,
                             product(SEMIRING, factors[u], Bx, q + u * length));
        r->row_of_W[x] = sum;
        r->marks[x] = 1;
    }
}

/* W(k,:), and which places it has. */
static ALWAYS_INLINE void chained_sum(chained_row *r, const operands *ops,
                                      int64_t k, chained_kind kind)
{
    const int64_t *Mp = ops->middle->rowptr;
    const IDX *restrict Mj = ops->middle->colidx;
    const VAL *restrict Mx = ops->middle->values;
    const int64_t *Bp = ops->B->rowptr;
    const IDX *restrict Bj = ops->B->colidx;
    const VAL *restrict Bx = ops->B->values;
    const int64_t end = Mp[k + 1];
    for (int64_t t = Mp[k]; t < end; t++) {
        const int64_t l = Mj[t];
        const VAL m = Mx[t];
        const int64_t q_end = kind == CHAINED_SINGLE ? l + 1 : Bp[l + 1];
        int64_t q = kind == CHAINED_SINGLE ? l : Bp[l];
        if (kind == CHAINED_ALIKE && chained_alike(ops, t, end)) {
            chained_terms(r, ops, Mx + t, q, q_end);
            t += CHAINED_TERMS - 1;
            continue;
        }
        for (; q < q_end; q++) {
            const int32_t x = chained_place(r, Bj[q]);
            r->row_of_W[x] = semiring_add(SEMIRING, r->row_of_W[x],
                                          product(SEMIRING, m, Bx, q));
            r->marks[x] = 1;
        }
    }
}

/* Adds W(k,:) to the rows of C, by entry p of the first row of A and its like;
   leaves it clean. Returns the entries it had. */
static inline int64_t chained_add(chained_row *r, const VAL *Ax, int64_t p)
{
    int64_t count = 0;
    for (int64_t w = 0; w < r->n; w += 64) {
        uint64_t bits = nonzero_bytes(r->marks + w);
        memset(r->marks + w, 0, 64);
        count += count_bits(bits);
        for (; bits; bits &= bits - 1) {
            const int64_t x = w + __builtin_ctzll(bits);
            const VAL value = leave(r->row_of_W[x], r->rule);
            r->row_of_W[x] = r->rule.untouched;
            for (int u = 0; u < r->rows; u++) {
                VAL *sum = r->sums + u * r->stride + x;
                *sum = semiring_add(
                    SEMIRING, *sum,
                    product(SEMIRING, Ax[p + u * r->length], &value, 0));
            }
        }
    }
    return count;
}

static inline void chained_prefetch(const operands *ops, int64_t p)
{
    if (p + AHEAD_CHAINED >= ops->A->nnz)
        return;
    const int64_t k = ((const IDX *)ops->A->colidx)[p + AHEAD_CHAINED];
    const int64_t end = ops->middle->rowptr[k + 1];
    const IDX *Mj = ops->middle->colidx;
    const VAL *Mx = ops->middle->values;
    for (int64_t t = ops->middle->rowptr[k]; t < end;
         t += 64 / (int64_t)sizeof(VAL)) {
        PREFETCH(Mj + t);
        PREFETCH(Mx + t);
    }
}

/* The rows of C, side by side, columns in order; leaves all clean. */
static inline void chained_extract(chained_row *r, IDX *spare, IDX *Cj, VAL *Cx)
{
    sort_columns(r->columns, spare, r->n);
    for (int u = 0; u < r->rows; u++) {
        VAL *sums = r->sums + u * r->stride;
        for (int64_t t = 0; t < r->n; t++) {
            Cj[u * r->n + t] = r->columns[t];
            Cx[u * r->n + t] = leave(sums[r->place_of[r->columns[t]]], r->rule);
        }
        for (int64_t x = 0; x < r->n; x++)
            sums[x] = r->rule.untouched;
    }
    for (int64_t t = 0; t < r->n; t++)
        r->place_of[r->columns[t]] = -1;
}

/* Room for the sums of row i, whose columns are no more than its products. */
static inline bool chained_begin(chained_row *r, const operands *ops, int64_t i,
                                 int64_t end, scratch *s)
{
    const int64_t most = min_i64(ops->products[i], ops->B->ncols);
    if (!make_supernode(SEMIRING, s, most) ||
        !scratch_hash(s, hash_slots(most)) || !scratch_words(s, most / 8 + 8) ||
        (ops->B->ncols > s->position_columns &&
         !spgemm_scratch_grow_positions(s, ops->B->ncols)))
        return false;
    *r = (chained_row){.rows = rows_together(ops->A, sizeof(IDX), i, end),
                       .length = ops->A->rowptr[i + 1] - ops->A->rowptr[i],
                       .columns = s->columns,
                       .place_of = s->positions,
                       .row_of_W = s->sums,
                       .sums = s->supernode_sums,
                       .stride = s->supernode_stride,
                       .marks = (uint8_t *)s->words64,
                       .rule = sum_rule_of(SEMIRING)};
    return true;
}

/* Row i, and rows behind it of the same columns; returns how many they are, -1: no
   memory. */
static ALWAYS_INLINE int64_t chained_rows(const operands *ops, int64_t i,
                                          int64_t end, chained_kind kind,
                                          scratch *s, output *out, int64_t *nnz)
{
    const int64_t *Ap = ops->A->rowptr;
    const IDX *Aj = ops->A->colidx;
    const int64_t *Mp = ops->middle->rowptr;
    chained_row r;
    IDX *Cj;
    VAL *Cx;
    int64_t made = 0;
    int64_t rows_of_W = 0;
    if (!chained_begin(&r, ops, i, end, s))
        return -1;
    for (int64_t p = Ap[i]; p < Ap[i + 1]; p++) {
        chained_prefetch(ops, p);
        chained_sum(&r, ops, Aj[p], kind);
        made += chained_add(&r, ops->A->values, p);
        rows_of_W += Mp[Aj[p]] < Mp[Aj[p] + 1];
    }
    if (!make_room(out, r.rows * r.n, true, &Cj, &Cx))
        return -1;
    chained_extract(&r, s->spare, Cj, Cx);
    output_take(out, r.rows * r.n);
    for (int u = 0; u < r.rows; u++)
        nnz[u] = r.n;
    s->chained_products += r.rows * made;
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE] += r.rows + rows_of_W;
    return r.rows;
}

/* numeric() of C = A (M B). */
static bool chained(const operands *ops, const row_range *range, scratch *s,
                    output *out)
{
    int64_t rows;
    const bool is_single = operands_b_has_one_each(ops);
    for (int64_t i = range->row_begin; i < range->row_end; i += rows) {
        int64_t *nnz = &out->row_nnz[i - range->row_begin];
        *nnz = 0;
        rows = 1;
        if (ops->products[i] == 0)
            continue;
        rows = is_single ? chained_rows(ops, i, range->row_end, CHAINED_SINGLE,
                                        s, out, nnz)
               : ops->b_same_as_previous
                   ? chained_rows(ops, i, range->row_end, CHAINED_ALIKE, s, out,
                                  nnz)
                   : chained_rows(ops, i, range->row_end, CHAINED_ANY, s, out,
                                  nnz);
        if (rows < 0)
            return false;
        output_end_rows(out, rows);
    }
    SPGEMM_ASSERT_EXPENSIVE(spgemm_scratch_is_clean(s));
    return true;
}

#endif
