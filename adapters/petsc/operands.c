/* SPDX-License-Identifier: BSD-3-Clause */
/* Of A, the rows of this rank; of B, the rows k with A(i,k) in them, in the
   order of k, cut into columns of this rank and others. */
#include "operands.h"

#include <stdlib.h>

/* A and B as PETSc holds them on this rank. */
typedef struct blocks {
    Mat A_own;
    Mat A_other;
    Mat B_own;
    Mat B_other;
    /* [columns of A_other], [columns of B_other]: their columns in A and B. */
    const PetscInt *A_column;
    const PetscInt *B_column;
    PetscInt nhalo;
    /* Rows of the halo that come before those of this rank. */
    PetscInt nbefore;
    PetscInt nown;
    PetscInt first_column;
    PetscInt end_column;
    /* Views of the four. */
    spgemm_csr A[PART_COUNT];
    local_rows rows;
} blocks;

static PetscErrorCode find_blocks(Mat A, Mat B, blocks *b, trouble *what)
{
    PetscInt first;
    PetscInt end;
    PetscInt first_row;
    PetscInt end_row;

    PetscFunctionBegin;
    PetscCall(MatMPIAIJGetSeqAIJ(A, &b->A_own, &b->A_other, &b->A_column));
    PetscCall(MatMPIAIJGetSeqAIJ(B, &b->B_own, &b->B_other, &b->B_column));
    PetscCall(MatGetOwnershipRangeColumn(A, &first, &end));
    PetscCall(MatGetOwnershipRange(B, &first_row, &end_row));
    PetscCall(MatGetOwnershipRangeColumn(B, &b->first_column, &b->end_column));
    if (first != first_row || end != end_row)
        trouble_say(what, SPGEMM_ERROR_SHAPE,
                    "the columns of A and the rows of B are not distributed "
                    "alike");
    b->nown = end_row - first_row;
    PetscCall(MatGetSize(b->A_other, NULL, &b->nhalo));
    while (b->nbefore < b->nhalo && b->A_column[b->nbefore] < first)
        b->nbefore++;
    PetscCall(seqaij_view(b->A_own, &b->A[OWN_COLUMNS], what));
    PetscCall(seqaij_view(b->A_other, &b->A[OTHER_COLUMNS], what));
    PetscCall(seqaij_view(b->B_own, &b->rows.own, what));
    PetscCall(seqaij_view(b->B_other, &b->rows.other, what));
    b->rows.column_of = b->B_column;
    b->rows.first_column = b->first_column;
    PetscFunctionReturn(0);
}

static void leave_blocks(blocks *b)
{
    for (int part = 0; part < PART_COUNT; part++)
        spgemm_csr_destroy(&b->A[part]);
    spgemm_csr_destroy(&b->rows.own);
    spgemm_csr_destroy(&b->rows.other);
}

static uint64_t mix(uint64_t sum, uint64_t next)
{
    return (sum ^ next) * UINT64_C(0x100000001B3);
}

/* Of rowptr and colidx of all four: FNV-1a, a number at a time. */
static uint64_t patterns_checksum(const blocks *b)
{
    const spgemm_csr *const all[] = {&b->A[0], &b->A[1], &b->rows.own,
                                     &b->rows.other};
    uint64_t sum = UINT64_C(0xCBF29CE484222325);
    for (int m = 0; m < 4; m++) {
        const PetscInt *const colidx = all[m]->colidx;
        for (int64_t i = 0; i <= all[m]->nrows; i++)
            sum = mix(sum, (uint64_t)all[m]->rowptr[i]);
        for (int64_t t = 0; t < all[m]->nnz; t++)
            sum = mix(sum, (uint64_t)colidx[t]);
    }
    for (int64_t c = 0; c < b->A[1].ncols; c++)
        sum = mix(sum, (uint64_t)b->A_column[c]);
    for (int64_t c = 0; c < b->rows.other.ncols; c++)
        sum = mix(sum, (uint64_t)b->B_column[c]);
    return sum;
}

/* A row of the halo as a row of the gathered B, where this rank's own stand
   between those before and those after. */
static PetscInt gathered_row(const blocks *b, PetscInt k)
{
    return k < b->nbefore ? k : k + b->nown;
}

/* Both blocks of A side by side, in the order of the gathered rows of B. */
static void fill_A(spgemm_csr *A, const blocks *b)
{
    const spgemm_csr *const own = &b->A[OWN_COLUMNS];
    const spgemm_csr *const other = &b->A[OTHER_COLUMNS];
    const PetscInt *const Oj = other->colidx;
    const PetscScalar *const Ox = other->values;
    PetscInt *const Aj = A->colidx;
    PetscScalar *const Ax = A->values;
    int64_t p = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        A->rowptr[i] = p;
        int64_t q = other->rowptr[i];
        for (; q < other->rowptr[i + 1] && Oj[q] < b->nbefore; q++, p++) {
            Aj[p] = Oj[q];
            Ax[p] = Ox[q];
        }
        for (int64_t d = own->rowptr[i]; d < own->rowptr[i + 1]; d++, p++) {
            Aj[p] = b->nbefore + ((const PetscInt *)own->colidx)[d];
            Ax[p] = ((const PetscScalar *)own->values)[d];
        }
        for (; q < other->rowptr[i + 1]; q++, p++) {
            Aj[p] = gathered_row(b, Oj[q]);
            Ax[p] = Ox[q];
        }
    }
    A->rowptr[A->nrows] = p;
}

static bool bit(const unsigned char *bits, int64_t t)
{
    return (bits[t / 8] >> (t % 8) & 1) != 0;
}

/* Columns of the halo that are not of this rank join those of its own rows. */
static void find_other_columns(operands *x, const blocks *b, trouble *what)
{
    bool is_done = true;
    for (int64_t c = 0; c < b->rows.other.ncols && is_done; c++)
        is_done = columns_add(&x->other, b->B_column[c]);
    const int64_t nentries = x->has_halo ? x->halo.start[x->halo.nrows] : 0;
    if (x->has_halo) {
        x->is_own = calloc((size_t)nentries / 8 + 1, 1);
        is_done = is_done && x->is_own != NULL;
    }
    for (int64_t t = 0; t < nentries && is_done; t++) {
        const PetscInt column = x->halo.columns[t];
        if (column >= b->first_column && column < b->end_column)
            x->is_own[t / 8] |= (unsigned char)(1u << (t % 8));
        else
            is_done = columns_add(&x->other, column);
    }
    if (is_done)
        columns_order(&x->other);
    else
        trouble_no_memory(what, (size_t)nentries * sizeof(PetscInt));
}

/* Row pointers of both parts of the gathered B. */
static void count_B(operands *x, const blocks *b)
{
    const halo *const h = &x->halo;
    for (PetscInt k = 0; k < h->nrows; k++) {
        const PetscInt row = gathered_row(b, k);
        for (int64_t t = h->start[k]; t < h->start[k + 1]; t++)
            x->B[bit(x->is_own, t) ? OWN_COLUMNS : OTHER_COLUMNS]
                .rowptr[row + 1]++;
    }
    const spgemm_csr *const part[] = {&b->rows.own, &b->rows.other};
    for (int c = 0; c < PART_COUNT; c++) {
        int64_t *const ptr = x->B[c].rowptr;
        for (PetscInt k = 0; k < b->nown; k++)
            ptr[b->nbefore + k + 1] =
                part[c]->rowptr[k + 1] - part[c]->rowptr[k];
        for (int64_t k = 0; k < x->B[c].nrows; k++)
            ptr[k + 1] += ptr[k];
    }
}

/* Columns of the gathered B. */
static void fill_columns(operands *x, const blocks *b)
{
    const halo *const h = &x->halo;
    PetscInt *const own = x->B[OWN_COLUMNS].colidx;
    PetscInt *const other = x->B[OTHER_COLUMNS].colidx;
    const PetscInt *const Bd = b->rows.own.colidx;
    const PetscInt *const Bo = b->rows.other.colidx;
    int64_t p = x->B[OWN_COLUMNS].rowptr[b->nbefore];
    for (int64_t t = 0; t < b->rows.own.nnz; t++)
        own[p++] = Bd[t];
    p = x->B[OTHER_COLUMNS].rowptr[b->nbefore];
    for (int64_t t = 0; t < b->rows.other.nnz; t++)
        other[p++] = columns_place(&x->other, b->B_column[Bo[t]]);
    for (PetscInt k = 0; k < h->nrows; k++) {
        const PetscInt row = gathered_row(b, k);
        int64_t d = x->B[OWN_COLUMNS].rowptr[row];
        int64_t o = x->B[OTHER_COLUMNS].rowptr[row];
        for (int64_t t = h->start[k]; t < h->start[k + 1]; t++)
            if (bit(x->is_own, t))
                own[d++] = h->columns[t] - b->first_column;
            else
                other[o++] = columns_place(&x->other, h->columns[t]);
    }
}

/* Values of the gathered B. */
static void fill_values(operands *x, const blocks *b)
{
    const halo *const h = &x->halo;
    PetscScalar *const own = x->B[OWN_COLUMNS].values;
    PetscScalar *const other = x->B[OTHER_COLUMNS].values;
    const PetscScalar *const Bd = b->rows.own.values;
    const PetscScalar *const Bo = b->rows.other.values;
    int64_t p = x->B[OWN_COLUMNS].rowptr[b->nbefore];
    for (int64_t t = 0; t < b->rows.own.nnz; t++)
        own[p++] = Bd[t];
    p = x->B[OTHER_COLUMNS].rowptr[b->nbefore];
    for (int64_t t = 0; t < b->rows.other.nnz; t++)
        other[p++] = Bo[t];
    for (PetscInt k = 0; k < h->nrows; k++) {
        const PetscInt row = gathered_row(b, k);
        int64_t d = x->B[OWN_COLUMNS].rowptr[row];
        int64_t o = x->B[OTHER_COLUMNS].rowptr[row];
        for (int64_t t = h->start[k]; t < h->start[k + 1]; t++)
            if (bit(x->is_own, t))
                own[d++] = h->values[t];
            else
                other[o++] = h->values[t];
    }
}

static spgemm_status make(spgemm_csr *A, int64_t nrows, int64_t ncols,
                          int64_t nnz)
{
    return spgemm_csr_create(A, nrows, ncols, nnz, PETSC_INDEX_TYPE,
                             PETSC_VALUE_TYPE, NULL);
}

/* Copies of A and of the rows of B, own and gathered. */
static void make_copies(operands *x, const blocks *b, trouble *what)
{
    const int64_t nrows = b->nown + (int64_t)b->nhalo;
    const int64_t nentries = x->halo.start[b->nhalo];
    int64_t nown = 0;
    for (int64_t t = 0; t < nentries; t++)
        nown += bit(x->is_own, t);
    trouble_note(what,
                 make(&x->B[OWN_COLUMNS], nrows,
                      b->end_column - b->first_column, b->rows.own.nnz + nown));
    trouble_note(what, make(&x->B[OTHER_COLUMNS], nrows, x->other.count,
                            b->rows.other.nnz + nentries - nown));
    trouble_note(what,
                 make(&x->A, b->A[0].nrows, nrows, b->A[0].nnz + b->A[1].nnz));
    if (what->status != SPGEMM_SUCCESS)
        return;
    count_B(x, b);
    fill_columns(x, b);
    fill_values(x, b);
    fill_A(&x->A, b);
}

/* Without a halo, what PETSc holds is what is multiplied. */
static void take_views(operands *x, blocks *b)
{
    x->A = b->A[OWN_COLUMNS];
    x->B[OWN_COLUMNS] = b->rows.own;
    x->B[OTHER_COLUMNS] = b->rows.other;
    b->A[OWN_COLUMNS] = b->rows.own = b->rows.other = (spgemm_csr){0};
}

static void drop_matrices(operands *x)
{
    spgemm_csr_destroy(&x->A);
    for (int part = 0; part < PART_COUNT; part++)
        spgemm_csr_destroy(&x->B[part]);
}

void operands_leave(operands *x)
{
    if (!x->has_halo)
        drop_matrices(x);
}

static PetscErrorCode view_sequential(operands *x, Mat A, Mat B, trouble *what)
{
    PetscFunctionBegin;
    x->nparts = 1;
    PetscCall(seqaij_view(A, &x->A, what));
    PetscCall(seqaij_view(B, &x->B[OWN_COLUMNS], what));
    PetscFunctionReturn(0);
}

PetscErrorCode operands_create(operands *x, Mat A, Mat B, trouble *what)
{
    blocks b = {0};
    PetscBool is_parallel;

    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &is_parallel));
    if (!is_parallel) {
        PetscCall(view_sequential(x, A, B, what));
        PetscFunctionReturn(0);
    }
    x->nparts = PART_COUNT;
    PetscCall(find_blocks(A, B, &b, what));
    x->has_halo = b.nhalo > 0 ? PETSC_TRUE : PETSC_FALSE;
    PetscCall(halo_create(&x->halo, B, b.nhalo, b.A_column, &b.rows, what));
    PetscCall(trouble_agree(PetscObjectComm((PetscObject)A), what));
    PetscCall(halo_fetch(&x->halo, &b.rows));
    if (what->status == SPGEMM_SUCCESS)
        x->checksum = patterns_checksum(&b);
    find_other_columns(x, &b, what);
    if (!x->has_halo)
        take_views(x, &b);
    else if (what->status == SPGEMM_SUCCESS)
        make_copies(x, &b, what);
    columns_forget_places(&x->other);
    halo_forget_entries(&x->halo);
    leave_blocks(&b);
    PetscFunctionReturn(0);
}

PetscErrorCode operands_refresh(operands *x, Mat A, Mat B, trouble *what)
{
    blocks b = {0};

    PetscFunctionBegin;
    if (x->nparts == 1) {
        PetscCall(view_sequential(x, A, B, what));
        PetscFunctionReturn(0);
    }
    PetscCall(find_blocks(A, B, &b, what));
    if (what->status == SPGEMM_SUCCESS && patterns_checksum(&b) != x->checksum)
        trouble_say(what, SPGEMM_ERROR_PATTERN,
                    "A or B has entries at other places than when they were "
                    "multiplied first: use MAT_INITIAL_MATRIX");
    halo_make_room(&x->halo, what);
    PetscCall(trouble_agree(PetscObjectComm((PetscObject)A), what));
    PetscCall(halo_fetch(&x->halo, &b.rows));
    if (x->has_halo) {
        fill_values(x, &b);
        fill_A(&x->A, &b);
    } else {
        take_views(x, &b);
    }
    halo_forget_entries(&x->halo);
    leave_blocks(&b);
    PetscFunctionReturn(0);
}

PetscErrorCode operands_destroy(operands *x)
{
    PetscFunctionBegin;
    drop_matrices(x);
    columns_destroy(&x->other);
    free(x->is_own);
    if (x->nparts == PART_COUNT)
        PetscCall(halo_destroy(&x->halo));
    *x = (operands){0};
    PetscFunctionReturn(0);
}
