/* SPDX-License-Identifier: BSD-3-Clause */
/* [A_own A_other] and the rows of B that it meets, in the order of their rows,
   cut into columns of this rank and others: views of PETSc's arrays where no row
   comes from another rank, copies elsewhere. */
#include "operands.h"

#include <stdlib.h>

/* A row of the halo as a row of the gathered B, where this rank's own stand
   between those before and those after. */
static PetscInt gathered_row(const blocks *b, PetscInt k)
{
    return k < b->nbefore ? k : k + b->nown;
}

/* Both blocks of A side by side, in the order of the gathered rows of B. */
static void fill_A(spgemm_csr *A, const blocks *b)
{
    const aij *const own = &b->A[OWN_COLUMNS];
    const aij *const other = &b->A[OTHER_COLUMNS];
    PetscInt *const Aj = A->colidx;
    PetscScalar *const Ax = A->values;
    int64_t p = 0;
    for (PetscInt i = 0; i < own->nrows; i++) {
        A->rowptr[i] = p;
        PetscInt q = other->rowptr[i];
        const PetscInt q_end = other->rowptr[i + 1];
        for (; q < q_end && other->colidx[q] < b->nbefore; q++, p++) {
            Aj[p] = other->colidx[q];
            Ax[p] = other->values[q];
        }
        const PetscInt d = own->rowptr[i];
        const PetscInt count = own->rowptr[i + 1] - d;
        for (PetscInt t = 0; t < count; t++)
            Aj[p + t] = b->nbefore + own->colidx[d + t];
        for (PetscInt t = 0; t < count; t++)
            Ax[p + t] = own->values[d + t];
        p += count;
        for (; q < q_end; q++, p++) {
            Aj[p] = gathered_row(b, other->colidx[q]);
            Ax[p] = other->values[q];
        }
    }
    A->rowptr[own->nrows] = p;
}

/* Row pointers of both parts of the gathered B. */
static void count_B(spgemm_csr B[], const blocks *b, const halo *h)
{
    for (PetscInt k = 0; k < h->nrows; k++) {
        const PetscInt row = gathered_row(b, k);
        for (int64_t t = h->start[k]; t < h->start[k + 1]; t++)
            B[h->columns[t] < b->B.own.ncols ? OWN_COLUMNS : OTHER_COLUMNS]
                .rowptr[row + 1]++;
    }
    const aij *const part[] = {&b->B.own, &b->B.other};
    for (int c = 0; c < PART_COUNT; c++) {
        int64_t *const ptr = B[c].rowptr;
        for (PetscInt k = 0; k < b->nown; k++)
            ptr[b->nbefore + k + 1] =
                part[c]->rowptr[k + 1] - part[c]->rowptr[k];
        for (int64_t k = 0; k < B[c].nrows; k++)
            ptr[k + 1] += ptr[k];
    }
}

static void fill_B(spgemm_csr B[], const blocks *b, const halo *h,
                   const PetscInt *place)
{
    PetscInt *const own = B[OWN_COLUMNS].colidx;
    PetscInt *const other = B[OTHER_COLUMNS].colidx;
    PetscScalar *const own_values = B[OWN_COLUMNS].values;
    PetscScalar *const other_values = B[OTHER_COLUMNS].values;
    int64_t d = B[OWN_COLUMNS].rowptr[b->nbefore];
    for (PetscInt t = 0; t < b->B.own.nnz; t++, d++) {
        own[d] = b->B.own.colidx[t];
        own_values[d] = b->B.own.values[t];
    }
    int64_t o = B[OTHER_COLUMNS].rowptr[b->nbefore];
    for (PetscInt t = 0; t < b->B.other.nnz; t++, o++) {
        other[o] = place[b->B.other.colidx[t]];
        other_values[o] = b->B.other.values[t];
    }
    for (PetscInt k = 0; k < h->nrows; k++) {
        const PetscInt row = gathered_row(b, k);
        d = B[OWN_COLUMNS].rowptr[row];
        o = B[OTHER_COLUMNS].rowptr[row];
        for (int64_t t = h->start[k]; t < h->start[k + 1]; t++)
            if (h->columns[t] < b->B.own.ncols) {
                own[d] = h->columns[t];
                own_values[d++] = h->values[t];
            } else {
                other[o] = h->columns[t] - b->B.own.ncols;
                other_values[o++] = h->values[t];
            }
    }
}

static spgemm_status make(spgemm_csr *A, int64_t nrows, int64_t ncols,
                          int64_t nnz)
{
    return spgemm_csr_create(A, nrows, ncols, nnz, PETSC_INDEX_TYPE,
                             PETSC_VALUE_TYPE, NULL);
}

static void make_copies(const operands *x, const blocks *b, factors *f,
                        trouble *what)
{
    const halo *const h = &x->halo;
    const int64_t nrows = (int64_t)b->nown + b->nhalo;
    int64_t nother = 0;
    for (int64_t t = 0; t < h->start[h->nrows]; t++)
        nother += h->columns[t] >= b->B.own.ncols;
    PetscInt *const place =
        columns_places(&x->other, b->B.column_of, b->B.other.ncols);
    if (place == NULL)
        trouble_no_memory(what, (size_t)b->B.other.ncols * sizeof(*place));
    trouble_note(what, make(&f->B[OWN_COLUMNS], nrows, b->B.own.ncols,
                            b->B.own.nnz + h->start[h->nrows] - nother));
    trouble_note(what, make(&f->B[OTHER_COLUMNS], nrows, x->other.count,
                            b->B.other.nnz + nother));
    trouble_note(what, make(&f->A[OWN_COLUMNS], b->A[0].nrows, nrows,
                            (int64_t)b->A[0].nnz + b->A[1].nnz));
    if (what->status == SPGEMM_SUCCESS) {
        count_B(f->B, b, h);
        fill_B(f->B, b, h, place);
        fill_A(&f->A[OWN_COLUMNS], b);
    }
    free(place);
}

/* The entries (i,k) of A with has[k]: as many as `some` was made for. */
static void take_some(spgemm_csr *some, const spgemm_csr *A, const char *has)
{
    const PetscInt *const Aj = A->colidx;
    const PetscScalar *const Ax = A->values;
    PetscInt *const some_j = some->colidx;
    PetscScalar *const some_x = some->values;
    int64_t n = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        for (int64_t t = A->rowptr[i]; t < A->rowptr[i + 1]; t++)
            if (has[Aj[t]]) {
                some_j[n] = Aj[t];
                some_x[n++] = Ax[t];
            }
        some->rowptr[i + 1] = n;
    }
}

/* Few rows of B have columns of other ranks, as a rule: the others need not be
   looked for again. A itself, where most entries meet such. */
static void select_A(factors *f, trouble *what)
{
    const spgemm_csr *const A = &f->A[OWN_COLUMNS];
    const spgemm_csr *const B = &f->B[OTHER_COLUMNS];
    const PetscInt *const Aj = A->colidx;
    int64_t count = 0;
    char *const has = malloc((size_t)B->nrows + 1);
    if (has == NULL) {
        trouble_no_memory(what, (size_t)B->nrows + 1);
        return;
    }
    for (int64_t k = 0; k < B->nrows; k++)
        has[k] = B->rowptr[k] < B->rowptr[k + 1];
    for (int64_t t = 0; t < A->nnz && B->nnz > 0; t++)
        count += has[Aj[t]];
    spgemm_csr *const some = &f->A[OTHER_COLUMNS];
    if (2 * count > A->nnz) {
        *some =
            spgemm_csr_view(A->nrows, A->ncols, A->nnz, A->rowptr, A->colidx,
                            A->values, PETSC_INDEX_TYPE, PETSC_VALUE_TYPE);
    } else {
        trouble_note(what, make(some, A->nrows, A->ncols, count));
        if (what->status == SPGEMM_SUCCESS && count > 0)
            take_some(some, A, has);
    }
    free(has);
}

PetscErrorCode operands_factors(operands *x, const blocks *b, factors *f,
                                trouble *what)
{
    PetscFunctionBegin;
    f->nparts = b->nparts;
    f->is_copy = b->nhalo > 0;
    if (what->status != SPGEMM_SUCCESS)
        PetscFunctionReturn(0);
    if (f->is_copy) {
        make_copies(x, b, f, what);
    } else {
        PetscCall(seqaij_view(b->A_mat[OWN_COLUMNS], &f->A[OWN_COLUMNS], what));
        for (int part = 0; part < b->nparts; part++)
            PetscCall(seqaij_view(b->B_mat[part], &f->B[part], what));
    }
    halo_forget_values(&x->halo);
    if (f->nparts > 1 && what->status == SPGEMM_SUCCESS)
        select_A(f, what);
    PetscFunctionReturn(0);
}

void factors_destroy(factors *f)
{
    for (int part = 0; part < PART_COUNT; part++) {
        spgemm_csr_destroy(&f->A[part]);
        spgemm_csr_destroy(&f->B[part]);
    }
}
