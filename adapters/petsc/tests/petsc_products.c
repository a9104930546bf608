/* SPDX-License-Identifier: BSD-3-Clause */
/* All products of three matrices, twice: norms and local patterns, to be
   compared with those of a run without the adapter. Values are small integers,
   so that sums are exact in any order. With -first N, those of the first N
   problems. */
#include <petscmat.h>

#include <inttypes.h>
#include <stdint.h>

/* Where the entries of a matrix are. */
typedef enum places {
    ANYWHERE,
    /* In the columns of the rank alone: off-diagonal blocks are empty. */
    ON_DIAGONAL,
    /* In those of other ranks alone. */
    OFF_DIAGONAL,
    NOWHERE,
} places;

typedef struct problem {
    const char *name;
    /* A is m-by-k, B k-by-n. */
    PetscInt m;
    PetscInt k;
    PetscInt n;
    places a;
    places b;
    /* Rows of the first rank go to the others. */
    PetscBool is_uneven;
} problem;

static const problem problems[] = {
    {"square", 60, 60, 60, ANYWHERE, ANYWHERE, PETSC_FALSE},
    {"rectangular", 70, 41, 23, ANYWHERE, ANYWHERE, PETSC_FALSE},
    {"wide", 5, 90, 130, ANYWHERE, ANYWHERE, PETSC_FALSE},
    {"uneven", 50, 50, 33, ANYWHERE, ANYWHERE, PETSC_TRUE},
    {"fewer rows than ranks", 2, 2, 3, ANYWHERE, ANYWHERE, PETSC_FALSE},
    {"diagonal", 40, 40, 40, ON_DIAGONAL, ON_DIAGONAL, PETSC_FALSE},
    {"diagonal by any", 40, 40, 40, ON_DIAGONAL, ANYWHERE, PETSC_FALSE},
    {"any by diagonal", 40, 40, 40, ANYWHERE, ON_DIAGONAL, PETSC_FALSE},
    {"off-diagonal", 40, 40, 40, OFF_DIAGONAL, OFF_DIAGONAL, PETSC_TRUE},
    {"empty by any", 20, 30, 40, NOWHERE, ANYWHERE, PETSC_FALSE},
    {"any by empty", 20, 30, 40, ANYWHERE, NOWHERE, PETSC_FALSE},
    {"no rows", 0, 10, 10, ANYWHERE, ANYWHERE, PETSC_FALSE},
    {"nothing inside", 10, 0, 10, ANYWHERE, ANYWHERE, PETSC_FALSE},
};
enum { PROBLEM_COUNT = sizeof(problems) / sizeof(*problems) };

static uint32_t hash(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t h = a * 2654435761u ^ b * 2246822519u ^ c * 3266489917u;
    h ^= h >> 15;
    h *= 2246822519u;
    return h ^ h >> 13;
}

/* Size of this rank's share. */
static PetscInt share(PetscInt size, PetscBool is_uneven)
{
    PetscMPIInt rank;
    PetscMPIInt nranks;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    MPI_Comm_size(PETSC_COMM_WORLD, &nranks);
    if (is_uneven && nranks > 1) {
        if (rank == 0)
            return 0;
        rank--;
        nranks--;
    }
    return size / nranks + (rank < size % nranks ? 1 : 0);
}

static PetscScalar value_at(PetscInt i, PetscInt j, PetscInt seed,
                            PetscInt round)
{
    const int v =
        (int)(hash((uint32_t)i, (uint32_t)j, (uint32_t)(seed + 100 * round)) %
              7) -
        3;
#if defined(PETSC_USE_COMPLEX)
    return (PetscScalar)v + (PetscScalar)(v % 2) * PETSC_i;
#else
    return (PetscScalar)v;
#endif
}

static PetscErrorCode set_values(Mat A, places where, PetscInt seed,
                                 PetscInt round)
{
    PetscInt first;
    PetscInt end;
    PetscInt first_column;
    PetscInt end_column;
    PetscInt ncols;

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(A, &first, &end));
    PetscCall(MatGetOwnershipRangeColumn(A, &first_column, &end_column));
    PetscCall(MatGetSize(A, NULL, &ncols));
    for (PetscInt i = first; i < end && where != NOWHERE; i++)
        for (PetscInt j = 0; j < ncols; j++) {
            const PetscBool is_own =
                j >= first_column && j < end_column ? PETSC_TRUE : PETSC_FALSE;
            if ((where == ON_DIAGONAL && !is_own) ||
                (where == OFF_DIAGONAL && is_own) ||
                hash((uint32_t)i, (uint32_t)j, (uint32_t)seed) % 8 != 0)
                continue;
            PetscCall(MatSetValue(A, i, j, value_at(i, j, seed, round),
                                  INSERT_VALUES));
        }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode make(Mat *A, PetscInt nrows, PetscInt ncols,
                           const problem *p, places where, PetscInt seed)
{
    PetscFunctionBegin;
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetSizes(*A, share(nrows, p->is_uneven),
                          share(ncols, p->is_uneven), nrows, ncols));
    PetscCall(MatSetType(*A, MATAIJ));
    PetscCall(MatSeqAIJSetPreallocation(*A, ncols, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, ncols, NULL, ncols, NULL));
    PetscCall(set_values(*A, where, seed, 0));
    PetscFunctionReturn(0);
}

/* A line: norms, and a sum over the local patterns of all ranks. */
static PetscErrorCode show(Mat C, const char *problem_name, const char *product)
{
    PetscInt first;
    PetscInt end;
    PetscInt ncols;
    const PetscInt *columns;
    PetscReal norm[3];
    uint64_t sums[2] = {0, 0};

    PetscFunctionBegin;
    PetscCall(MatGetOwnershipRange(C, &first, &end));
    for (PetscInt i = first; i < end; i++) {
        PetscCall(MatGetRow(C, i, &ncols, &columns, NULL));
        sums[0] += (uint64_t)ncols;
        for (PetscInt t = 0; t < ncols; t++)
            sums[1] += hash((uint32_t)i, (uint32_t)columns[t], (uint32_t)t);
        PetscCall(MatRestoreRow(C, i, &ncols, &columns, NULL));
    }
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_UINT64_T, MPI_SUM,
                               PETSC_COMM_WORLD));
    PetscCall(MatNorm(C, NORM_1, &norm[0]));
    PetscCall(MatNorm(C, NORM_INFINITY, &norm[1]));
    PetscCall(MatNorm(C, NORM_FROBENIUS, &norm[2]));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                          "%s, %s: %" PRIu64 " entries, %016" PRIx64
                          ", norms %.12g %.12g %.12g\n",
                          problem_name, product, sums[0], sums[1],
                          (double)norm[0], (double)norm[1], (double)norm[2]));
    PetscFunctionReturn(0);
}

typedef struct mats {
    /* m-by-k, k-by-n, n-by-m; S is k-by-k, R n-by-k. */
    Mat A;
    Mat B;
    Mat D;
    Mat S;
    Mat R;
} mats;

/* C, made or made again. */
static PetscErrorCode multiply(mats *o, MatProductType type, MatReuse reuse,
                               Mat *C)
{
    PetscFunctionBegin;
    switch (type) {
    case MATPRODUCT_AB:
        PetscCall(MatMatMult(o->A, o->B, reuse, PETSC_DEFAULT, C));
        break;
    case MATPRODUCT_AtB:
        PetscCall(MatTransposeMatMult(o->S, o->B, reuse, PETSC_DEFAULT, C));
        break;
    case MATPRODUCT_ABt:
        PetscCall(MatMatTransposeMult(o->A, o->R, reuse, PETSC_DEFAULT, C));
        break;
    case MATPRODUCT_PtAP:
        PetscCall(MatPtAP(o->S, o->B, reuse, PETSC_DEFAULT, C));
        break;
    case MATPRODUCT_RARt:
        PetscCall(MatRARt(o->S, o->R, reuse, PETSC_DEFAULT, C));
        break;
    default:
        PetscCall(MatMatMatMult(o->A, o->B, o->D, reuse, PETSC_DEFAULT, C));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode set_all(mats *o, const problem *p, PetscInt round)
{
    PetscFunctionBegin;
    PetscCall(set_values(o->A, p->a, 1, round));
    PetscCall(set_values(o->B, p->b, 2, round));
    PetscCall(set_values(o->D, p->a, 3, round));
    PetscCall(set_values(o->S, p->a, 4, round));
    PetscCall(set_values(o->R, p->b, 5, round));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(const problem *p)
{
    PetscMPIInt nranks;
    mats o;
    Mat C[MATPRODUCT_ABC + 1] = {NULL};

    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &nranks));
    PetscCall(make(&o.A, p->m, p->k, p, p->a, 1));
    PetscCall(make(&o.B, p->k, p->n, p, p->b, 2));
    PetscCall(make(&o.D, p->n, p->m, p, p->a, 3));
    PetscCall(make(&o.S, p->k, p->k, p, p->a, 4));
    PetscCall(make(&o.R, p->n, p->k, p, p->b, 5));
    for (PetscInt round = 0; round < 3; round++) {
        if (round > 0)
            PetscCall(set_all(&o, p, round));
        for (MatProductType t = MATPRODUCT_AB; t <= MATPRODUCT_ABC; t++) {
            /* PETSc has A*B^T of sequential matrices only. */
            if (t == MATPRODUCT_ABt && nranks > 1)
                continue;
            PetscCall(multiply(
                &o, t, round ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX, &C[t]));
            PetscCall(show(C[t], p->name, MatProductTypes[t]));
        }
    }
    for (MatProductType t = MATPRODUCT_AB; t <= MATPRODUCT_ABC; t++)
        PetscCall(MatDestroy(&C[t]));
    PetscCall(MatDestroy(&o.A));
    PetscCall(MatDestroy(&o.B));
    PetscCall(MatDestroy(&o.D));
    PetscCall(MatDestroy(&o.S));
    PetscCall(MatDestroy(&o.R));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscInt count = PROBLEM_COUNT;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-first", &count, NULL));
    for (PetscInt p = 0; p < PROBLEM_COUNT && p < count; p++)
        PetscCall(run(&problems[p]));
    PetscCall(PetscFinalize());
    return 0;
}
