/* SPDX-License-Identifier: BSD-3-Clause */
/* Of A, the rows of this rank; of B, the rows k with A(i,k) in them. */
#include "operands.h"

#include <string.h>

static PetscErrorCode find_sequential(Mat A, Mat B, blocks *b)
{
    PetscFunctionBegin;
    b->nparts = 1;
    b->A_mat[OWN_COLUMNS] = A;
    b->B_mat[OWN_COLUMNS] = B;
    PetscCall(seqaij_borrow(A, &b->A[OWN_COLUMNS]));
    PetscCall(seqaij_borrow(B, &b->B.own));
    b->nown = b->B.own.nrows;
    b->end_column = b->B.own.ncols;
    PetscFunctionReturn(0);
}

static PetscErrorCode find_blocks(Mat A, Mat B, blocks *b, trouble *what)
{
    PetscInt first;
    PetscInt end;
    PetscInt first_row;
    PetscInt end_row;
    PetscBool is_parallel;

    PetscFunctionBegin;
    *b = (blocks){.nparts = PART_COUNT};
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &is_parallel));
    if (!is_parallel) {
        PetscCall(find_sequential(A, B, b));
        PetscFunctionReturn(0);
    }
    PetscCall(MatMPIAIJGetSeqAIJ(A, &b->A_mat[0], &b->A_mat[1], &b->A_column));
    PetscCall(
        MatMPIAIJGetSeqAIJ(B, &b->B_mat[0], &b->B_mat[1], &b->B.column_of));
    PetscCall(MatGetOwnershipRangeColumn(A, &first, &end));
    PetscCall(MatGetOwnershipRange(B, &first_row, &end_row));
    PetscCall(
        MatGetOwnershipRangeColumn(B, &b->B.first_column, &b->end_column));
    if (first != first_row || end != end_row)
        trouble_say(what, SPGEMM_ERROR_SHAPE,
                    "the columns of A and the rows of B are not distributed "
                    "alike");
    for (int part = 0; part < PART_COUNT; part++)
        PetscCall(seqaij_borrow(b->A_mat[part], &b->A[part]));
    PetscCall(seqaij_borrow(b->B_mat[OWN_COLUMNS], &b->B.own));
    PetscCall(seqaij_borrow(b->B_mat[OTHER_COLUMNS], &b->B.other));
    b->nown = b->B.own.nrows;
    b->nhalo = b->A[OTHER_COLUMNS].ncols;
    while (b->nbefore < b->nhalo && b->A_column[b->nbefore] < first)
        b->nbefore++;
    PetscFunctionReturn(0);
}

/* A number at a time, in four sums: none waits for the one before. Each is folded
   into the last with its upper bits, lest changes in two of them cancel. */
enum { SUMS = 4 };

static const uint64_t FACTOR = UINT64_C(0x9E3779B97F4A7C15);

static uint64_t mix_one(uint64_t sum, uint64_t number)
{
    return (sum + number) * FACTOR;
}

static uint64_t mix(uint64_t sum, const PetscInt numbers[], int64_t count)
{
    uint64_t sums[SUMS] = {sum, ~sum, sum >> 1, sum << 1};
    int64_t t = 0;
    for (; t + SUMS <= count; t += SUMS)
        for (int u = 0; u < SUMS; u++)
            sums[u] = mix_one(sums[u], (uint64_t)numbers[t + u]);
    for (; t < count; t++)
        sums[0] = mix_one(sums[0], (uint64_t)numbers[t]);
    uint64_t folded = (uint64_t)count;
    for (int u = 0; u < SUMS; u++)
        folded = (folded ^ (sums[u] >> 29) ^ sums[u]) * FACTOR;
    return folded;
}

static uint64_t mix_pattern(uint64_t sum, const aij *m)
{
    if (m->rowptr == NULL)
        return sum;
    return mix(mix(sum, m->rowptr, (int64_t)m->nrows + 1), m->colidx, m->nnz);
}

/* Of rowptr and colidx of all blocks, and of what their columns are. */
static uint64_t patterns_checksum(const blocks *b)
{
    uint64_t sum = mix_pattern(1, &b->A[OWN_COLUMNS]);
    sum = mix_pattern(sum, &b->A[OTHER_COLUMNS]);
    sum = mix_pattern(sum, &b->B.own);
    sum = mix_pattern(sum, &b->B.other);
    sum = mix(sum, b->A_column, b->nhalo);
    return mix(sum, b->B.column_of, b->B.other.ncols);
}

/* Columns of other ranks, of own rows of B and of others. */
static void find_other_columns(operands *x, const blocks *b, trouble *what)
{
    halo *const h = &x->halo;
    bool is_done = true;
    for (PetscInt c = 0; c < b->B.other.ncols && is_done; c++)
        is_done = columns_add(&x->other, b->B.column_of[c]);
    const int64_t nentries = h->start[h->nrows];
    const PetscInt first = b->B.first_column;
    const PetscInt nown = b->B.own.ncols;
    for (int64_t t = 0; t < nentries && is_done; t++)
        if (h->columns[t] < first || h->columns[t] >= b->end_column)
            is_done = columns_add(&x->other, h->columns[t]);
    if (!is_done) {
        trouble_no_memory(what, (size_t)nentries * sizeof(PetscInt));
        return;
    }
    columns_order(&x->other);
    for (int64_t t = 0; t < nentries; t++)
        h->columns[t] = h->columns[t] < first || h->columns[t] >= b->end_column
                            ? nown + columns_place(&x->other, h->columns[t])
                            : h->columns[t] - first;
    columns_forget_places(&x->other);
}

static PetscErrorCode identify(identity *x, Mat A, Mat B, const blocks *b)
{
    PetscFunctionBegin;
    *x = (identity){0};
    PetscCall(PetscObjectGetId((PetscObject)A, &x->id[0]));
    PetscCall(PetscObjectGetId((PetscObject)B, &x->id[1]));
    for (int part = 0; part < b->nparts; part++) {
        PetscCall(
            PetscObjectGetId((PetscObject)b->A_mat[part], &x->block[0][part]));
        PetscCall(
            PetscObjectGetId((PetscObject)b->B_mat[part], &x->block[1][part]));
    }
    PetscCall(MatGetNonzeroState(A, &x->pattern[0]));
    PetscCall(MatGetNonzeroState(B, &x->pattern[1]));
    PetscFunctionReturn(0);
}

PetscErrorCode operands_create(operands *x, Mat A, Mat B, blocks *b,
                               trouble *what)
{
    PetscFunctionBegin;
    PetscCall(find_blocks(A, B, b, what));
    x->checksum = patterns_checksum(b);
    PetscCall(identify(&x->who, A, B, b));
    if (b->nparts == 1)
        PetscFunctionReturn(0);
    PetscCall(halo_create(&x->halo, B, b->nhalo, b->A_column, &b->B, what));
    PetscCall(trouble_agree(PetscObjectComm((PetscObject)A), what));
    PetscCall(halo_fetch_columns(&x->halo, &b->B));
    PetscCall(halo_fetch_values(&x->halo, &b->B));
    find_other_columns(x, b, what);
    PetscFunctionReturn(0);
}

/* Patterns that PETSc says have not changed need not be looked at. */
static PetscErrorCode check_patterns(operands *x, Mat A, Mat B, const blocks *b,
                                     trouble *what)
{
    identity now;

    PetscFunctionBegin;
    PetscCall(identify(&now, A, B, b));
    const bool is_same = memcmp(&now, &x->who, sizeof(now)) == 0;
    if (!is_same && patterns_checksum(b) != x->checksum) {
        trouble_say(what, SPGEMM_ERROR_PATTERN,
                    "A or B has entries at other places than when they were "
                    "multiplied first: use MAT_INITIAL_MATRIX");
        PetscFunctionReturn(0);
    }
    x->who = now;
    PetscFunctionReturn(0);
}

PetscErrorCode operands_refresh(operands *x, Mat A, Mat B, blocks *b,
                                trouble *what)
{
    PetscFunctionBegin;
    PetscCall(find_blocks(A, B, b, what));
    PetscCall(check_patterns(x, A, B, b, what));
    if (b->nparts > 1)
        halo_make_room(&x->halo, what);
    PetscCall(trouble_agree(PetscObjectComm((PetscObject)A), what));
    if (b->nparts > 1)
        PetscCall(halo_fetch_values(&x->halo, &b->B));
    PetscFunctionReturn(0);
}

PetscErrorCode operands_destroy(operands *x)
{
    PetscFunctionBegin;
    columns_destroy(&x->other);
    PetscCall(halo_destroy(&x->halo));
    *x = (operands){0};
    PetscFunctionReturn(0);
}
