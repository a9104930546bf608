/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,j) = sum of the triplets at (i,j): a counting sort by row, a stable sort
   of the rows that need it, and a sum of neighbours.

   Each thread places the triplets of its own range of rows, and reads all:
   reading 4 or 8 bytes a triplet is cheap, and the order within a row is that
   of the triplets for any number of threads. */
#include "matrix/csr_from_coo.h"

#include "common/checked.h"
#include "common/partition.h"
#include "common/team.h"
#include "common/try.h"

#define TRIPLETS_PER_THREAD 65536

/* Of the triplets whose row is in [first, first + count): rowptr[row + 1] += 1. */
static ALWAYS_INLINE void count_rows(int64_t *rowptr,
                                     const coo_triplets *triplets,
                                     bool is_wide,
                                     int64_t first,
                                     int64_t count)
{
    for (int64_t k = 0; k < triplets->npieces; k++) {
        const coo_piece *piece = &triplets->pieces[k];
        for (int64_t t = 0; t < piece->ntriplets; t++) {
            const int64_t row = column_at(piece->rows, is_wide, t);
            if ((uint64_t)(row - first) < (uint64_t)count)
                rowptr[row + 1]++;
            if (triplets->mirror == 0)
                continue;
            const int64_t col = column_at(piece->cols, is_wide, t);
            if (col != row && (uint64_t)(col - first) < (uint64_t)count)
                rowptr[col + 1]++;
        }
    }
}

/* Put the triplets of rows [first, first + count) at rowptr[row + 1], which
   moves on: in the end it is where the row ends. */
static ALWAYS_INLINE void place_rows(const spgemm_csr *A,
                                     const coo_triplets *triplets,
                                     bool is_wide,
                                     int64_t first,
                                     int64_t count)
{
    double *values = A->values;
    for (int64_t k = 0; k < triplets->npieces; k++) {
        const coo_piece *piece = &triplets->pieces[k];
        for (int64_t t = 0; t < piece->ntriplets; t++) {
            const int64_t row = column_at(piece->rows, is_wide, t);
            const int64_t col = column_at(piece->cols, is_wide, t);
            const double value = piece->values ? piece->values[t] : 1;
            if ((uint64_t)(row - first) < (uint64_t)count) {
                const int64_t p = A->rowptr[row + 1]++;
                set_column(A->colidx, is_wide, p, col);
                values[p] = value;
            }
            if (triplets->mirror != 0 && col != row &&
                (uint64_t)(col - first) < (uint64_t)count) {
                const int64_t p = A->rowptr[col + 1]++;
                set_column(A->colidx, is_wide, p, row);
                values[p] = triplets->mirror * value;
            }
        }
    }
}

static int64_t count_triplets(const coo_triplets *triplets)
{
    int64_t ntriplets = 0;
    for (int64_t k = 0; k < triplets->npieces; k++)
        ntriplets += triplets->pieces[k].ntriplets;
    return ntriplets;
}

/* Counts at rowptr[row + 1] become the place where the row begins. */
static int64_t begin_rows(int64_t *rowptr, int64_t nrows)
{
    int64_t sum = 0;
    for (int64_t i = 1; i <= nrows; i++) {
        const int64_t count = rowptr[i];
        rowptr[i] = sum;
        sum += count;
    }
    return sum;
}

static void count_in_parallel(int64_t *rowptr,
                              const spgemm_csr *A,
                              const coo_triplets *triplets,
                              int team)
{
#pragma omp parallel for schedule(static, 1) num_threads(team)
    for (int part = 0; part < team; part++) {
        const int64_t first = partition_bound(A->nrows, team, part);
        const int64_t count = partition_bound(A->nrows, team, part + 1) - first;
        if (A->index_type == SPGEMM_I64)
            count_rows(rowptr, triplets, true, first, count);
        else
            count_rows(rowptr, triplets, false, first, count);
    }
}

static void
place_in_parallel(const spgemm_csr *A, const coo_triplets *triplets, int team)
{
#pragma omp parallel for schedule(static, 1) num_threads(team)
    for (int part = 0; part < team; part++) {
        const int64_t first = partition_bound(A->nrows, team, part);
        const int64_t count = partition_bound(A->nrows, team, part + 1) - first;
        if (A->index_type == SPGEMM_I64)
            place_rows(A, triplets, true, first, count);
        else
            place_rows(A, triplets, false, first, count);
    }
}

spgemm_status
spgemm_csr_place_coo(spgemm_csr *A, memory *m, const coo_triplets *triplets)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr made = *A;
    const int team = spgemm_team_size(
        triplets->nthreads, count_triplets(triplets), TRIPLETS_PER_THREAD);

    SPGEMM_TRY(spgemm_csr_allocate(&made, m, 0));
    count_in_parallel(made.rowptr, A, triplets, team);
    made.nnz = begin_rows(made.rowptr, A->nrows);
    if (made.nnz > 0) {
        const size_t index_size = spgemm_index_size(A->index_type);
        void *colidx =
            spgemm_memory_resize(m, made.colidx, 0, made.nnz, index_size);
        SPGEMM_REQUIRE(colidx, SPGEMM_ERROR_OUT_OF_MEMORY);
        made.colidx = colidx;
        void *values = spgemm_memory_resize(m, made.values, 0, made.nnz,
                                            spgemm_value_size(A->value_type));
        SPGEMM_REQUIRE(values, SPGEMM_ERROR_OUT_OF_MEMORY);
        made.values = values;
        place_in_parallel(&made, triplets, team);
    }
    *A = made;
    return SPGEMM_SUCCESS;

cleanup:
    spgemm_csr_destroy(&made);
    return status;
}

/* Whether columns strictly increase in every row. */
static bool is_sorted(const spgemm_csr *A, int nthreads)
{
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int team = spgemm_team_size(nthreads, A->nnz, TRIPLETS_PER_THREAD);
    int64_t faults = 0;
#pragma omp parallel for schedule(static) num_threads(team) reduction(+ : faults)
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i] + 1; p < A->rowptr[i + 1]; p++)
            faults += column_at(A->colidx, is_wide, p - 1) >=
                      column_at(A->colidx, is_wide, p);
    return faults == 0;
}

/* Sum neighbours with one column, the rows moving together. */
static void sum_neighbours(spgemm_csr *A)
{
    const bool is_wide = A->index_type == SPGEMM_I64;
    double *values = A->values;
    int64_t used = 0;
    int64_t p = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t first = used;
        for (; p < A->rowptr[i + 1]; p++) {
            const int64_t col = column_at(A->colidx, is_wide, p);
            if (used > first &&
                column_at(A->colidx, is_wide, used - 1) == col) {
                values[used - 1] += values[p];
                continue;
            }
            set_column(A->colidx, is_wide, used, col);
            values[used++] = values[p];
        }
        A->rowptr[i + 1] = used;
    }
    A->nnz = used;
}

spgemm_status spgemm_csr_sum_duplicates(spgemm_csr *A, memory *m, int nthreads)
{
    spgemm_status status = SPGEMM_SUCCESS;
    if (!is_sorted(A, nthreads)) {
        const int64_t capacity = A->nnz;
        const size_t index_size = spgemm_index_size(A->index_type);
        SPGEMM_TRY(spgemm_csr_sort_rows(A));
        sum_neighbours(A);
        void *colidx =
            spgemm_memory_resize(m, A->colidx, capacity, A->nnz, index_size);
        SPGEMM_REQUIRE(colidx, SPGEMM_ERROR_OUT_OF_MEMORY);
        A->colidx = colidx;
        void *values = spgemm_memory_resize(m, A->values, capacity, A->nnz,
                                            spgemm_value_size(A->value_type));
        SPGEMM_REQUIRE(values, SPGEMM_ERROR_OUT_OF_MEMORY);
        A->values = values;
    }
    A->flags |= SPGEMM_SORTED_ROWS;
cleanup:
    return status;
}

static bool
are_in_range(const void *indices, bool is_wide, int64_t count, int64_t limit)
{
    for (int64_t t = 0; t < count; t++) {
        const int64_t index = column_at(indices, is_wide, t);
        if (index < 0 || index >= limit)
            return false;
    }
    return true;
}

spgemm_status spgemm_csr_from_coo(spgemm_csr *A,
                                  int64_t nrows,
                                  int64_t ncols,
                                  int64_t ntriplets,
                                  const void *rows,
                                  const void *cols,
                                  const void *values,
                                  spgemm_index_type index_type,
                                  spgemm_value_type value_type,
                                  const spgemm_allocator *allocator)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const bool is_wide = index_type == SPGEMM_I64;
    spgemm_csr made = {.nrows = nrows,
                       .ncols = ncols,
                       .nnz = ntriplets,
                       .index_type = index_type,
                       .value_type = value_type};
    /* The pieces of a reader are its own; these are only read. */
    const coo_piece piece = {.ntriplets = ntriplets,
                             .rows = (void *)(uintptr_t)rows,
                             .cols = (void *)(uintptr_t)cols,
                             .values = (double *)(uintptr_t)values};
    const coo_triplets triplets = {.pieces = &piece, .npieces = 1};
    memory m;
    spgemm_memory_init(&m, allocator);

    SPGEMM_REQUIRE(A, SPGEMM_ERROR_INVALID);
    SPGEMM_TRY(spgemm_csr_check_header(&made));
    SPGEMM_REQUIRE(spgemm_index_holds(index_type, nrows),
                   SPGEMM_ERROR_OVERFLOW);
    SPGEMM_REQUIRE(ntriplets == 0 || (rows && cols && values),
                   SPGEMM_ERROR_INVALID);
    SPGEMM_REQUIRE(are_in_range(rows, is_wide, ntriplets, nrows) &&
                       are_in_range(cols, is_wide, ntriplets, ncols),
                   SPGEMM_ERROR_INVALID);
    SPGEMM_TRY(spgemm_csr_place_coo(&made, &m, &triplets));
    SPGEMM_TRY(spgemm_csr_sum_duplicates(&made, &m, 0));
    *A = made;
    made = (spgemm_csr){0};
cleanup:
    spgemm_csr_destroy(&made);
    return status;
}
