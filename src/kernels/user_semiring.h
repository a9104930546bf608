/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) by a semiring of the caller: elements are bytes, which its functions
   multiply and add. Columns are found in a table, sums kept in the order in
   which they are found. */
#ifndef SPGEMM_KERNELS_USER_SEMIRING_H
#define SPGEMM_KERNELS_USER_SEMIRING_H

#include "kernels/accumulators/hash.h"
#include "values/traits.h"

/* Doubles the table of n columns; sums and their order stay. false: no
   memory. */
static NOINLINE bool user_double(scratch *s, int64_t *slots, int64_t n)
{
    scratch old;
    spgemm_scratch_take_hash(s, &old);
    *slots *= 2;
    const bool is_grown = scratch_hash(s, *slots);
    for (int64_t t = 0; is_grown && t < n; t++) {
        const IDX j = ((const IDX *)old.columns)[t];
        const int64_t h = find_slot(s->keys, *slots, hash_shift(*slots), j);
        ((IDX *)s->keys)[h] = j;
        ((IDX *)s->spare)[h] = (IDX)t;
        ((IDX *)s->columns)[t] = j;
    }
    if (is_grown)
        memcpy(s->slot_sums, old.slot_sums, (size_t)n * s->value_size);
    spgemm_scratch_clear(&old);
    return is_grown;
}

/* The sum of column j, begun if it is new; NULL: no memory. */
static inline char *user_sum(const operands *ops, scratch *s, IDX j,
                             int64_t *slots, int64_t *n)
{
    int64_t h = find_slot(s->keys, *slots, hash_shift(*slots), j);
    if (((IDX *)s->keys)[h] == j)
        return (char *)s->slot_sums +
               (size_t)((IDX *)s->spare)[h] * s->value_size;
    if (2 * (*n + 1) > *slots) {
        if (!user_double(s, slots, *n))
            return NULL;
        h = find_slot(s->keys, *slots, hash_shift(*slots), j);
    }
    ((IDX *)s->keys)[h] = j;
    ((IDX *)s->spare)[h] = (IDX)*n;
    ((IDX *)s->columns)[*n] = j;
    char *sum = (char *)s->slot_sums + (size_t)*n * s->value_size;
    memcpy(sum, ops->user->zero, s->value_size);
    ++*n;
    return sum;
}

/* All products of row i in the columns of the range. Returns the columns found;
   -1: no memory. */
static int64_t user_add(const operands *ops, int64_t i, const row_range *range,
                        scratch *s, int64_t *slots)
{
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const IDX *Aj = A->colidx;
    const IDX *Bj = B->colidx;
    const char *Ax = A->values;
    const char *Bx = B->values;
    const size_t size = s->value_size;
    _Alignas(64) char term[USER_BYTES];
    int64_t n = 0;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
        for (int64_t q = B->rowptr[Aj[p]]; q < B->rowptr[Aj[p] + 1]; q++) {
            if (range->parts > 0 &&
                (Bj[q] < range->col_begin || Bj[q] >= range->col_end))
                continue;
            char *sum = user_sum(ops, s, Bj[q], slots, &n);
            if (!sum)
                return -1;
            ops->user->multiply(ops->user->context, term, Ax + (size_t)p * size,
                                Bx + (size_t)q * size);
            ops->user->add(ops->user->context, sum, term);
        }
    return n;
}

/* sum = alpha * sum, of the n columns found. */
static void user_scale(const operands *ops, scratch *s, int64_t n)
{
    const spgemm_user_semiring *user = ops->user;
    _Alignas(64) char scaled[USER_BYTES];
    for (int64_t t = 0; t < n; t++) {
        char *sum = (char *)s->slot_sums + (size_t)t * s->value_size;
        user->multiply(user->context, scaled, ops->epilogue->alpha, sum);
        memcpy(sum, scaled, s->value_size);
    }
}

/* Adds beta times what D has in row i. Returns the columns found, n of them
   before; -1: no memory. */
static int64_t user_add_d(const operands *ops, int64_t i, scratch *s,
                          int64_t *slots, int64_t n)
{
    const epilogue *f = ops->epilogue;
    const spgemm_user_semiring *user = ops->user;
    const IDX *Dj = f->D->colidx;
    _Alignas(64) char term[USER_BYTES];
    for (int64_t p = f->D->rowptr[i]; p < f->D->rowptr[i + 1]; p++) {
        const char *d = (const char *)f->D->values + (size_t)p * s->value_size;
        char *sum = user_sum(ops, s, Dj[p], slots, &n);
        if (!sum)
            return -1;
        if (f->beta)
            user->multiply(user->context, term, f->beta, d);
        user->add(user->context, sum, f->beta ? term : d);
    }
    return n;
}

/* Whether the mask lets C(i,j) pass. */
static inline bool user_passes(const operands *ops, int64_t i, IDX j)
{
    const spgemm_csr *mask = ops->mask       ? ops->mask
                             : ops->epilogue ? ops->epilogue->mask
                                             : NULL;
    if (!mask)
        return true;
    const IDX *Mj = mask->colidx;
    const int64_t end = mask->rowptr[i + 1];
    const int64_t p = lower_bound(Mj, mask->rowptr[i], end, j);
    return (p < end && Mj[p] == j) == (ops->mask != NULL);
}

/* Row i of C, or a part of it, to `out`; its nnz, -1: no memory. */
static int64_t user_row(const operands *ops, int64_t i, const row_range *range,
                        scratch *s, output *out)
{
    const int64_t predicted = prediction_row(
        ops->prediction, i, ops->products[i], ops->row_class[i], ops->B->ncols);
    int64_t slots = hash_slots(2 * predicted / max_i64(1, range->parts));
    if (!scratch_hash(s, slots))
        return -1;
    int64_t found = user_add(ops, i, range, s, &slots);
    if (found > 0 && ops->epilogue && ops->epilogue->alpha)
        user_scale(ops, s, found);
    if (found >= 0 && ops->epilogue && ops->epilogue->D)
        found = user_add_d(ops, i, s, &slots, found);
    if (found < 0 || !output_reserve(out, found))
        return -1;
    IDX *Cj = (IDX *)out->colidx + out->used;
    char *Cx = (char *)out->values + (size_t)out->used * s->value_size;
    int64_t n = 0;
    for (int64_t t = 0; t < found; t++) {
        const IDX j = ((const IDX *)s->columns)[t];
        if (user_passes(ops, i, j))
            Cj[n++] = j;
    }
    if (ops->sort_rows)
        sort_columns(Cj, s->columns, n);
    for (int64_t t = 0; t < n; t++) {
        const int64_t h = find_slot(s->keys, slots, hash_shift(slots), Cj[t]);
        memcpy(Cx + (size_t)t * s->value_size,
               (const char *)s->slot_sums +
                   (size_t)((const IDX *)s->spare)[h] * s->value_size,
               s->value_size);
    }
    memset(s->keys, 0xff, (size_t)slots * sizeof(IDX));
    output_take(out, n);
    return n;
}

static bool user_numeric(const operands *ops, const row_range *range,
                         scratch *s, output *out)
{
    for (int64_t i = range->row_begin; i < range->row_end; i++) {
        int64_t *nnz = &out->row_nnz[i - range->row_begin];
        *nnz = 0;
        if (operands_row_bound(ops, i) == 0)
            continue;
        *nnz = user_row(ops, i, range, s, out);
        if (*nnz < 0)
            return false;
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_HASH]++;
        output_end_rows(out, 1);
    }
    return true;
}

#endif
