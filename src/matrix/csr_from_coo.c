/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,j) = sum of the triplets at (i,j): a counting sort by row, then a sum of
   what stands at one place.

   Each thread places the triplets of its own range of rows, and reads all:
   reading 4 or 8 bytes a triplet is cheap, and the order within a row is that
   of the triplets for any number of threads. */
#include "matrix/csr_from_coo.h"

#include <inttypes.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/refusal.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/any_type.h"

#define TRIPLETS_PER_THREAD 65536

/* The triplets of some rows, and where they go. */
typedef struct row_share {
    const spgemm_csr *A;
    const coo_triplets *triplets;
    int64_t first;
    int64_t count;
} row_share;

static ALWAYS_INLINE bool has_row(const row_share *share, int64_t row)
{
    return (uint64_t)(row - share->first) < (uint64_t)share->count;
}

/* Of the triplets of these rows: rowptr[row + 1] += 1. */
static ALWAYS_INLINE void count_rows(const row_share *share, bool is_wide)
{
    const coo_triplets *triplets = share->triplets;
    int64_t *rowptr = share->A->rowptr;
    for (int64_t k = 0; k < triplets->npieces; k++) {
        const coo_piece *piece = &triplets->pieces[k];
        for (int64_t t = 0; t < piece->ntriplets; t++) {
            const int64_t row = column_at(piece->rows, is_wide, t);
            if (has_row(share, row))
                rowptr[row + 1]++;
            if (triplets->mirror == 0)
                continue;
            const int64_t col = column_at(piece->cols, is_wide, t);
            if (col != row && has_row(share, col))
                rowptr[col + 1]++;
        }
    }
}

/* A triplet to A->rowptr[row + 1], which moves on. */
static ALWAYS_INLINE void place(const spgemm_csr *A, bool is_wide, size_t size,
                                int64_t row, int64_t col, const void *value)
{
    const int64_t p = A->rowptr[row + 1]++;
    set_column(A->colidx, is_wide, p, col);
    copy_element(A->values, p, value, 0, size);
}

/* Put the triplets of these rows at rowptr[row + 1], which in the end is where
   the row ends. */
static ALWAYS_INLINE void place_rows(void *context, bool is_wide, size_t size)
{
    static const double one = 1;
    const row_share *share = context;
    const coo_triplets *triplets = share->triplets;
    /* Only doubles are mirrored: a constant 0 for what is no double. */
    const double mirror = size == sizeof(double) ? triplets->mirror : 0;
    for (int64_t k = 0; k < triplets->npieces; k++) {
        const coo_piece *piece = &triplets->pieces[k];
        for (int64_t t = 0; t < piece->ntriplets; t++) {
            const int64_t row = column_at(piece->rows, is_wide, t);
            const int64_t col = column_at(piece->cols, is_wide, t);
            const void *value =
                piece->values ? (const char *)piece->values + (size_t)t * size
                              : (const char *)&one;
            if (has_row(share, row))
                place(share->A, is_wide, size, row, col, value);
            if (mirror != 0 && col != row && has_row(share, col)) {
                const double mirrored = mirror * *(const double *)value;
                place(share->A, is_wide, size, col, row, &mirrored);
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

/* Rows of A in parts, one for each thread. */
typedef struct row_parts {
    const spgemm_csr *A;
    const coo_triplets *triplets;
    int count;
} row_parts;

static row_share share_of(const row_parts *parts, int64_t part)
{
    const int64_t nrows = parts->A->nrows;
    const int64_t first = partition_bound(nrows, parts->count, part);
    return (row_share){
        .A = parts->A,
        .triplets = parts->triplets,
        .first = first,
        .count = partition_bound(nrows, parts->count, part + 1) - first,
    };
}

static void count_part(void *context, int64_t part)
{
    const row_parts *parts = context;
    const row_share share = share_of(parts, part);
    if (parts->A->index_type == SPGEMM_I64)
        count_rows(&share, true);
    else
        count_rows(&share, false);
}

static void place_part(void *context, int64_t part)
{
    const row_parts *parts = context;
    row_share share = share_of(parts, part);
    run_typed(place_rows, &share, parts->A);
}

spgemm_status spgemm_csr_place_coo(spgemm_csr *A, memory *m,
                                   const coo_triplets *triplets)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr made = *A;
    const int team = spgemm_team_size(
        triplets->nthreads, count_triplets(triplets), TRIPLETS_PER_THREAD);

    row_parts parts = {&made, triplets, team};

    SPGEMM_TRY(spgemm_csr_allocate(&made, m, 0, !triplets->is_pattern));
    spgemm_team_for(team, team, count_part, &parts);
    const int64_t nnz = begin_rows(made.rowptr, A->nrows);
    if (nnz > 0)
        SPGEMM_TRY(spgemm_csr_resize(&made, m, nnz));
    spgemm_team_for(team, team, place_part, &parts);
    *A = made;
    return SPGEMM_SUCCESS;

cleanup:
    spgemm_csr_release(&made, m);
    return status;
}

static spgemm_status check_indices(const char *name, const void *indices,
                                   bool is_wide, int64_t count, int64_t limit)
{
    for (int64_t t = 0; t < count; t++) {
        const int64_t index = column_at(indices, is_wide, t);
        if (index < 0 || index >= limit)
            return spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "%s[%" PRId64 "] is %" PRId64
                                 ", and must be in [0, %" PRId64 ")",
                                 name, t, index, limit);
    }
    return SPGEMM_SUCCESS;
}

/* Whatever is not 0 is 1. */
static void make_bool(uint8_t *values, int64_t count)
{
    for (int64_t t = 0; t < count; t++)
        values[t] = values[t] != 0;
}

spgemm_status spgemm_csr_from_coo(spgemm_csr *A, int64_t nrows, int64_t ncols,
                                  int64_t ntriplets, const void *rows,
                                  const void *cols, const void *values,
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
                             .values = (void *)(uintptr_t)values};
    const coo_triplets triplets = {
        .pieces = &piece, .npieces = 1, .is_pattern = !values};
    memory m;

    spgemm_refusal_begin();
    SPGEMM_REQUIRE(A, spgemm_refuse(SPGEMM_ERROR_INVALID, "A is NULL"));
    SPGEMM_REQUIRE(ntriplets >= 0,
                   spgemm_refuse(SPGEMM_ERROR_INVALID, "ntriplets is %" PRId64,
                                 ntriplets));
    SPGEMM_TRY(spgemm_memory_check_hooks(allocator, "allocator"));
    spgemm_memory_init(&m, allocator);
    SPGEMM_TRY(spgemm_csr_check_header(&made, ""));
    SPGEMM_REQUIRE(spgemm_index_holds(index_type, nrows),
                   spgemm_refuse(SPGEMM_ERROR_OVERFLOW,
                                 "nrows is %" PRId64
                                 ", too many for rows of 32 bits",
                                 nrows));
    SPGEMM_REQUIRE(ntriplets == 0 || (rows && cols),
                   spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "%s is NULL, but ntriplets is %" PRId64,
                                 rows ? "cols" : "rows", ntriplets));
    SPGEMM_TRY(check_indices("rows", rows, is_wide, ntriplets, nrows));
    SPGEMM_TRY(check_indices("cols", cols, is_wide, ntriplets, ncols));
    SPGEMM_TRY(spgemm_csr_place_coo(&made, &m, &triplets));
    if (value_type == SPGEMM_BOOL && values)
        make_bool(made.values, made.nnz);
    SPGEMM_TRY(spgemm_csr_sum_duplicates(&made, &m, 0));
    *A = made;
    made = (spgemm_csr){0};
cleanup:
    spgemm_csr_destroy(&made);
    return spgemm_refusal_end(status);
}
