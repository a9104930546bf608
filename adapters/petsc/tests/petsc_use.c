/* SPDX-License-Identifier: BSD-3-Clause */
/* SpgemmPetscUse() from code: what becomes ours, and what goes on to PETSc. Exits
   with 1 at the first that fails. */
#include "spgemm_petsc.h"
#include "support.h"

/* One operand of ours is not enough for A*B; both are. */
static PetscErrorCode whose_products(Mat A, Mat B, Mat expected)
{
    Mat C;
    Mat D;

    PetscFunctionBegin;
    PetscCall(SpgemmPetscUse(A));
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    expect(products_of_ours() == 0, "ours by PETSc's goes to PETSc");
    PetscCall(expect_equal(C, expected, "ours by PETSc's is right"));
    PetscCall(MatDestroy(&C));
    PetscCall(SpgemmPetscUse(B));
    PetscCall(SpgemmPetscUse(B));
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    expect(products_of_ours() == 1, "a product is one multiplication");
    PetscCall(expect_equal(C, expected, "ours by ours is right"));
    PetscCall(MatScale(A, 2));
    PetscCall(MatMatMult(A, B, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    expect(products_of_ours() == 1, "a product again is one multiplication");
    PetscCall(MatScale(C, 0.5));
    PetscCall(MatScale(A, 0.5));
    PetscCall(expect_equal(C, expected, "other values are right"));
    /* What a product makes is ours, and so is a copy of it. */
    PetscCall(MatDuplicate(C, MAT_COPY_VALUES, &D));
    PetscCall(MatDestroy(&C));
    PetscCall(expect_equal(D, expected, "a copy outlives the product"));
    PetscCall(MatTransposeMatMult(D, D, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    expect(products_of_ours() == 1, "D^T D is ours");
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(0);
}

/* A dense operand, and A*B^T of ours. */
static PetscErrorCode others_go_on(Mat A, Mat B, Mat expected)
{
    Mat dense;
    Mat C;
    Mat D;

    PetscFunctionBegin;
    PetscCall(MatConvert(B, MATDENSE, MAT_INITIAL_MATRIX, &dense));
    PetscCall(MatMatMult(A, dense, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatConvert(expected, MATDENSE, MAT_INITIAL_MATRIX, &D));
    PetscCall(expect_equal(C, D, "sparse by dense is right"));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscCall(MatDestroy(&dense));
    if (rank_count == 1) {
        PetscCall(MatTranspose(B, MAT_INITIAL_MATRIX, &D));
        PetscCall(
            MatMatTransposeMult(A, D, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
        PetscCall(expect_equal(C, expected, "A B^T is right"));
        PetscCall(MatDestroy(&C));
        PetscCall(MatDestroy(&D));
    }
    expect(products_of_ours() == 0, "these are not ours");
    PetscFunctionReturn(0);
}

/* Of one rank: the values of A again, in a matrix of our type. */
static PetscErrorCode convert_again(void)
{
    Mat A;
    Mat B;

    PetscFunctionBegin;
    if (rank_count > 1)
        PetscFunctionReturn(0);
    PetscCall(make(&A, 20, 20, 3, 9));
    PetscCall(MatConvert(A, "seqaijspgemm", MAT_INITIAL_MATRIX, &B));
    PetscCall(MatScale(A, 2));
    PetscCall(MatConvert(A, "seqaijspgemm", MAT_REUSE_MATRIX, &B));
    PetscCall(expect_equal(A, B, "converted again, it has the new values"));
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscFunctionReturn(0);
}

/* 2^30 columns: nothing is as wide as that. */
static PetscErrorCode wide_matrices_take_little(void)
{
    const PetscInt width = 1 << 30;
    Mat A;
    Mat B;
    Mat C;
    PetscReal norm[2];

    PetscFunctionBegin;
    PetscCall(make(&A, 200, 300, 9, 21));
    PetscCall(make(&B, 300, width, 11, 22));
    PetscCall(SpgemmPetscUse(A));
    PetscCall(SpgemmPetscUse(B));
    const long before = kilobytes("VmPeak:");
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatNorm(C, NORM_INFINITY, &norm[0]));
    PetscCall(MatScale(B, 3));
    PetscCall(MatMatMult(A, B, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatNorm(C, NORM_INFINITY, &norm[1]));
    expect(norm[0] > 0 && norm[1] == 3 * norm[0], "values are found again");
    /* A bit for each column of one rank would be 64 MB. */
    expect(kilobytes("VmPeak:") - before < 40000, "little memory is taken");
    expect(products_of_ours() == 2, "both were ours");
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscCall(MatDestroy(&C));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    Mat A;
    Mat B;
    Mat expected;
    Mat dense;

    PetscFunctionBegin;
    PetscCall(make_factors(&A, &B, &expected));
    PetscCall(whose_products(A, B, expected));
    PetscCall(others_go_on(A, B, expected));
    PetscCall(convert_again());
    PetscCall(wide_matrices_take_little());
    PetscCall(MatConvert(A, MATDENSE, MAT_INITIAL_MATRIX, &dense));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    expect(SpgemmPetscUse(dense) == PETSC_ERR_SUP, "dense is refused");
    PetscCall(PetscPopErrorHandler());
    PetscCall(MatDestroy(&dense));
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscCall(MatDestroy(&expected));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    return run_program(argc, argv, run);
}
