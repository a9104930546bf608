/* SPDX-License-Identifier: BSD-3-Clause */
/* What the modules share about matrices, beyond the public header. */
#ifndef SPGEMM_MATRIX_CSR_H
#define SPGEMM_MATRIX_CSR_H

#include "alloc/memory.h"
#include "common/compiler.h"
#include "spgemm/spgemm.h"
#include "values/traits.h"

/** Bytes of one value. */
static inline size_t spgemm_value_size(spgemm_value_type type)
{
    return spgemm_value_bytes(type);
}

/** Bytes of one value as A stores it: 0 where it is a pattern. */
static inline size_t spgemm_csr_element_size(const spgemm_csr *A)
{
    return A->values ? spgemm_value_bytes(A->value_type) : 0;
}

/** Whether every index in [0, n) fits the type. */
static inline bool spgemm_index_holds(spgemm_index_type type, int64_t n)
{
    return type == SPGEMM_I64 || n <= (int64_t)INT32_MAX;
}

/** Sizes, types and flags, in O(1): what must hold before anything is read. `name`
    is what a refusal calls A; "" calls its members by their own names. */
spgemm_status spgemm_csr_check_header(const spgemm_csr *A, const char *name);

/** Whether the arrays of the structure are there; check the header first. */
spgemm_status spgemm_csr_check_structure(const spgemm_csr *A, const char *name);

/* Somebody who wants to see all rows while the check has them in the cache:
   visit() by several threads, each row once, after one begin(). Rows may be
   unsorted, and columns out of range. */
typedef struct csr_visitor {
    void *context;
    spgemm_status (*begin)(void *context);
    void (*visit)(void *context, int64_t row_begin, int64_t row_end);
} csr_visitor;

/**
 * The full check by `nthreads` threads (0: the default), for matrices that are
 * not flagged sorted too: *is_sorted tells whether columns strictly increase.
 * visitor may be NULL; a failure of its begin() is returned. fault->operand is
 * set before: what a refusal calls A.
 */
spgemm_status spgemm_csr_check_full(const spgemm_csr *A, int nthreads,
                                    const csr_visitor *visitor, bool *is_sorted,
                                    spgemm_fault *fault);

/**
 * The check of a B of which a product reads little: all its row pointers, and the
 * entries of the rows that A, which is checked, has entries for. Errors as
 * spgemm_csr_check_full(); *is_sorted tells of these rows. All entries are checked
 * where one of these is wrong, or where these are as many as half of B's entries
 * and rows.
 */
spgemm_status spgemm_csr_check_met(const spgemm_csr *B, const spgemm_csr *A,
                                   int nthreads, bool *is_sorted,
                                   spgemm_fault *fault);

/**
 * Arrays for A's shape and types and nnz entries, from an account that goes
 * on; no values for a pattern. rowptr is zeroed. A is untouched on failure.
 */
spgemm_status spgemm_csr_allocate(spgemm_csr *A, memory *m, int64_t nnz,
                                  bool has_values);

/** colidx and values of A for nnz entries, of which the first stay. On failure
    A can only be given back. */
spgemm_status spgemm_csr_resize(spgemm_csr *A, memory *m, int64_t nnz);

/** Gives the arrays of a matrix that owns its nnz entries back to the account
    they are of, and zeroes it. Accepts a zeroed struct. */
void spgemm_csr_release(spgemm_csr *A, memory *m);

/** Whether X and Y are views of one pattern: of the same arrays. O(1). */
static inline bool csr_share_pattern(const spgemm_csr *X, const spgemm_csr *Y)
{
    return X->nrows == Y->nrows && X->ncols == Y->ncols && X->nnz == Y->nnz &&
           X->rowptr == Y->rowptr && X->colidx == Y->colidx &&
           X->index_type == Y->index_type;
}

/** 64 bits of the shape, types and pattern of A: those of another are others,
    but by rare accident. The same for any number of threads. O(nrows + nnz). */
uint64_t spgemm_csr_checksum(const spgemm_csr *A, int nthreads);

/** 64 bits of an array of so many bytes, by a team of so many threads. */
uint64_t spgemm_bytes_checksum(const void *array, int64_t bytes, int team);

/** Whether columns strictly increase in every row. Costs a full check, which
    looks at all rows at once: a fourth of looking at one after another. */
bool spgemm_csr_is_sorted(const spgemm_csr *A, int nthreads);

/**
 * T = A transposed, or its conjugate transpose, of a matrix that is well formed
 * and whose SPGEMM_SORTED_ROWS can be trusted. Rows of T are sorted, stably;
 * they are flagged so unless A has duplicates. T is untouched on failure.
 *
 * @note Time O(nrows + ncols + nnz); memory T and min(8 bytes a column and
 *       thread, 8 bytes an entry).
 */
spgemm_status spgemm_csr_transpose_into(spgemm_csr *T, const spgemm_csr *A,
                                        bool conjugate, int nthreads,
                                        memory *m);

/** The same of T's header and row pointers alone: colidx and values are NULL, and T is
    not flagged. */
spgemm_status spgemm_csr_transpose_counts(spgemm_csr *T, const spgemm_csr *A,
                                          int nthreads, memory *m);

/** spgemm_csr_sort_rows() of a matrix that is well formed. */
spgemm_status spgemm_csr_sort_rows_of(spgemm_csr *A, int nthreads, memory *m);

/** *out = X, which is well formed, with its rows sorted: columns and values are of m, the
    row pointers those of X. To be cleared on failure, too. Flagged as sorted unless X
    has duplicates. */
spgemm_status spgemm_csr_copy_sorted(spgemm_csr *out, const spgemm_csr *X,
                                     int nthreads, memory *m);

/** Gives such a copy back. Accepts a zeroed struct. */
void spgemm_csr_copy_clear(spgemm_csr *out, memory *m);

/** Whether at least `share` > 0 of the rows of A have the columns of the row
    `period` before, each plus shift, as far as some rows spread over A show: no
    more are compared than it takes to tell. Reads within the arrays of a matrix
    that is not checked yet. */
bool spgemm_csr_is_often_same(const spgemm_csr *A, int64_t period,
                              int64_t shift, double share);

/** The shift by which row i, not empty, has the columns of row i - period; 0:
    it has others. Reads within the arrays as well. */
int64_t spgemm_csr_row_shift(const spgemm_csr *A, int64_t i, int64_t period);

/** same[i] = whether row i, not empty, has the columns of row i - 1, for i in
    [begin, end). O(entries of these rows). */
void spgemm_csr_mark_same(const spgemm_csr *A, int64_t begin, int64_t end,
                          uint8_t *same);

/** Whether no row in [begin, end) has two entries. */
bool spgemm_csr_rows_are_single(const spgemm_csr *A, int64_t begin,
                                int64_t end);

/** Whether each entry of the rows [begin, end) lies right of the one before it, of
    whatever row that is. */
bool spgemm_csr_columns_increase(const spgemm_csr *A, int64_t begin,
                                 int64_t end);

/**
 * Column p of an array of either index type. `is_wide` is a constant where
 * this is used: the compiler makes one loop of each.
 */
static ALWAYS_INLINE int64_t column_at(const void *colidx, bool is_wide,
                                       int64_t p)
{
    return is_wide ? ((const int64_t *)colidx)[p]
                   : ((const int32_t *)colidx)[p];
}

/* Whether row i of a matrix that may not have been checked yet lies within its arrays,
   and is not empty. */
static ALWAYS_INLINE bool spgemm_csr_row_is_inside(const spgemm_csr *A,
                                                   int64_t i)
{
    return 0 <= A->rowptr[i] && A->rowptr[i] < A->rowptr[i + 1] &&
           A->rowptr[i + 1] <= A->nnz;
}

/* The first position in [p, end) whose column is at least j. */
static ALWAYS_INLINE int64_t column_search(const void *colidx, bool is_wide,
                                           int64_t p, int64_t end, int64_t j)
{
    while (p < end) {
        const int64_t middle = p + (end - p) / 2;
        if (column_at(colidx, is_wide, middle) < j)
            p = middle + 1;
        else
            end = middle;
    }
    return p;
}

static ALWAYS_INLINE void set_column(void *colidx, bool is_wide, int64_t p,
                                     int64_t j)
{
    if (is_wide)
        ((int64_t *)colidx)[p] = j;
    else
        ((int32_t *)colidx)[p] = (int32_t)j;
}

#endif
