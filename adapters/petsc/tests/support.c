/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of the tests ask of matrices of PETSc. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

PetscMPIInt rank_here;
PetscMPIInt rank_count;

void expect(int is_true, const char *what)
{
    if (is_true)
        return;
    fprintf(stderr, "rank %d: not so: %s\n", rank_here, what);
    MPI_Abort(PETSC_COMM_WORLD, 1);
}

PetscErrorCode make(Mat *A, PetscInt nrows, PetscInt ncols, PetscInt degree,
                    unsigned seed)
{
    PetscInt first;
    PetscInt end;

    PetscFunctionBegin;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, nrows,
                           ncols, degree, NULL, degree, NULL, A));
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

PetscErrorCode make_factors(Mat *A, Mat *B, Mat *product)
{
    PetscFunctionBegin;
    PetscCall(make(A, 60, 50, 4, 1));
    PetscCall(make(B, 50, 40, 5, 2));
    PetscCall(MatMatMult(*A, *B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, product));
    PetscFunctionReturn(0);
}

PetscErrorCode expect_equal(Mat A, Mat B, const char *what)
{
    PetscBool is_equal;

    PetscFunctionBegin;
    PetscCall(MatEqual(A, B, &is_equal));
    expect(is_equal, what);
    PetscFunctionReturn(0);
}

int count_of(const char *name)
{
    PetscLogEvent event;
    PetscEventPerfInfo info;
    PetscLogEventGetId(name, &event);
    if (event < 0)
        return 0;
    PetscLogEventGetPerfInfo(PETSC_DETERMINE, event, &info);
    return info.count;
}

int products_of_ours(void)
{
    static int before;
    const int count = count_of("SpgemmMultiply") - before;
    before += count;
    return count;
}

int failed_everywhere(PetscErrorCode code)
{
    int count = code != 0;
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
    expect(count == 0 || count == rank_count, "an error is one of all ranks");
    return count != 0;
}

PetscErrorCode add_entries(Mat A)
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

long kilobytes(const char *field)
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

int run_program(int argc, char **argv, PetscErrorCode (*run)(void))
{
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank_here));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &rank_count));
    PetscCall(PetscLogDefaultBegin());
    PetscCall(run());
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "all as promised\n"));
    PetscCall(PetscFinalize());
    return 0;
}
