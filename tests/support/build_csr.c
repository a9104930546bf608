/* SPDX-License-Identifier: BSD-3-Clause */
#include "build_csr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *or_abort(void *block)
{
    if (!block) {
        fputs("the test itself is out of memory\n", stderr);
        abort();
    }
    return block;
}

void *must_allocate(int64_t count, size_t size)
{
    return or_abort(malloc(count > 0 ? (size_t)count * size : 1));
}

void *must_reallocate(void *block, int64_t count, size_t size)
{
    return or_abort(realloc(block, count > 0 ? (size_t)count * size : 1));
}

csr_builder build_begin(int64_t nrows, int64_t ncols)
{
    csr_builder b = {.nrows = nrows, .ncols = ncols, .capacity = 16};
    b.rowptr = must_allocate(nrows + 1, sizeof *b.rowptr);
    b.colidx = must_allocate(b.capacity, sizeof *b.colidx);
    b.values = must_allocate(b.capacity, sizeof *b.values);
    b.rowptr[0] = 0;
    return b;
}

void build_add(csr_builder *b, int64_t j, double x)
{
    if (b->nnz == b->capacity) {
        b->capacity *= 2;
        b->colidx = must_reallocate(b->colidx, b->capacity, sizeof *b->colidx);
        b->values = must_reallocate(b->values, b->capacity, sizeof *b->values);
    }
    b->colidx[b->nnz] = j;
    b->values[b->nnz] = x;
    b->nnz++;
}

void build_end_row(csr_builder *b)
{
    b->rowptr[++b->row] = b->nnz;
}

static size_t bytes_of_index(spgemm_index_type type)
{
    return type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
}

spgemm_csr build_finish(csr_builder *b, spgemm_index_type index_type)
{
    while (b->row < b->nrows)
        build_end_row(b);
    void *colidx = must_allocate(b->nnz, bytes_of_index(index_type));
    spgemm_csr A =
        spgemm_csr_view(b->nrows, b->ncols, b->nnz, b->rowptr, colidx,
                        must_reallocate(b->values, b->nnz, sizeof *b->values),
                        index_type, SPGEMM_FP64);
    for (int64_t p = 0; p < b->nnz; p++)
        set_column_of(&A, p, b->colidx[p]);
    free(b->colidx);
    *b = (csr_builder){0};
    return A;
}

void free_csr(spgemm_csr *A)
{
    free(A->rowptr);
    free(A->colidx);
    free(A->values);
    *A = (spgemm_csr){0};
}

static void *copy_block(const void *block, int64_t count, size_t size)
{
    void *copy = must_allocate(count, size);
    if (count > 0)
        memcpy(copy, block, (size_t)count * size);
    return copy;
}

spgemm_csr copy_csr(const spgemm_csr *A)
{
    spgemm_csr copy = *A;
    copy.rowptr = copy_block(A->rowptr, A->nrows + 1, sizeof *A->rowptr);
    copy.colidx = copy_block(A->colidx, A->nnz, bytes_of_index(A->index_type));
    if (A->values)
        copy.values =
            copy_block(A->values, A->nnz, spgemm_value_bytes(A->value_type));
    copy.flags &= (uint32_t)SPGEMM_SORTED_ROWS;
    copy.allocator = (spgemm_allocator){0};
    return copy;
}

void set_column_of(spgemm_csr *A, int64_t p, int64_t j)
{
    if (A->index_type == SPGEMM_I64)
        ((int64_t *)A->colidx)[p] = j;
    else
        ((int32_t *)A->colidx)[p] = (int32_t)j;
}

void move_columns(spgemm_csr *A, int64_t by)
{
    for (int64_t p = 0; p < A->nnz; p++)
        set_column_of(A, p, column_of(A, p) + by);
    A->ncols += by;
}

static void insert_numbers(int64_t *numbers, int64_t count)
{
    for (int64_t t = 1; t < count; t++) {
        const int64_t moving = numbers[t];
        int64_t at = t;
        for (; at > 0 && numbers[at - 1] > moving; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = moving;
    }
}

/* By merging; `spare` is room for half of them. */
static void merge_numbers(int64_t *numbers, int64_t *spare, int64_t count)
{
    if (count <= 16) {
        insert_numbers(numbers, count);
        return;
    }
    const int64_t half = count / 2;
    merge_numbers(numbers, spare, half);
    merge_numbers(numbers + half, spare, count - half);
    memcpy(spare, numbers, (size_t)half * sizeof *spare);
    int64_t left = 0;
    int64_t right = half;
    for (int64_t to = 0; left < half; to++)
        numbers[to] = right == count || spare[left] <= numbers[right]
                          ? spare[left++]
                          : numbers[right++];
}

void sort_numbers(int64_t *numbers, int64_t count)
{
    int64_t *spare = must_allocate(count / 2, sizeof *spare);
    merge_numbers(numbers, spare, count);
    free(spare);
}

int by_number(const void *x, const void *y)
{
    const int64_t left = *(const int64_t *)x;
    const int64_t right = *(const int64_t *)y;
    return (left > right) - (left < right);
}

int64_t count_row_products(const spgemm_csr *A, const spgemm_csr *B, int64_t i)
{
    int64_t products = 0;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        const int64_t k = column_of(A, p);
        products += B->rowptr[k + 1] - B->rowptr[k];
    }
    return products;
}

void swap_entries(spgemm_csr *B, int64_t p, int64_t q)
{
    double *Bx = B->values;
    const int64_t column = column_of(B, p);
    const double value = Bx[p];
    set_column_of(B, p, column_of(B, q));
    Bx[p] = Bx[q];
    set_column_of(B, q, column);
    Bx[q] = value;
}

void turn_rows(spgemm_csr *B)
{
    for (int64_t i = 0; i < B->nrows; i++)
        for (int64_t p = B->rowptr[i + 1] - 1; p > B->rowptr[i]; p--)
            swap_entries(B, p, p - 1);
    B->flags = 0;
}
