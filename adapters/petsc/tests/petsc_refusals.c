/* SPDX-License-Identifier: BSD-3-Clause */
/* What a product of ours refuses, on all ranks alike: patterns that are not those
   of the first time, and memory that is not there. Exits with 1 at the first that
   fails. */
#include <sys/resource.h>

#include "spgemm_petsc.h"
#include "support.h"

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

static PetscErrorCode run(void)
{
    Mat A;
    Mat B;
    Mat expected;

    PetscFunctionBegin;
    PetscCall(make_factors(&A, &B, &expected));
    PetscCall(SpgemmPetscUse(A));
    PetscCall(SpgemmPetscUse(B));
    PetscCall(other_patterns_are_refused(B));
    PetscCall(a_pattern_nearby_is_refused());
    PetscCall(limits_hold_on_all_ranks(A, B, expected));
    PetscCall(one_rank_without_memory());
    PetscCall(MatDestroy(&A));
    PetscCall(MatDestroy(&B));
    PetscCall(MatDestroy(&expected));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    return run_program(argc, argv, run);
}
