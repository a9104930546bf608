/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row of A by increasing column, entries of one column in their order.

   Short rows by rank, or where they lie; others as (column, place in the row) pairs,
   after which each value goes where its pair is. A thread has room for the longest row
   that needs it; all of it is taken before the first row is touched. */
#include "matrix/any_type.h"

#include "common/checked.h"
#include "common/partition.h"
#include "common/refusal.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/column_sort.h"

/* Rows that are sorted where they lie, if not by rank. */
#define INSERTION_LENGTH 16

/* Rows that are sorted by rank, and how many columns are compared at a time. */
#define LEAST_RANKED   8
#define RANKED_LENGTH  64
#define RANKED_COLUMNS 16

/* One step back in so many entries. */
#define NEARLY 8

#define SORT_GRAIN        16384 /* entries a task */
#define SORT_THREAD_GRAIN 32768 /* that are worth a thread */

typedef struct sorting {
    spgemm_csr *A;
    const spgemm_csr *from; /* what A will be a copy of; NULL: it is there */
    int team;
    int64_t tasks;
    int64_t longest;       /* entries of a row that is out of order */
    column_entry *entries; /* [team][2][longest] */
    char *values;          /* [team][longest] elements of A's */
} sorting;

/* What one task sorts, and with what. */
typedef struct rows_to_sort {
    spgemm_csr *A;
    int64_t begin;
    int64_t end;
    column_entry *row;
    column_entry *spare;
    char *values;
} rows_to_sort;

/* Where it lies. */
static ALWAYS_INLINE void sort_short_row(const rows_to_sort *r, bool is_wide,
                                         size_t size, int64_t begin,
                                         int64_t end)
{
    void *const Aj = r->A->colidx;
    void *const Ax = r->A->values;
    for (int64_t p = begin + 1; p < end; p++) {
        const int64_t column = column_at(Aj, is_wide, p);
        int64_t q = p;
        copy_element(r->values, 0, Ax, p, size);
        for (; q > begin && column_at(Aj, is_wide, q - 1) > column; q--) {
            set_column(Aj, is_wide, q, column_at(Aj, is_wide, q - 1));
            copy_element(Ax, q, Ax, q - 1, size);
        }
        set_column(Aj, is_wide, q, column);
        copy_element(Ax, q, r->values, 0, size);
    }
}

/* rank[p] = how many of n columns, which INT32_MAX follow up to a multiple of
   RANKED_COLUMNS, are less than column p; the sum of all. */
static int64_t rank_columns(const int32_t *column, int64_t n, int32_t *rank)
{
    int64_t sum = 0;
    for (int64_t p = 0; p < n; p++) {
        int32_t less = 0;
        for (int64_t q = 0; q < n; q += RANKED_COLUMNS)
#pragma omp simd reduction(+ : less)
            for (int u = 0; u < RANKED_COLUMNS; u++)
                less += column[q + u] < column[p];
        rank[p] = less;
        sum += less;
    }
    return sum;
}

/* rank[p] += how many before column p are the same. */
static void rank_duplicates(const int32_t *column, int32_t n, int32_t *rank)
{
    for (int32_t p = 1; p < n; p++) {
        int32_t same = 0;
        for (int32_t q = 0; q < p; q += RANKED_COLUMNS)
#pragma omp simd reduction(+ : same)
            for (int32_t u = 0; u < RANKED_COLUMNS; u++)
                same += (column[q + u] == column[p]) & (q + u < p);
        rank[p] += same;
    }
}

/* A row of columns that fit 32 bits. */
static ALWAYS_INLINE void sort_by_rank(const rows_to_sort *r, bool is_wide,
                                       size_t size, int64_t begin, int64_t n)
{
    int32_t column[RANKED_LENGTH + RANKED_COLUMNS];
    int32_t rank[RANKED_LENGTH];
    void *const Aj = r->A->colidx;
    for (int64_t p = 0; p < n; p++)
        column[p] = (int32_t)column_at(Aj, is_wide, begin + p);
    for (int u = 0; u < RANKED_COLUMNS; u++)
        column[n + u] = INT32_MAX;
    if (rank_columns(column, n, rank) < n * (n - 1) / 2)
        rank_duplicates(column, (int32_t)n, rank);
    for (int64_t p = 0; p < n; p++) {
        set_column(Aj, is_wide, begin + rank[p], column[p]);
        copy_element(r->values, p, r->A->values, begin + p, size);
    }
    for (int64_t p = 0; p < n; p++)
        copy_element(r->A->values, begin + rank[p], r->values, p, size);
}

static ALWAYS_INLINE void sort_long_row(const rows_to_sort *r, bool is_wide,
                                        size_t size, int64_t begin, int64_t n,
                                        bool is_nearly_sorted)
{
    for (int64_t p = 0; p < n; p++) {
        r->row[p] =
            (column_entry){column_at(r->A->colidx, is_wide, begin + p), p};
        copy_element(r->values, p, r->A->values, begin + p, size);
    }
    const column_entry *sorted =
        spgemm_sort_columns(r->row, r->spare, n, is_nearly_sorted);
    for (int64_t p = 0; p < n; p++) {
        set_column(r->A->colidx, is_wide, begin + p, sorted[p].column);
        copy_element(r->A->values, begin + p, r->values, sorted[p].place, size);
    }
}

/* Entries of row i that are less than the one before; none: it is in order. */
static ALWAYS_INLINE int64_t count_steps_back(const spgemm_csr *A, bool is_wide,
                                              int64_t i)
{
    int64_t steps = 0;
    for (int64_t p = A->rowptr[i] + 1; p < A->rowptr[i + 1]; p++)
        steps += column_at(A->colidx, is_wide, p) <
                 column_at(A->colidx, is_wide, p - 1);
    return steps;
}

/* A row that is out of order; n fits the room. */
static ALWAYS_INLINE void sort_row(const rows_to_sort *r, bool is_wide,
                                   size_t size, int64_t begin, int64_t n,
                                   bool is_nearly_sorted)
{
    const bool is_ranked =
        n <= RANKED_LENGTH && !is_nearly_sorted && r->A->ncols <= INT32_MAX;
    if (is_ranked)
        sort_by_rank(r, is_wide, size, begin, n);
    else if (n <= INSERTION_LENGTH)
        sort_short_row(r, is_wide, size, begin, begin + n);
    else
        sort_long_row(r, is_wide, size, begin, n, is_nearly_sorted);
}

static ALWAYS_INLINE void sort_rows(void *context, bool is_wide, size_t size)
{
    const rows_to_sort *r = context;
    for (int64_t i = r->begin; i < r->end; i++) {
        const int64_t begin = r->A->rowptr[i];
        const int64_t n = r->A->rowptr[i + 1] - begin;
        if (n < LEAST_RANKED) {
            sort_short_row(r, is_wide, size, begin, begin + n);
            continue;
        }
        const int64_t steps = count_steps_back(r->A, is_wide, i);
        if (steps > 0)
            sort_row(r, is_wide, size, begin, n, steps * NEARLY <= n);
    }
}

static ALWAYS_INLINE int64_t longest_unordered(const spgemm_csr *A,
                                               bool is_wide, int64_t begin,
                                               int64_t end)
{
    int64_t longest = 0;
    for (int64_t i = begin; i < end; i++) {
        const int64_t length = A->rowptr[i + 1] - A->rowptr[i];
        if (length > longest && count_steps_back(A, is_wide, i) > 0)
            longest = length;
    }
    return longest;
}

static void find_longest_task(void *context, int64_t t)
{
    sorting *s = context;
    const spgemm_csr *A = s->from ? s->from : s->A;
    const int64_t begin = partition_row(A->rowptr, A->nrows, s->tasks, t);
    const int64_t end = partition_row(A->rowptr, A->nrows, s->tasks, t + 1);
    const int64_t found = A->index_type == SPGEMM_I64
                              ? longest_unordered(A, true, begin, end)
                              : longest_unordered(A, false, begin, end);
    if (found == 0)
        return;
#pragma omp critical(spgemm_sort_rows)
    s->longest = max_i64(s->longest, found);
}

/* Entries [begin, end) of another matrix. */
static void copy_entries(spgemm_csr *to, const spgemm_csr *from, int64_t begin,
                         int64_t end)
{
    copy_elements(to->colidx, begin, from->colidx, begin, end - begin,
                  spgemm_index_size(from->index_type));
    copy_elements(to->values, begin, from->values, begin, end - begin,
                  spgemm_csr_element_size(from));
}

static void sort_task(void *context, int64_t t)
{
    const sorting *s = context;
    const spgemm_csr *A = s->A;
    const size_t size = spgemm_csr_element_size(A);
    const int64_t rank = spgemm_team_rank();
    column_entry *const row = s->entries + 2 * s->longest * rank;
    rows_to_sort r = {
        .A = s->A,
        .begin = partition_row(A->rowptr, A->nrows, s->tasks, t),
        .end = partition_row(A->rowptr, A->nrows, s->tasks, t + 1),
        .row = row,
        .spare = row + s->longest,
        .values = s->values + (size_t)(s->longest * rank) * size,
    };
    if (s->from)
        copy_entries(s->A, s->from, A->rowptr[r.begin], A->rowptr[r.end]);
    run_typed(sort_rows, &r, A);
}

/* A's rows, or those of `from` as A's. */
static spgemm_status sort_into(spgemm_csr *A, const spgemm_csr *from,
                               int nthreads, memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const size_t size = spgemm_csr_element_size(A);
    sorting s = {.A = A,
                 .from = from,
                 .team = spgemm_team_size(nthreads, A->nnz, SORT_THREAD_GRAIN),
                 .tasks = A->nnz / SORT_GRAIN + 1};
    spgemm_team_for(s.team, s.tasks, find_longest_task, &s);
    if (s.longest > 0 || from) {
        /* The room of all threads is that of nnz entries at most. */
        s.longest = max_i64(s.longest, 1);
        s.team = (int)max_i64(1, min_i64(s.team, A->nnz / s.longest));
        const int64_t room = s.team * s.longest;
        s.entries = spgemm_memory_allocate(m, room, 2 * sizeof *s.entries);
        s.values = spgemm_memory_allocate(m, room, size);
        SPGEMM_REQUIRE(s.entries && s.values, SPGEMM_ERROR_OUT_OF_MEMORY);
        spgemm_team_for(s.team, s.tasks, sort_task, &s);
    }
    if (spgemm_csr_is_sorted(A, nthreads))
        A->flags |= SPGEMM_SORTED_ROWS;

cleanup:
    if (s.longest > 0) {
        spgemm_memory_release(m, s.entries, s.team * s.longest,
                              2 * sizeof *s.entries);
        spgemm_memory_release(m, s.values, s.team * s.longest, size);
    }
    return status;
}

spgemm_status spgemm_csr_sort_rows_of(spgemm_csr *A, int nthreads, memory *m)
{
    return sort_into(A, NULL, nthreads, m);
}

spgemm_status spgemm_csr_copy_sorted(spgemm_csr *out, const spgemm_csr *X,
                                     int nthreads, memory *m)
{
    const size_t size = spgemm_csr_element_size(X);
    *out = *X;
    out->flags = 0;
    out->colidx =
        spgemm_memory_allocate(m, X->nnz, spgemm_index_size(X->index_type));
    out->values = size > 0 ? spgemm_memory_allocate(m, X->nnz, size) : NULL;
    if (!out->colidx || (size > 0 && !out->values))
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    return sort_into(out, X, nthreads, m);
}

void spgemm_csr_copy_clear(spgemm_csr *out, memory *m)
{
    spgemm_memory_release(m, out->colidx, out->nnz,
                          spgemm_index_size(out->index_type));
    spgemm_memory_release(m, out->values, out->nnz,
                          spgemm_csr_element_size(out));
    *out = (spgemm_csr){0};
}

spgemm_status spgemm_csr_sort_rows(spgemm_csr *A)
{
    spgemm_status status = SPGEMM_SUCCESS;
    bool is_sorted;
    memory m;
    spgemm_refusal_begin();
    SPGEMM_TRY(spgemm_csr_check_full(A, 0, NULL, &is_sorted,
                                     &(spgemm_fault){.operand = "A"}));
    if (is_sorted) {
        A->flags |= SPGEMM_SORTED_ROWS;
        return SPGEMM_SUCCESS;
    }
    SPGEMM_TRY(spgemm_memory_check_hooks(&A->allocator, "A->allocator"));
    spgemm_memory_init(&m, &A->allocator);
    SPGEMM_TRY(spgemm_csr_sort_rows_of(A, 0, &m));

cleanup:
    return spgemm_refusal_end(status);
}
