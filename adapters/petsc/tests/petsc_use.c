/* SPDX-License-Identifier: BSD-3-Clause */
/* SpgemmPetscUse() from code: what becomes ours, what goes on to PETSc, and what
   is refused, on all ranks alike. Exits with 1 at the first that fails. */
#include <petscmat.h>

#include <math.h>
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

/* How often it was logged. */
static int count_of(const char *name)
{
    PetscLogEvent event;
    PetscEventPerfInfo info;
    PetscLogEventGetId(name, &event);
    if (event < 0)
        return 0;
    PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info);
    return info.count;
}

/* Events of ours since the last call. */
static int products_of_ours(void)
{
    static int before;
    const int count = count_of("SpgemmMultiply") - before;
    before += count;
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

/* The first row of A gets the first columns. */
static PetscErrorCode add_entries(Mat A)
{
    PetscInt ncols;

    PetscFunctionBegin;
    PetscCall(MatGetSize(A, NULL, &ncols));
    PetscCall(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    for (PetscInt j = 0; j < PetscMin(ncols, 200) && rank_here == 0; j++)
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

/* 4-by-4, of an entry in each row. */
static PetscErrorCode make_single(Mat *A, const PetscInt columns[])
{
    PetscInt i;
    PetscInt end;

    PetscFunctionBegin;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 4, 4,
                           1, NULL, 1, NULL, A));
    PetscCall(MatGetOwnershipRange(*A, &i, &end));
    for (; i < end; i++)
        PetscCall(MatSetValue(*A, i, columns[i], (PetscScalar)(i + 1),
                              INSERT_VALUES));
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(SpgemmPetscUse(*A));
    PetscFunctionReturn(0);
}

/* Two columns change, each by the same bits. */
static PetscErrorCode a_pattern_nearby_is_refused(void)
{
    Mat A[2];
    Mat C;

    PetscFunctionBegin;
    PetscCall(make_single(&A[0], (const PetscInt[]){0, 1, 0, 0}));
    PetscCall(make_single(&A[1], (const PetscInt[]){2, 3, 0, 0}));
    PetscCall(MatMatMult(A[0], A[0], MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C));
    PetscCall(expect_refused(A[1], A[0], C, "two other columns are refused"));
    PetscCall(MatDestroy(&C));
    for (int m = 0; m < 2; m++)
        PetscCall(MatDestroy(&A[m]));
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

static PetscErrorCode limits_hold_on_all_ranks(Mat A, Mat B, Mat expected)
{
    Mat C = NULL;

    PetscFunctionBegin;
    const int before = count_of("SpgemmPredict");
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
    expect(count_of("SpgemmPredict") == before + 2,
           "events are logged after one that failed");
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
    PetscCall(a_pattern_nearby_is_refused());
    PetscCall(convert_again());
    PetscCall(limits_hold_on_all_ranks(A, B, expected));
    PetscCall(one_rank_without_memory());
    PetscCall(wide_matrices_take_little());
    PetscCall(PetscOptionsSetValue(NULL, "-spgemm_ptap_products", "0"));
    PetscCall(three_are_two_products(120000, 1));
    PetscCall(three_are_two_products(9000, 3));
    PetscCall(rows_in_any_order());
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
