/* SPDX-License-Identifier: BSD-3-Clause */
/* The products of one row of C: A(i,k) * B(k,j) for k in A's row, in its
   order, and j in [first, last]. */
#ifndef SPGEMM_KERNELS_ROW_ROW_H
#define SPGEMM_KERNELS_ROW_ROW_H

#include "kernels/row/unit.h"
#include "matrix/csr.h"

typedef struct c_row {
    spgemm_semiring semiring; /* for WITH_SEMIRING */
    const IDX *Aj;            /* [length] */
    const VAL *Ax; /* [length]; NULL in a symbolic pass, or not read */
    int64_t length;
    const int64_t *Bp;
    const IDX *Bj;
    const VAL *Bx; /* NULL in a symbolic pass, or not read */
    bool b_is_sorted;
    bool is_clipped; /* B's rows reach beyond [first, last]; they are sorted */
    int64_t first;
    int64_t last;
    int64_t products;   /* at most, in [first, last] */
    int64_t predicted;  /* nnz */
    int64_t longest;    /* products of one row of B; 0: not known */
    int64_t longest_at; /* its place in A's row */
    bool is_counted;    /* in the report: once, for a row in parts */
    bool is_long;       /* B's rows are asked for as they are added: ahead.h */
    bool is_alike; /* a row of A beside it has its columns, as far as marked */
} c_row;

/* Columns that the row may have. */
static inline int64_t row_width(const c_row *r)
{
    return r->last - r->first + 1;
}

/* The semiring of a product: a constant in kernels of one. */
static ALWAYS_INLINE spgemm_semiring semiring_of(const operands *ops)
{
#if defined(SEMIRING)
    (void)ops;
    return SEMIRING;
#else
    return ops->semiring;
#endif
}

static ALWAYS_INLINE spgemm_semiring semiring_of_row(const c_row *r)
{
#if defined(SEMIRING)
    (void)r;
    return SEMIRING;
#else
    return r->semiring;
#endif
}

/* The first position in [p, end) of B whose column is at least j. */
static int64_t lower_bound(const IDX *restrict Bj, int64_t p, int64_t end,
                           int64_t j)
{
    return column_search(Bj, sizeof(IDX) == sizeof(int64_t), p, end, j);
}

/* Positions [*p, *end) of row k of B that lie in [first, last]. */
static inline void b_range(const c_row *r, int64_t k, int64_t *p, int64_t *end)
{
    *p = r->Bp[k];
    *end = r->Bp[k + 1];
    if (r->is_clipped) {
        *p = lower_bound(r->Bj, *p, *end, r->first);
        *end = lower_bound(r->Bj, *p, *end, r->last + 1);
    }
}

/* Short rows are sorted, wanted or not: limits.h. */
static inline bool sorts_row(const c_row *r, const operands *ops)
{
    return ops->sort_rows ||
           (!r->is_clipped && is_short(r->products, ops->B->ncols));
}

#endif
