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
    /* B.other, whose columns are their places in `sums`. */
    aij B_other;
    /* [columns of C.other] their places among columns of others. */
    const PetscInt *C_place;
    /* A sum for each column of this rank, and behind them of others; zeros. */
    PetscScalar *sums;
    /* Of B's own columns: add_runs() takes them, and has less to do. */
    bool has_runs;
} refill_state;

/* Columns, for each entry of B and C, that are worth a sum of their own. */
enum { COLUMNS_PER_ENTRY = 4 };

EACH_CPU static void add_rows(PetscScalar *sums, const aij *A, PetscInt begin,
                              PetscInt end, const aij *B)
{
    sums_add_rows(sums, A, begin, end, B, false);
}

/* The same of a B with runs. */
EACH_CPU static void add_runs(PetscScalar *sums, const aij *A, PetscInt begin,
                              PetscInt end, const aij *B)
{
    sums_add_rows(sums, A, begin, end, B, true);
}

/* Entries [begin, end) of a row of A, of columns of other ranks, and the halo. */
EACH_CPU static void add_halo_rows(refill_state *s, PetscInt begin,
                                   PetscInt end)
{
    const aij *const A = &s->b->A[OTHER_COLUMNS];
    const halo *const h = s->h;
    for (PetscInt p = begin; p < end; p++) {
        const int64_t q = h->start[A->colidx[p]];
        sums_add(s->sums, h->columns + q, h->values + q,
                 (PetscInt)(h->start[A->colidx[p] + 1] - q), A->values[p]);
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
    const PetscInt begin = other->rowptr ? other->rowptr[i] : 0;
    const PetscInt end = other->rowptr ? other->rowptr[i + 1] : 0;
    PetscInt middle = begin;
    while (middle < end && other->colidx[middle] < s->b->nbefore)
        middle++;
    if (begin < middle)
        add_halo_rows(s, begin, middle);
    const PetscInt first = own->rowptr[i];
    const PetscInt last = own->rowptr[i + 1];
    if (s->has_runs)
        add_runs(s->sums, own, first, last, &s->b->B.own);
    else
        add_rows(s->sums, own, first, last, &s->b->B.own);
    if (has_other(s, i))
        add_rows(s->sums, own, first, last, &s->B_other);
    if (middle < end)
        add_halo_rows(s, middle, end);
}

static void take_row(refill_state *s, PetscInt i)
{
    const aij *const own = &s->C->part[OWN_COLUMNS];
    for (PetscInt t = own->rowptr[i]; t < own->rowptr[i + 1]; t++) {
        own->values[t] = s->sums[own->colidx[t]];
        s->sums[own->colidx[t]] = 0;
    }
    if (!has_other(s, i))
        return;
    const aij *const other = &s->C->part[OTHER_COLUMNS];
    PetscScalar *const sums = s->sums + own->ncols;
    for (PetscInt t = other->rowptr[i]; t < other->rowptr[i + 1]; t++) {
        const PetscInt place = s->C_place[other->colidx[t]];
        other->values[t] = sums[place];
        sums[place] = 0;
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
static bool refill_rows(refill_state s, size_t width)
{
    s.sums = calloc(width + 1, sizeof(PetscScalar));
    const bool has_room = s.sums != NULL;
    const PetscInt nrows = s.b->A[OWN_COLUMNS].nrows;
#pragma omp for schedule(dynamic, 64)
    for (PetscInt i = 0; i < nrows; i++)
        if (has_room) {
            add_row(&s, i);
            take_row(&s, i);
        }
    free(s.sums);
    return has_room;
}

/* [nnz of B.other], to be freed; NULL: no memory. */
static PetscInt *places_of_entries(const operands *x, const blocks *b)
{
    const aij *const other = &b->B.other;
    PetscInt *const place =
        columns_places(&x->other, b->B.column_of, other->ncols);
    PetscInt *const of_entry =
        malloc(((size_t)other->nnz + 1) * sizeof(*of_entry));
    for (PetscInt q = 0; q < other->nnz && place != NULL && of_entry != NULL;
         q++)
        of_entry[q] = b->B.own.ncols + place[other->colidx[q]];
    if (place == NULL) {
        free(of_entry);
        return NULL;
    }
    free(place);
    return of_entry;
}

void refill(const target *C, const operands *x, const blocks *b, int nthreads,
            trouble *what)
{
    const int team = team_size(nthreads);
    const size_t width = (size_t)b->B.own.ncols + (size_t)x->other.count;
    PetscInt *const B_place = places_of_entries(x, b);
    PetscInt *const C_place =
        columns_places(&x->other, C->column_of, C->part[OTHER_COLUMNS].ncols);
    refill_state s = {.C = C,
                      .h = &x->halo,
                      .b = b,
                      .B_other = b->B.other,
                      .C_place = C_place,
                      .has_runs = sums_have_runs(&b->B.own)};
    s.B_other.colidx = B_place;
    bool is_done = B_place != NULL && C_place != NULL;
    if (is_done) {
#pragma omp parallel num_threads(team) reduction(&& : is_done)
        is_done = refill_rows(s, width);
    }
    if (!is_done)
        trouble_no_memory(what, width * sizeof(PetscScalar));
    free(B_place);
    free(C_place);
}
