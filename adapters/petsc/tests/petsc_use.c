/* SPDX-License-Identifier: BSD-3-Clause */
/* SpgemmPetscUse() from code: what becomes ours, what goes on to PETSc, and what
   is refused, on all ranks alike. Exits with 1 at the first that fails. */
#include <petscmat.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "spgemm_petsc.h"

static PetscMPIInt rank_here;
static PetscMPIInt rank_count;

static void expect(int is_true, const char *what)
{
    if (is_true)
        return;
    fprintf(stderr, "rank %d: not so: %s\n", rank_here, what);
    MPI_Abort(PETSC_COMM_WORLD, 1);
}

/* nrows-by-ncols, about `degree` entries a row, of small integers. */
static PetscErrorCode make(Mat *A, PetscInt nrows, PetscInt ncols,
                           PetscInt degree, unsigned seed)
{
    PetscInt first;
    PetscInt end;

    PetscFunctionBegin;
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetSizes(*A, PETSC_DECIDE, PETSC_DECIDE, nrows, ncols));
    PetscCall(MatSetType(*A, MATAIJ));
    PetscCall(MatSeqAIJSetPreallocation(*A, degree, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, degree, NULL, degree, NULL));
    PetscCall(MatGetOwnershipRange(*A, &first, &end));
    for (PetscInt i = first; i < end; i++) {
        unsigned h = (unsigned)i * 2654435761u ^ seed;
        for (PetscInt t = 0; t < degree; t++) {
            h = h * 1664525u + 1013904223u;
            const PetscInt j = (PetscInt)((double)(h >> 8) / 0x1p24 * ncols);
            PetscCall(
                MatSetValue(*A, i, j, (PetscScalar)(h % 5) - 2, INSERT_VALUES));
        }
    }
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode expect_equal(Mat A, Mat B, const char *what)
{
    PetscBool is_equal;

    PetscFunctionBegin;
    PetscCall(MatEqual(A, B, &is_equal));
    expect(is_equal, what);
    PetscFunctionReturn(0);
}

/* Events of ours since the last call. */
static int products_of_ours(void)
{
    static int before;
    PetscLogEvent event;
    PetscEventPerfInfo info;
    PetscLogEventGetId("SpgemmMultiply", &event);
    if (event < 0)
        return 0;
    PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info);
    const int count = info.count - before;
    before = info.count;
    return count;
}

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

/* What it returned on all ranks: 0 of none, or of all. */
static int failed_everywhere(PetscErrorCode code)
{
    int count = code != 0;
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
    expect(count == 0 || count == rank_count, "an error is one of all ranks");
    return count != 0;
}

/* Fill the first row of A. */
static PetscErrorCode add_entries(Mat A)
{
    PetscInt ncols;

    PetscFunctionBegin;
    PetscCall(MatGetSize(A, NULL, &ncols));
    PetscCall(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    for (PetscInt j = 0; j < ncols && rank_here == 0; j++)
        PetscCall(MatSetValue(A, 0, j, 1, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode expect_refused(Mat A, Mat B, Mat C, const char *what)
{
    PetscFunctionBegin;
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    expect(failed_everywhere(
               MatMatMult(A, B, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C)),
           what);
    PetscCall(PetscPopErrorHandler());
    PetscFunctionReturn(0);
}

/* Of one rank C may get entries at other places, which is seen; of several that is
   an error. */
static PetscErrorCode other_pattern_of_C(Mat A, Mat B, Mat C)
{
    PetscFunctionBegin;
    if (rank_count == 1) {
        PetscCall(add_entries(C));
        PetscCall(expect_refused(A, B, C, "another pattern of C is refused"));
        PetscFunctionReturn(0);
    }
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    PetscErrorCode code = 0;
    for (PetscInt j = 0; j < 40 && rank_here == 0 && !code; j++)
        code = MatSetValue(C, 0, j, 1, INSERT_VALUES);
    expect(code != 0 || rank_here != 0, "C gets no entries at other places");
    PetscCall(PetscPopErrorHandler());
    PetscFunctionReturn(0);
}

/* C's pattern changes; then that of A does. */
static PetscErrorCode other_patterns_are_refused(Mat B)
{
    Mat A;
    Mat same;
    Mat C[2];

    PetscFunctionBegin;
    PetscCall(make(&A, 60, 50, 4, 77));
    PetscCall(SpgemmPetscUse(A));
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C[0]));
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C[1]));
    PetscCall(other_pattern_of_C(A, B, C[0]));
    /* Another matrix of the same pattern is as good. */
    PetscCall(MatDuplicate(A, MAT_COPY_VALUES, &same));
    PetscCall(SpgemmPetscUse(same));
    PetscCall(MatMatMult(same, B, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C[1]));
    PetscCall(add_entries(same));
    PetscCall(expect_refused(same, B, C[1], "another pattern of A is refused"));
    for (int c = 0; c < 2; c++)
        PetscCall(MatDestroy(&C[c]));
    PetscCall(MatDestroy(&same));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(0);
}

static PetscErrorCode limits_hold_on_all_ranks(Mat A, Mat B, Mat expected)
{
    Mat C = NULL;

    PetscFunctionBegin;
    PetscCall(PetscOptionsSetValue(NULL, "-spgemm_memory_limit", "1000"));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    expect(failed_everywhere(
               MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C)),
           "1000 bytes are not enough");
    PetscCall(PetscPopErrorHandler());
    PetscCall(MatDestroy(&C));
    PetscCall(PetscOptionsSetValue(NULL, "-spgemm_memory_limit", "1e8"));
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(expect_equal(C, expected, "1e8 bytes are enough"));
    PetscCall(MatDestroy(&C));
    PetscCall(PetscOptionsClearValue(NULL, "-spgemm_memory_limit"));
    (void)products_of_ours();
    PetscFunctionReturn(0);
}

static long kilobytes(const char *field)
{
    char line[256];
    long value = 0;
    FILE *const status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof(line), status))
        if (strncmp(line, field, strlen(field)) == 0)
            value = atol(line + strlen(field));
    if (status)
        fclose(status);
    return value;
}

/* The last rank has no room for C, which takes 60 MB or more there. */
static PetscErrorCode one_rank_without_memory(void)
{
    Mat A;
    Mat C = NULL;
    struct rlimit before;

    PetscFunctionBegin;
    PetscCall(make(&A, 30000 * rank_count, 30000 * rank_count, 14, 5));
    PetscCall(SpgemmPetscUse(A));
    getrlimit(RLIMIT_AS, &before);
    if (rank_here == rank_count - 1) {
        struct rlimit tight = before;
        tight.rlim_cur = ((rlim_t)kilobytes("VmSize:") + 40000) * 1024;
        setrlimit(RLIMIT_AS, &tight);
    }
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    const PetscErrorCode code =
        MatMatMult(A, A, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C);
    setrlimit(RLIMIT_AS, &before);
    expect(failed_everywhere(code), "there was no memory");
    PetscCall(PetscPopErrorHandler());
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&A));
    (void)products_of_ours();
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

/* P^T (A P) and R (A P), of which one rank holds a part of A P at a time: first,
   again, and again when A P is there; a new pattern is refused. */
static PetscErrorCode three_are_two_products(void)
{
    Mat A;
    Mat P;
    Mat R;
    Mat W;
    Mat expected;
    Mat C;
    Mat D;

    PetscFunctionBegin;
    PetscCall(make_band(&A, 120000, 1, 4, 5.5));
    PetscCall(make_band(&P, 120000, 3, 1, 1.25));
    PetscCall(MatTranspose(P, MAT_INITIAL_MATRIX, &R));
    PetscCall(SpgemmPetscUse(R));
    for (int round = 0; round < 3; round++) {
        const MatReuse reuse = round ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX;
        PetscCall(MatScale(A, 1.1));
        PetscCall(MatMatMult(A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &W));
        PetscCall(
            MatMatMult(R, W, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &expected));
        PetscCall(MatPtAP(A, P, reuse, PETSC_DEFAULT, &C));
        PetscCall(MatMatMatMult(R, A, P, reuse, PETSC_DEFAULT, &D));
        PetscCall(expect_equal(C, expected, "PtAP is two products"));
        PetscCall(expect_equal(D, expected, "ABC is two products"));
        PetscCall(MatDestroy(&W));
        PetscCall(MatDestroy(&expected));
    }
    PetscCall(MatDestroy(&D));
    PetscCall(MatMatMatMult(R, A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &D));
    PetscCall(add_entries(A));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    const PetscErrorCode failed =
        MatMatMatMult(R, A, P, MAT_REUSE_MATRIX, PETSC_DEFAULT, &D);
    PetscCall(PetscPopErrorHandler());
    expect(failed != 0, "entries at new places of A are an error");
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&P));
    PetscCall(MatDestroy(&R));
    PetscCall(MatDestroy(&C));
    PetscCall(MatDestroy(&D));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    Mat A;
    Mat B;
    Mat expected;
    Mat dense;

    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank_here));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &rank_count));
    PetscCall(PetscLogDefaultBegin());
    PetscCall(make(&A, 60, 50, 4, 1));
    PetscCall(make(&B, 50, 40, 5, 2));
    PetscCall(MatMatMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &expected));
    PetscCall(whose_products(A, B, expected));
    PetscCall(others_go_on(A, B, expected));
    PetscCall(other_patterns_are_refused(B));
    PetscCall(limits_hold_on_all_ranks(A, B, expected));
    PetscCall(one_rank_without_memory());
    PetscCall(wide_matrices_take_little());
    PetscCall(PetscOptionsSetValue(NULL, "-spgemm_ptap_products", "0"));
    PetscCall(three_are_two_products());
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
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(run());
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "all as promised\n"));
    PetscCall(PetscFinalize());
    return 0;
}
