/* SPDX-License-Identifier: BSD-3-Clause */
/* What PETSc and its callers know of a product beside its entries: whose it is
   after its operands were replaced, that its pattern is new, its name, what was
   composed with it; what is made of the blocks of a matrix; and products and
   conversions that stay PETSc's. Prints the same whoever multiplies. */
#include <petscksp.h>

/* n-by-n, of the diagonals from -width to width. */
static PetscErrorCode make(Mat *A, PetscInt n, PetscInt width,
                           PetscScalar diagonal)
{
    PetscInt begin;
    PetscInt end;

    PetscFunctionBegin;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n,
                           7, NULL, 7, NULL, A));
    PetscCall(MatGetOwnershipRange(*A, &begin, &end));
    for (PetscInt i = begin; i < end; i++) {
        const PetscInt last = PetscMin(n - 1, i + width);
        for (PetscInt j = PetscMax(0, i - width); j <= last; j++)
            PetscCall(MatSetValue(
                *A, i, j, i == j ? diagonal : (PetscScalar)(1.0 / (2 + i + j)),
                INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode show(const char *what, Mat C)
{
    const char *name;
    PetscReal norm;

    PetscFunctionBegin;
    PetscCall(MatNorm(C, NORM_1, &norm));
    PetscCall(PetscObjectGetName((PetscObject)C, &name));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: %.10g, %s\n", what,
                          (double)norm, name));
    PetscFunctionReturn(0);
}

/* Set up alike, A and B are in one state, and two matrices. */
static PetscErrorCode replace(Mat A, Mat B)
{
    Mat C;
    PetscObject composed;
    PetscBool is_known;
    PetscBool is_symmetric;

    PetscFunctionBegin;
    PetscCall(MatProductCreate(A, A, NULL, &C));
    PetscCall(PetscObjectSetName((PetscObject)C, "square"));
    PetscCall(MatSetOption(C, MAT_SYMMETRIC, PETSC_TRUE));
    PetscCall(MatSetOption(C, MAT_SYMMETRY_ETERNAL, PETSC_TRUE));
    PetscCall(PetscObjectCompose((PetscObject)C, "mine", (PetscObject)A));
    PetscCall(MatProductSetType(C, MATPRODUCT_AB));
    PetscCall(MatProductSetFromOptions(C));
    PetscCall(MatProductSymbolic(C));
    PetscCall(PetscObjectQuery((PetscObject)C, "mine", &composed));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "what was composed is there: %d\n",
                          composed == (PetscObject)A));
    PetscCall(MatProductReplaceMats(B, B, NULL, C));
    PetscCall(MatProductNumeric(C));
    PetscCall(show("operands replaced", C));
    PetscCall(MatIsSymmetricKnown(C, &is_known, &is_symmetric));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "symmetric: %d\n",
                          is_known && is_symmetric));
    PetscCall(MatScale(B, 2));
    PetscCall(MatProductNumeric(C));
    PetscCall(show("and scaled", C));
    PetscCall(MatDestroy(&C));
    PetscFunctionReturn(0);
}

/* C = B*B, whatever it was. */
static PetscErrorCode make_anew(Mat C, Mat B)
{
    PetscFunctionBegin;
    PetscCall(MatProductClear(C));
    PetscCall(MatProductCreateWithMat(B, B, NULL, C));
    PetscCall(MatProductSetType(C, MATPRODUCT_AB));
    PetscCall(MatProductSetFromOptions(C));
    PetscCall(MatProductSymbolic(C));
    PetscCall(MatProductNumeric(C));
    PetscFunctionReturn(0);
}

/* A solver that has factored C does so again when C's pattern is another. */
static PetscErrorCode solve(Mat A, Mat B)
{
    Mat C;
    KSP solver;
    Vec x;
    Vec y;
    PetscReal norm;

    PetscFunctionBegin;
    PetscCall(MatMatMult(A, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(MatCreateVecs(C, &x, &y));
    PetscCall(VecSet(x, 1));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &solver));
    PetscCall(KSPSetFromOptions(solver));
    for (int round = 0; round < 2; round++) {
        PetscCall(KSPSetOperators(solver, C, C));
        PetscCall(KSPSolve(solver, x, y));
        PetscCall(VecNorm(y, NORM_2, &norm));
        PetscCall(
            PetscPrintf(PETSC_COMM_WORLD, "solved: %.6g\n", (double)norm));
        PetscCall(make_anew(C, B));
    }
    PetscCall(KSPDestroy(&solver));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&y));
    PetscCall(MatDestroy(&C));
    PetscFunctionReturn(0);
}

/* Every other row and column. */
static PetscErrorCode cut(Mat A)
{
    PetscInt begin;
    PetscInt end;
    IS rows;
    Mat S;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &begin, &end));
    begin += begin % 2;
    PetscCall(ISCreateStride(PETSC_COMM_WORLD, (end - begin + 1) / 2, begin, 2,
                             &rows));
    PetscCall(MatCreateSubMatrix(A, rows, rows, MAT_INITIAL_MATRIX, &S));
    PetscCall(PetscObjectSetName((PetscObject)S, "part"));
    PetscCall(show("cut", S));
    PetscCall(ISDestroy(&rows));
    PetscCall(MatDestroy(&S));
    PetscFunctionReturn(0);
}

/* A*(B*C) of a dense B: PETSc makes B*C in a header of three. */
static PetscErrorCode multiply_with_dense(Mat A)
{
    Mat dense;
    Mat C;

    PetscFunctionBegin;
    PetscCall(MatConvert(A, MATDENSE, MAT_INITIAL_MATRIX, &dense));
    PetscCall(
        MatMatMatMult(A, dense, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(PetscObjectSetName((PetscObject)C, "dense"));
    PetscCall(show("sparse by dense by sparse", C));
    PetscCall(MatDestroy(&dense));
    PetscCall(MatDestroy(&C));
    PetscFunctionReturn(0);
}

/* Of one rank, as an operand of each place. */
static PetscErrorCode multiply_with_transpose(Mat A, Mat wide)
{
    Mat transpose;
    Mat C[4];

    PetscFunctionBegin;
    PetscCall(MatCreateTranspose(wide, &transpose));
    PetscCall(MatMatMult(A, transpose, MAT_INITIAL_MATRIX, PETSC_DEFAULT, C));
    PetscCall(
        MatMatMult(transpose, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, C + 1));
    PetscCall(MatPtAP(A, transpose, MAT_INITIAL_MATRIX, PETSC_DEFAULT, C + 2));
    PetscCall(MatMatMatMult(transpose, A, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT,
                            C + 3));
    for (int c = 0; c < 4; c++) {
        PetscCall(PetscObjectSetName((PetscObject)C[c], "product"));
        PetscCall(show("with a virtual transpose", C[c]));
        PetscCall(MatDestroy(&C[c]));
    }
    PetscCall(MatDestroy(&transpose));
    PetscFunctionReturn(0);
}

static PetscErrorCode shell_product(Mat shell, Mat A, Mat C, void *data)
{
    PetscFunctionBegin;
    (void)shell;
    (void)A;
    (void)data;
    PetscCall(MatSetValue(C, 0, 0, 3, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(C, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(C, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* A shell that says how it is multiplied by AIJ. */
static PetscErrorCode multiply_with_shell(Mat A)
{
    Mat shell;
    Mat C;

    PetscFunctionBegin;
    PetscCall(MatCreateShell(PETSC_COMM_SELF, 40, 40, 40, 40, NULL, &shell));
    PetscCall(MatShellSetMatProductOperation(
        shell, MATPRODUCT_AB, NULL, shell_product, NULL, MATSEQAIJ, MATSEQAIJ));
    PetscCall(MatMatMult(shell, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(PetscObjectSetName((PetscObject)C, "product"));
    PetscCall(show("with a shell", C));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&shell));
    PetscFunctionReturn(0);
}

/* To a type of symmetric matrices: refused unless A is known to be one. */
static PetscErrorCode convert_to_symmetric(Mat A)
{
    Mat S = NULL;

    PetscFunctionBegin;
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    const PetscErrorCode code =
        MatConvert(A, MATSEQSBAIJ, MAT_INITIAL_MATRIX, &S);
    PetscCall(PetscPopErrorHandler());
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "converted: error %d\n", code));
    PetscCall(MatDestroy(&S));
    PetscFunctionReturn(0);
}

static PetscErrorCode run_sequential(Mat A, Mat wide)
{
    PetscFunctionBegin;
    PetscCall(multiply_with_dense(A));
    PetscCall(multiply_with_transpose(A, wide));
    PetscCall(multiply_with_shell(A));
    PetscCall(convert_to_symmetric(A));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscMPIInt size;
    Mat A;
    Mat B;
    Mat wide;

    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCall(make(&A, 40, 1, 2));
    PetscCall(make(&B, 40, 1, 20));
    PetscCall(make(&wide, 40, 3, 9));
    PetscCall(replace(A, B));
    PetscCall(solve(A, wide));
    PetscCall(cut(A));
    /* PETSc has none of several ranks. */
    if (size == 1)
        PetscCall(run_sequential(A, wide));
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscCall(MatDestroy(&wide));
    PetscCall(PetscFinalize());
    return 0;
}
