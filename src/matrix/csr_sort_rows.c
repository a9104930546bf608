/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row of A by increasing column, entries of one column in their order.

   Merge sort from the bottom up on (column, value) pairs, with a buffer as
   long as the longest row that needs one. */
#include "matrix/csr.h"

#include "common/checked.h"
#include "common/try.h"

typedef struct entry {
    int64_t column;
    double value;
} entry;

#define INSERTION_LENGTH 16

static void insertion_sort(entry *row, int64_t length)
{
    for (int64_t p = 1; p < length; p++) {
        const entry moving = row[p];
        int64_t q = p;
        for (; q > 0 && row[q - 1].column > moving.column; q--)
            row[q] = row[q - 1];
        row[q] = moving;
    }
}

/* out[0 .. n) = the merge of in[0 .. middle) and in[middle .. n); equal columns
   from the left first. */
static void merge(entry *out, const entry *in, int64_t middle, int64_t n)
{
    int64_t left = 0;
    int64_t right = middle;
    for (int64_t p = 0; p < n; p++) {
        const bool take_left =
            left < middle &&
            (right >= n || in[left].column <= in[right].column);
        out[p] = in[take_left ? left++ : right++];
    }
}

/* Sorts row[0 .. n) with spare[0 .. n); returns the one that holds the result. */
static entry *merge_sort(entry *row, entry *spare, int64_t n)
{
    for (int64_t p = 0; p < n; p += INSERTION_LENGTH)
        insertion_sort(row + p, min_i64(INSERTION_LENGTH, n - p));
    for (int64_t width = INSERTION_LENGTH; width < n; width *= 2) {
        for (int64_t p = 0; p < n; p += 2 * width)
            merge(spare + p, row + p, min_i64(width, n - p),
                  min_i64(2 * width, n - p));
        entry *swap = row;
        row = spare;
        spare = swap;
    }
    return row;
}

static ALWAYS_INLINE void sort_row(spgemm_csr *A,
                                   bool is_wide,
                                   int64_t begin,
                                   int64_t end,
                                   entry *buffer,
                                   int64_t half)
{
    double *Ax = A->values;
    const int64_t n = end - begin;
    for (int64_t p = 0; p < n; p++)
        buffer[p] = (entry){column_at(A->colidx, is_wide, begin + p),
                            Ax ? Ax[begin + p] : 0.0};
    const entry *sorted = merge_sort(buffer, buffer + half, n);
    for (int64_t p = 0; p < n; p++) {
        set_column(A->colidx, is_wide, begin + p, sorted[p].column);
        if (Ax)
            Ax[begin + p] = sorted[p].value;
    }
}

/* Whether no column of row i steps back or, when strict, repeats. */
static bool
row_increases(const spgemm_csr *A, bool is_wide, int64_t i, bool is_strict)
{
    for (int64_t p = A->rowptr[i] + 1; p < A->rowptr[i + 1]; p++)
        if (column_at(A->colidx, is_wide, p) <
            column_at(A->colidx, is_wide, p - 1) + is_strict)
            return false;
    return true;
}

/* Entries of the longest row that is out of order. */
static int64_t longest_unordered(const spgemm_csr *A, bool is_wide)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t length = A->rowptr[i + 1] - A->rowptr[i];
        if (length > longest && !row_increases(A, is_wide, i, false))
            longest = length;
    }
    return longest;
}

spgemm_status spgemm_csr_sort_rows(spgemm_csr *A)
{
    bool is_sorted;
    memory m;
    const spgemm_status status =
        spgemm_csr_check_full(A, 0, NULL, &is_sorted, &(spgemm_fault){0});
    if (status < 0)
        return status;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int64_t half = longest_unordered(A, is_wide);
    if (half > 0) {
        spgemm_memory_init(&m, &A->allocator);
        entry *buffer = spgemm_memory_allocate(&m, 2 * half, sizeof *buffer);
        if (!buffer)
            return SPGEMM_ERROR_OUT_OF_MEMORY;
        for (int64_t i = 0; i < A->nrows; i++)
            if (!row_increases(A, is_wide, i, false))
                sort_row(A, is_wide, A->rowptr[i], A->rowptr[i + 1], buffer,
                         half);
        spgemm_memory_release(&m, buffer, 2 * half, sizeof *buffer);
    }
    bool is_strict = true;
    for (int64_t i = 0; is_strict && i < A->nrows; i++)
        is_strict = row_increases(A, is_wide, i, true);
    if (is_strict)
        A->flags |= SPGEMM_SORTED_ROWS;
    return SPGEMM_SUCCESS;
}
