/* SPDX-License-Identifier: BSD-3-Clause */
/* R A P and P^T A P of ours are the two products, bit for bit. Exits with 1 at the
   first that fails. */
#include <math.h>
#include <string.h>

#include "spgemm_petsc.h"
#include "support.h"

/* nrows-by-ncols: row i has `reach` columns on both sides of i / ratio, of values
   whose sums are rounded. */
static PetscErrorCode make_band(Mat *A, PetscInt nrows, PetscInt ratio,
                                PetscInt reach, double shift)
{
    const PetscInt ncols = nrows / ratio;
    PetscInt first;
    PetscInt end;

    PetscFunctionBegin;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, nrows,
                           ncols, 2 * reach + 1, NULL, 2 * reach + 1, NULL, A));
    PetscCall(MatGetOwnershipRange(*A, &first, &end));
    for (PetscInt i = first; i < end; i++)
        for (PetscInt j = i / ratio - reach; j <= i / ratio + reach; j++)
            if (j >= 0 && j < ncols)
                PetscCall(MatSetValue(*A, i, j,
                                      1 / (shift + (double)(3 * i + j)),
                                      INSERT_VALUES));
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(SpgemmPetscUse(*A));
    PetscFunctionReturn(0);
}

/* The same bits in C and in R (A P) by two products, NaN among them. */
static PetscErrorCode expect_two_products(Mat R, Mat A, Mat P, Mat C,
                                          const char *what)
{
    Mat W;
    Mat D;
    Mat parts[2][2] = {{NULL, NULL}, {NULL, NULL}};
    MatInfo info;

    PetscFunctionBegin;
    PetscCall(MatMatMult(A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &W));
    PetscCall(MatMatMult(R, W, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    parts[0][0] = C;
    parts[1][0] = D;
    for (int m = 0; m < 2 && rank_count > 1; m++)
        PetscCall(
            MatMPIAIJGetSeqAIJ(m ? D : C, &parts[m][0], &parts[m][1], NULL));
    for (int part = 0; part < 2 && parts[0][part] != NULL; part++) {
        const PetscScalar *x;
        const PetscScalar *y;
        PetscCall(MatGetInfo(parts[1][part], MAT_LOCAL, &info));
        PetscCall(MatSeqAIJGetArrayRead(parts[0][part], &x));
        PetscCall(MatSeqAIJGetArrayRead(parts[1][part], &y));
        expect(memcmp(x, y, (size_t)info.nz_used * sizeof(*x)) == 0, what);
        PetscCall(MatSeqAIJRestoreArrayRead(parts[0][part], &x));
        PetscCall(MatSeqAIJRestoreArrayRead(parts[1][part], &y));
    }
    PetscCall(MatDestroy(&W));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(0);
}

/* The first value of this rank becomes x. */
static PetscErrorCode set_first_value(Mat A, PetscScalar x)
{
    PetscInt first;
    PetscInt column;
    const PetscInt *columns;
    PetscInt count;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &first, NULL));
    PetscCall(MatGetRow(A, first, &count, &columns, NULL));
    column = columns[0];
    PetscCall(MatRestoreRow(A, first, &count, &columns, NULL));
    PetscCall(MatSetValue(A, first, column, x, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* P^T (A P) and R (A P), first, and again for other values, of infinities, too; a
   new pattern is refused. P of single columns, or in runs of 2 reach + 1. */
static PetscErrorCode three_are_two_products(PetscInt nrows, PetscInt reach)
{
    Mat A;
    Mat P;
    Mat R;
    Mat C;
    Mat D;

    PetscFunctionBegin;
    PetscCall(make_band(&A, nrows, 1, 4, 5.5));
    PetscCall(make_band(&P, nrows, 3, reach, 1.25));
    PetscCall(MatTranspose(P, MAT_INITIAL_MATRIX, &R));
    PetscCall(SpgemmPetscUse(R));
    for (int round = 0; round < 4; round++) {
        const MatReuse reuse = round ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX;
        PetscCall(MatScale(A, 1.1));
        if (round == 2)
            PetscCall(set_first_value(A, INFINITY));
        if (round == 3) {
            PetscCall(set_first_value(P, INFINITY));
            PetscCall(MatTranspose(P, MAT_REUSE_MATRIX, &R));
        }
        PetscCall(MatPtAP(A, P, reuse, PETSC_DEFAULT, &C));
        PetscCall(MatMatMatMult(R, A, P, reuse, PETSC_DEFAULT, &D));
        PetscCall(expect_two_products(R, A, P, C, "PtAP is two products"));
        PetscCall(expect_two_products(R, A, P, D, "ABC is two products"));
    }
    PetscCall(MatDestroy(&D));
    PetscCall(MatMatMatMult(R, A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    PetscCall(add_entries(A));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    expect(failed_everywhere(
               MatMatMatMult(R, A, P, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D)),
           "entries at new places of A are an error");
    expect(
        failed_everywhere(MatPtAP(A, P, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C)),
        "and so they are of P^T A P");
    PetscCall(PetscPopErrorHandler());
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&P));
    PetscCall(MatDestroy(&R));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(0);
}

/* Rows in any order, which PETSc allows of arrays that are the caller's. */
static PetscErrorCode rows_in_any_order(void)
{
    PetscInt rowptr[] = {0, 3, 5, 7};
    PetscInt sorted[] = {0, 1, 2, 0, 2, 1, 2};
    PetscInt jumbled[] = {2, 0, 1, 2, 0, 2, 1};
    PetscScalar of_sorted[] = {1, 2, 3, 4, 5, 6, 7};
    PetscScalar of_jumbled[] = {3, 1, 2, 5, 4, 7, 6};
    Mat A[2];
    Mat C[2];
    Mat D[2];

    PetscFunctionBegin;
    PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, 3, 3, rowptr, sorted,
                                        of_sorted, &A[0]));
    PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, 3, 3, rowptr, jumbled,
                                        of_jumbled, &A[1]));
    for (int m = 0; m < 2; m++) {
        PetscCall(SpgemmPetscUse(A[m]));
        for (int round = 0; round < 2; round++) {
            const MatReuse reuse =
                round ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX;
            PetscCall(MatScale(A[m], 2));
            PetscCall(MatMatMult(A[m], A[m], reuse, PETSC_DEFAULT, &C[m]));
            PetscCall(MatPtAP(A[m], A[m], reuse, PETSC_DEFAULT, &D[m]));
        }
    }
    PetscCall(expect_equal(C[0], C[1], "rows of A and B in any order"));
    PetscCall(expect_equal(D[0], D[1], "rows of A and P in any order"));
    for (int m = 0; m < 2; m++) {
        PetscCall(MatDestroy(&A[m]));
        PetscCall(MatDestroy(&C[m]));
        PetscCall(MatDestroy(&D[m]));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    PetscFunctionBegin;
    PetscCall(PetscOptionsSetValue(NULL, "-spgemm_ptap_products", "0"));
    PetscCall(three_are_two_products(120000, 1));
    PetscCall(three_are_two_products(9000, 3));
    PetscCall(rows_in_any_order());
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    return run_program(argc, argv, run);
}
