/* SPDX-License-Identifier: BSD-3-Clause */
/* S(t,u) = A(rows[t], cols[u]).

   Rows are copied whole where all columns stay. Otherwise each entry asks for
   its column's place: by its distance from the first where the columns are a
   range, in a table of the columns from the first to the last, or, where that
   would be longer than A has entries, by bisection. Once to count, once to
   copy. */
#include "matrix/csr_select.h"

#include "common/checked.h"
#include "common/partition.h"
#include "common/refusal.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/any_type.h"

#define SELECT_THREAD_GRAIN 65536 /* entries or rows that are worth a thread */
#define SELECT_ROWS         1024  /* rows a task that counts */
#define SELECT_ENTRIES      16384 /* entries of S a task that copies */

/* Tables so short are always made. */
#define SHORT_TABLE 65536

/* Where the columns of A are in S. */
typedef struct col_places {
    const int64_t *cols; /* [ncols] */
    int64_t ncols;
    int64_t first; /* of cols; the span is up to the last */
    int64_t span;
    int32_t
        *table; /* [span] place of first + t, -1: none; NULL: there is none */
} col_places;

typedef struct selecting {
    const spgemm_csr *A;
    spgemm_csr *S;
    const int64_t *rows; /* NULL: all */
    col_places places;
    bool has_places; /* not all columns */
    int nthreads;
    int64_t tasks; /* of the work at hand */
} selecting;

/* Rows of S. */
typedef struct row_task {
    const selecting *s;
    int64_t begin;
    int64_t end;
} row_task;

/* ---- The lists ---------------------------------------------------------- */

static bool are_rows_of(const spgemm_csr *A, const csr_selection *which)
{
    bool are_inside = true;
    for (int64_t t = 0; which->rows && t < which->nrows; t++)
        are_inside &= (uint64_t)which->rows[t] < (uint64_t)A->nrows;
    return are_inside;
}

static bool are_cols_of(const spgemm_csr *A, const csr_selection *which)
{
    const int64_t *cols = which->cols;
    return !cols || which->ncols == 0 ||
           (increases(cols, which->ncols) && cols[0] >= 0 &&
            cols[which->ncols - 1] < A->ncols);
}

/* ---- The columns -------------------------------------------------------- */

static spgemm_status make_places(col_places *c, const csr_selection *which,
                                 int64_t nnz, memory *m)
{
    c->cols = which->cols;
    c->ncols = which->ncols;
    if (c->ncols == 0)
        return SPGEMM_SUCCESS;
    c->first = c->cols[0];
    c->span = c->cols[c->ncols - 1] - c->first + 1;
    if (c->span == c->ncols || c->ncols > INT32_MAX ||
        c->span > max_i64(nnz, SHORT_TABLE))
        return SPGEMM_SUCCESS;
    c->table = spgemm_memory_allocate(m, c->span, sizeof *c->table);
    if (!c->table)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    memset(c->table, 0xff, (size_t)c->span * sizeof *c->table);
    for (int64_t u = 0; u < c->ncols; u++)
        c->table[c->cols[u] - c->first] = (int32_t)u;
    return SPGEMM_SUCCESS;
}

/* u with cols[u] = j; -1: there is none. */
static ALWAYS_INLINE int64_t place_of(const col_places *c, int64_t j)
{
    const int64_t distance = j - c->first;
    if ((uint64_t)distance >= (uint64_t)c->span)
        return -1;
    if (c->table)
        return c->table[distance];
    if (c->span == c->ncols)
        return distance;
    const int64_t u = partition_search(c->cols, c->ncols, j);
    return c->cols[u] == j ? u : -1;
}

/* ---- The rows ----------------------------------------------------------- */

static int64_t row_of_A(const selecting *s, int64_t t)
{
    return s->rows ? s->rows[t] : t;
}

/* S->rowptr[t + 1] = entries of row t of S. */
static ALWAYS_INLINE void count_rows(const row_task *task, bool is_wide)
{
    const selecting *s = task->s;
    const int64_t *Ap = s->A->rowptr;
    for (int64_t t = task->begin; t < task->end; t++) {
        const int64_t i = row_of_A(s, t);
        int64_t count = Ap[i + 1] - Ap[i];
        if (s->has_places) {
            count = 0;
            for (int64_t p = Ap[i]; p < Ap[i + 1]; p++)
                count += place_of(&s->places,
                                  column_at(s->A->colidx, is_wide, p)) >= 0;
        }
        s->S->rowptr[t + 1] = count;
    }
}

static void copy_whole_rows(const row_task *task)
{
    const selecting *s = task->s;
    const spgemm_csr *A = s->A;
    const size_t index_size = spgemm_index_size(A->index_type);
    const size_t size = spgemm_csr_element_size(A);
    for (int64_t t = task->begin; t < task->end; t++) {
        const int64_t from = A->rowptr[row_of_A(s, t)];
        const int64_t to = s->S->rowptr[t];
        const int64_t count = s->S->rowptr[t + 1] - to;
        copy_elements(s->S->colidx, to, A->colidx, from, count, index_size);
        copy_elements(s->S->values, to, A->values, from, count, size);
    }
}

static ALWAYS_INLINE void copy_some_columns(void *context, bool is_wide,
                                            size_t size)
{
    const row_task *task = context;
    const selecting *s = task->s;
    const spgemm_csr *A = s->A;
    int64_t q = s->S->rowptr[task->begin];
    for (int64_t t = task->begin; t < task->end; t++) {
        const int64_t i = row_of_A(s, t);
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int64_t u =
                place_of(&s->places, column_at(A->colidx, is_wide, p));
            if (u < 0)
                continue;
            set_column(s->S->colidx, is_wide, q, u);
            copy_element(s->S->values, q, A->values, p, size);
            q++;
        }
    }
}

static void count_task(void *context, int64_t t)
{
    const selecting *s = context;
    const int64_t nrows = s->S->nrows;
    const row_task task = {.s = s,
                           .begin = partition_bound(nrows, s->tasks, t),
                           .end = partition_bound(nrows, s->tasks, t + 1)};
    if (s->A->index_type == SPGEMM_I64)
        count_rows(&task, true);
    else
        count_rows(&task, false);
}

static void count_all(selecting *s)
{
    const int64_t nrows = s->S->nrows;
    const int team = spgemm_team_size(
        s->nthreads, s->has_places ? s->A->nnz : nrows, SELECT_THREAD_GRAIN);
    s->tasks = nrows / SELECT_ROWS + 4 * team;
    spgemm_team_for(team, s->tasks, count_task, s);
}

static void copy_task(void *context, int64_t t)
{
    const selecting *s = context;
    const spgemm_csr *S = s->S;
    row_task task = {.s = s,
                     .begin = partition_row(S->rowptr, S->nrows, s->tasks, t),
                     .end =
                         partition_row(S->rowptr, S->nrows, s->tasks, t + 1)};
    if (s->has_places)
        run_typed(copy_some_columns, &task, s->A);
    else
        copy_whole_rows(&task);
}

static void copy_all(selecting *s)
{
    const int team =
        spgemm_team_size(s->nthreads, s->has_places ? s->A->nnz : s->S->nnz,
                         SELECT_THREAD_GRAIN);
    s->tasks = s->S->nnz / SELECT_ENTRIES + 1;
    spgemm_team_for(team, s->tasks, copy_task, s);
}

/* Counts to row pointers. false: rows taken again and again are too many. */
static bool sum_counts(int64_t *rowptr, int64_t nrows)
{
    for (int64_t t = 0; t < nrows; t++)
        if (!checked_add_i64(rowptr[t], rowptr[t + 1], &rowptr[t + 1]))
            return false;
    return true;
}

spgemm_status spgemm_csr_select(spgemm_csr *S, const spgemm_csr *A,
                                const csr_selection *which, int nthreads,
                                memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr made = {
        .nrows = which->rows ? which->nrows : A->nrows,
        .ncols = which->cols ? which->ncols : A->ncols,
        .index_type = A->index_type,
        .value_type = A->value_type,
    };
    selecting s = {.A = A,
                   .S = &made,
                   .rows = which->rows,
                   .has_places = which->cols,
                   .nthreads = nthreads};

    if (!are_rows_of(A, which) || !are_cols_of(A, which))
        return SPGEMM_ERROR_INVALID;
    SPGEMM_TRY(spgemm_csr_allocate(&made, m, 0, A->values));
    if (s.has_places)
        SPGEMM_TRY(make_places(&s.places, which, A->nnz, m));
    count_all(&s);
    SPGEMM_REQUIRE(
        sum_counts(made.rowptr, made.nrows),
        spgemm_refuse(SPGEMM_ERROR_OVERFLOW,
                      "the rows of options.product.rows have more entries "
                      "than fit int64_t"));
    SPGEMM_TRY(spgemm_csr_resize(&made, m, made.rowptr[made.nrows]));
    copy_all(&s);
    made.flags |= A->flags & SPGEMM_SORTED_ROWS;
    *S = made;
    made = (spgemm_csr){0};

cleanup:
    spgemm_memory_release(m, s.places.table, s.places.span,
                          sizeof *s.places.table);
    spgemm_csr_release(&made, m);
    return status;
}
