/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum over k of A(i,k) B(k,j) for the places (i,j) that C has: products
   are added where their column is in a row of zeros, which is then read at the
   places of C(i,:) and zeroed again. In the order of A's row, begun at +0: bit
   for bit what the library made of them first. */
#include "refill.h"

#include <stdlib.h>

#if defined(_OPENMP)
#include <omp.h>
#endif

/* What rows are refilled from, and the room for one. */
typedef struct refill_state {
    const target *C;
    const halo *h;
    const blocks *b;
    /* [columns of B.other], [columns of C.other]: their places in `other`. */
    const PetscInt *B_place;
    const PetscInt *C_place;
    /* A sum for each column of this rank, and of others; zeros. */
    PetscScalar *own;
    PetscScalar *other;
    /* Of B's own columns: add_runs() takes them, and has less to do. */
    bool has_runs;
} refill_state;

/* Columns, for each entry of B and C, that are worth a sum of their own. */
enum { COLUMNS_PER_ENTRY = 4 };

/* Columns that are added together where they are in a row. */
enum { RUN = 4 };

/* acc(j) += a x(j) over `count` columns. */
static void add(PetscScalar *restrict acc, const PetscInt *restrict column,
                const PetscScalar *restrict x, PetscInt count, PetscScalar a)
{
    for (PetscInt q = 0; q < count; q++)
        acc[column[q]] += a * x[q];
}

/* The same of columns that increase: four at a time where they are in a row. */
static void add_runs(PetscScalar *acc, const PetscInt *column,
                     const PetscScalar *x, PetscInt count, PetscScalar a)
{
    PetscInt q = 0;
    while (q + RUN <= count) {
        if (column[q + RUN - 1] - column[q] != RUN - 1) {
            acc[column[q]] += a * x[q];
            q++;
            continue;
        }
        PetscScalar *const at = acc + column[q];
        PetscScalar sum[RUN];
        for (int u = 0; u < RUN; u++)
            sum[u] = at[u] + a * x[q + u];
        for (int u = 0; u < RUN; u++)
            at[u] = sum[u];
        q += RUN;
    }
    for (; q < count; q++)
        acc[column[q]] += a * x[q];
}

static void add_own(refill_state *s, const PetscInt *column,
                    const PetscScalar *x, PetscInt count, PetscScalar a)
{
    if (s->has_runs)
        add_runs(s->own, column, x, count, a);
    else
        add(s->own, column, x, count, a);
}

static void add_own_row(refill_state *s, PetscInt k, PetscScalar a)
{
    const aij *const own = &s->b->B.own;
    const PetscInt begin = own->rowptr[k];
    add_own(s, own->colidx + begin, own->values + begin,
            own->rowptr[k + 1] - begin, a);
    const aij *const other = &s->b->B.other;
    if (other->rowptr == NULL)
        return;
    for (PetscInt q = other->rowptr[k]; q < other->rowptr[k + 1]; q++)
        s->other[s->B_place[other->colidx[q]]] += a * other->values[q];
}

/* A row of another rank: stretches of columns of this rank, and of others. */
static void add_halo_row(refill_state *s, PetscInt k, PetscScalar a)
{
    const PetscInt *const column = s->h->columns;
    const PetscScalar *const x = s->h->values;
    const int64_t end = s->h->start[k + 1];
    for (int64_t t = s->h->start[k]; t < end;) {
        for (; t < end && column[t] < 0; t++)
            s->other[~column[t]] += a * x[t];
        const int64_t begin = t;
        while (t < end && column[t] >= 0)
            t++;
        add_own(s, column + begin, x + begin, (PetscInt)(t - begin), a);
    }
}

static void add_row(refill_state *s, PetscInt i)
{
    const aij *const own = &s->b->A[OWN_COLUMNS];
    const aij *const other = &s->b->A[OTHER_COLUMNS];
    PetscInt q = other->rowptr ? other->rowptr[i] : 0;
    const PetscInt q_end = other->rowptr ? other->rowptr[i + 1] : 0;
    for (; q < q_end && other->colidx[q] < s->b->nbefore; q++)
        add_halo_row(s, other->colidx[q], other->values[q]);
    for (PetscInt p = own->rowptr[i]; p < own->rowptr[i + 1]; p++)
        add_own_row(s, own->colidx[p], own->values[p]);
    for (; q < q_end; q++)
        add_halo_row(s, other->colidx[q], other->values[q]);
}

static void take_row(refill_state *s, PetscInt i)
{
    const aij *const own = &s->C->part[OWN_COLUMNS];
    for (PetscInt t = own->rowptr[i]; t < own->rowptr[i + 1]; t++) {
        own->values[t] = s->own[own->colidx[t]];
        s->own[own->colidx[t]] = 0;
    }
    const aij *const other = &s->C->part[OTHER_COLUMNS];
    if (other->rowptr == NULL)
        return;
    for (PetscInt t = other->rowptr[i]; t < other->rowptr[i + 1]; t++) {
        const PetscInt place = s->C_place[other->colidx[t]];
        other->values[t] = s->other[place];
        s->other[place] = 0;
    }
}

bool refill_pays(const target *C, const operands *x, const blocks *b)
{
    const double ncolumns = (double)b->B.own.ncols + (double)x->other.count;
    const double nentries = (double)b->B.own.nnz + (double)b->B.other.nnz +
                            (double)C->part[0].nnz + (double)C->part[1].nnz;
    return ncolumns <= COLUMNS_PER_ENTRY * (nentries + 1000.0);
}

/* Whether columns increase in each row, and most of them are in runs. */
static bool look_for_runs(const aij *B)
{
    const PetscInt *const column = B->colidx;
    int64_t count = 0;
    for (PetscInt k = 0; k < B->nrows; k++) {
        const PetscInt end = B->rowptr[k + 1];
        for (PetscInt q = B->rowptr[k]; q + 1 < end; q++)
            if (column[q] >= column[q + 1])
                return false;
        for (PetscInt q = B->rowptr[k]; q + RUN <= end;) {
            const bool is_run = column[q + RUN - 1] - column[q] == RUN - 1;
            count += is_run ? RUN : 0;
            q += is_run ? RUN : 1;
        }
    }
    return 2 * count >= B->nnz;
}

static int team_size(int nthreads)
{
#if defined(_OPENMP)
    return nthreads > 0 ? nthreads : omp_get_max_threads();
#else
    (void)nthreads;
    return 1;
#endif
}

/* One thread of a team: false without memory. */
static bool refill_rows(refill_state s, size_t nown, size_t nother)
{
    s.own = calloc(nown + 1, sizeof(PetscScalar));
    s.other = calloc(nother + 1, sizeof(PetscScalar));
    const bool has_room = s.own != NULL && s.other != NULL;
    const PetscInt nrows = s.b->A[OWN_COLUMNS].nrows;
#pragma omp for schedule(dynamic, 64)
    for (PetscInt i = 0; i < nrows; i++)
        if (has_room) {
            add_row(&s, i);
            take_row(&s, i);
        }
    free(s.own);
    free(s.other);
    return has_room;
}

void refill(const target *C, const operands *x, const blocks *b, int nthreads,
            trouble *what)
{
    const int team = team_size(nthreads);
    const size_t nown = (size_t)b->B.own.ncols;
    const size_t nother = (size_t)x->other.count;
    PetscInt *const B_place =
        columns_places(&x->other, b->B.column_of, b->B.other.ncols);
    PetscInt *const C_place =
        columns_places(&x->other, C->column_of, C->part[OTHER_COLUMNS].ncols);
    const refill_state s = {.C = C,
                            .h = &x->halo,
                            .b = b,
                            .B_place = B_place,
                            .C_place = C_place,
                            .has_runs = look_for_runs(&b->B.own)};
    bool is_done = B_place != NULL && C_place != NULL;
    if (is_done) {
#pragma omp parallel num_threads(team) reduction(&& : is_done)
        is_done = refill_rows(s, nown, nother);
    }
    if (!is_done)
        trouble_no_memory(what, (nown + nother) * sizeof(PetscScalar));
    free(B_place);
    free(C_place);
}
