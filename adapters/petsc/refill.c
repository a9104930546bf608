/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,j) = sum over k of A(i,k) B(k,j) for the places (i,j) that C has: products
   are added where their column is in a row of zeros, which is then read at the
   places of C(i,:) and zeroed again. In the order of A's row, begun at +0: bit
   for bit what the library made of them first. */
#include "refill.h"

#include <stdlib.h>

#include "sums.h"
#include "team.h"

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
    /* Of B's own columns: sums_add_runs() takes them, and has less to do. */
    bool has_runs;
} refill_state;

/* Columns, for each entry of B and C, that are worth a sum of their own. */
enum { COLUMNS_PER_ENTRY = 4 };

static void add_own(refill_state *s, const PetscInt *column,
                    const PetscScalar *x, PetscInt count, PetscScalar a)
{
    if (s->has_runs)
        sums_add_runs(s->own, column, x, count, a);
    else
        sums_add(s->own, column, x, count, a);
}

/* Entries [begin, end) of a row of A, of columns of this rank, and B. */
EACH_CPU static void add_own_rows(refill_state *s, PetscInt begin, PetscInt end)
{
    const aij *const A = &s->b->A[OWN_COLUMNS];
    const aij *const B = &s->b->B.own;
    for (PetscInt p = begin; p < end; p++) {
        const PetscInt q = B->rowptr[A->colidx[p]];
        sums_add(s->own, B->colidx + q, B->values + q,
                 B->rowptr[A->colidx[p] + 1] - q, A->values[p]);
    }
}

/* The same of a B with runs. */
EACH_CPU static void add_own_runs(refill_state *s, PetscInt begin, PetscInt end)
{
    const aij *const A = &s->b->A[OWN_COLUMNS];
    const aij *const B = &s->b->B.own;
    for (PetscInt p = begin; p < end; p++) {
        const PetscInt q = B->rowptr[A->colidx[p]];
        sums_add_runs(s->own, B->colidx + q, B->values + q,
                      B->rowptr[A->colidx[p] + 1] - q, A->values[p]);
    }
}

/* The same, and columns of other ranks. */
static void add_other_rows(refill_state *s, PetscInt begin, PetscInt end)
{
    const aij *const A = &s->b->A[OWN_COLUMNS];
    const aij *const B = &s->b->B.other;
    for (PetscInt p = begin; p < end; p++) {
        const PetscInt k = A->colidx[p];
        for (PetscInt q = B->rowptr[k]; q < B->rowptr[k + 1]; q++)
            s->other[s->B_place[B->colidx[q]]] += A->values[p] * B->values[q];
    }
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

/* Whether C(i,:) has columns of other ranks: most rows do not. */
static bool has_other(const refill_state *s, PetscInt i)
{
    const PetscInt *const rowptr = s->C->part[OTHER_COLUMNS].rowptr;
    return rowptr != NULL && rowptr[i] < rowptr[i + 1];
}

static void add_row(refill_state *s, PetscInt i)
{
    const aij *const own = &s->b->A[OWN_COLUMNS];
    const aij *const other = &s->b->A[OTHER_COLUMNS];
    PetscInt q = other->rowptr ? other->rowptr[i] : 0;
    const PetscInt q_end = other->rowptr ? other->rowptr[i + 1] : 0;
    for (; q < q_end && other->colidx[q] < s->b->nbefore; q++)
        add_halo_row(s, other->colidx[q], other->values[q]);
    if (s->has_runs)
        add_own_runs(s, own->rowptr[i], own->rowptr[i + 1]);
    else
        add_own_rows(s, own->rowptr[i], own->rowptr[i + 1]);
    if (has_other(s, i))
        add_other_rows(s, own->rowptr[i], own->rowptr[i + 1]);
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
    if (!has_other(s, i))
        return;
    const aij *const other = &s->C->part[OTHER_COLUMNS];
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
                            .has_runs = sums_have_runs(&b->B.own)};
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
