/* SPDX-License-Identifier: BSD-3-Clause */
/* A x = b of trilinear elements on the unit cube, by conjugate gradients and
   multigrid, and what setting it up took:
   multigrid [-problem elasticity|poisson] [-hierarchy gamg|grids] [-n 20]
   A plain program of PETSc, which knows nothing of libspgemm. */
#include <petscdmda.h>
#include <petscksp.h>

#include <stdio.h>
#include <string.h>

enum { CORNERS = 8, MOST_DOF = 3, MOST_LEVELS = 8 };

typedef struct element {
    int dof;
    /* [CORNERS * dof][CORNERS * dof] */
    PetscScalar matrix[CORNERS * MOST_DOF * CORNERS * MOST_DOF];
} element;

/* Gradient of the shape function of a corner at a point of the unit cube. */
static void gradient(int corner, const double x[3], double g[3])
{
    double f[3];
    for (int d = 0; d < 3; d++)
        f[d] = corner >> d & 1 ? x[d] : 1 - x[d];
    for (int d = 0; d < 3; d++)
        g[d] = (corner >> d & 1 ? 1 : -1) * f[(d + 1) % 3] * f[(d + 2) % 3];
}

/* Entry of the bilinear form: grad u . grad v, or linear elasticity with
   Lame's parameters of Poisson's ratio 0.3. */
static double form(int dof, const double gu[3], int cu, const double gv[3],
                   int cv)
{
    const double mu = 1 / 2.6;
    const double lambda = 0.3 / (1.3 * 0.4);
    const double dot = gu[0] * gv[0] + gu[1] * gv[1] + gu[2] * gv[2];
    if (dof == 1)
        return dot;
    return lambda * gu[cu] * gv[cv] + mu * gu[cv] * gv[cu] +
           (cu == cv ? mu * dot : 0);
}

static element make_element(int dof, double h)
{
    static const double point[2] = {0.21132486540518713, 0.7886751345948129};
    const int size = CORNERS * dof;
    element e = {.dof = dof};
    for (int q = 0; q < 8; q++) {
        const double x[3] = {point[q & 1], point[q >> 1 & 1], point[q >> 2]};
        for (int r = 0; r < size; r++)
            for (int c = 0; c < size; c++) {
                double gu[3];
                double gv[3];
                gradient(r / dof, x, gu);
                gradient(c / dof, x, gv);
                e.matrix[r * size + c] +=
                    form(dof, gu, r % dof, gv, c % dof) * h / 8;
            }
    }
    return e;
}

/* The plane z = 0 is held: its equations become x = 0. */
static PetscErrorCode add_element(Mat A, const element *e, PetscInt i,
                                  PetscInt j, PetscInt k)
{
    const int size = CORNERS * e->dof;
    PetscScalar values[CORNERS * MOST_DOF * CORNERS * MOST_DOF];
    MatStencil at[CORNERS];

    PetscFunctionBegin;
    memcpy(values, e->matrix, (size_t)(size * size) * sizeof(*values));
    for (int corner = 0; corner < CORNERS; corner++)
        at[corner] = (MatStencil){.i = i + (corner & 1),
                                  .j = j + (corner >> 1 & 1),
                                  .k = k + (corner >> 2)};
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++)
            if (at[r / e->dof].k == 0 || at[c / e->dof].k == 0)
                values[r * size + c] = r == c ? 1 : 0;
    PetscCall(MatSetValuesBlockedStencil(A, CORNERS, at, CORNERS, at, values,
                                         ADD_VALUES));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(DM da, int dof, Mat *A)
{
    PetscInt n;
    PetscInt s[3];
    PetscInt m[3];

    PetscFunctionBegin;
    PetscCall(DMDAGetInfo(da, NULL, &n, NULL, NULL, NULL, NULL, NULL, NULL,
                          NULL, NULL, NULL, NULL, NULL));
    const element e = make_element(dof, 1.0 / (double)(n - 1));
    PetscCall(DMCreateMatrix(da, A));
    PetscCall(DMDAGetElementsCorners(da, &s[0], &s[1], &s[2]));
    PetscCall(DMDAGetElementsSizes(da, &m[0], &m[1], &m[2]));
    for (PetscInt k = s[2]; k < s[2] + m[2]; k++)
        for (PetscInt j = s[1]; j < s[1] + m[1]; j++)
            for (PetscInt i = s[0]; i < s[0] + m[0]; i++)
                PetscCall(add_element(*A, &e, i, j, k));
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_rigid_body_modes(DM da, Mat A)
{
    Vec coordinates;
    MatNullSpace modes;

    PetscFunctionBegin;
    PetscCall(DMDASetUniformCoordinates(da, 0, 1, 0, 1, 0, 1));
    PetscCall(DMGetCoordinates(da, &coordinates));
    PetscCall(MatNullSpaceCreateRigidBody(coordinates, &modes));
    PetscCall(MatSetNearNullSpace(A, modes));
    PetscCall(MatNullSpaceDestroy(&modes));
    PetscFunctionReturn(0);
}

/* Interpolation between grids; coarse matrices are P^T A P. */
static PetscErrorCode set_grids(PC pc, DM da, PetscInt nlevels)
{
    DM fine = da;

    PetscFunctionBegin;
    PetscCall(PCSetType(pc, PCMG));
    PetscCall(PCMGSetLevels(pc, nlevels, NULL));
    PetscCall(PCMGSetGalerkin(pc, PC_MG_GALERKIN_BOTH));
    PetscCall(PetscObjectReference((PetscObject)da));
    for (PetscInt level = nlevels - 1; level > 0; level--) {
        DM coarse;
        Mat P;
        PetscCall(DMCoarsen(fine, PetscObjectComm((PetscObject)da), &coarse));
        PetscCall(DMCreateInterpolation(coarse, fine, &P, NULL));
        PetscCall(MatConvert(P, MATAIJ, MAT_INPLACE_MATRIX, &P));
        PetscCall(PCMGSetInterpolation(pc, level, P));
        PetscCall(MatDestroy(&P));
        PetscCall(DMDestroy(&fine));
        fine = coarse;
    }
    PetscCall(DMDestroy(&fine));
    PetscFunctionReturn(0);
}

static PetscErrorCode peak_megabytes(double *most)
{
    char line[256];
    long kilobytes = 0;
    FILE *const status = fopen("/proc/self/status", "r");

    PetscFunctionBegin;
    while (status && fgets(line, sizeof(line), status))
        if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1)
            break;
    if (status)
        fclose(status);
    *most = (double)kilobytes / 1024;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, most, 1, MPI_DOUBLE, MPI_MAX,
                               PETSC_COMM_WORLD));
    PetscFunctionReturn(0);
}

/* Set up, set up again for other values, solve. */
static PetscErrorCode solve(KSP ksp, Mat A, const char *name)
{
    Vec x;
    Vec b;
    double seconds[4];
    double megabytes;
    PetscInt iterations;
    KSPConvergedReason reason;
    PetscInt nrows;

    PetscFunctionBegin;
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecSet(b, 1));
    PetscCall(KSPSetOperators(ksp, A, A));
    seconds[0] = MPI_Wtime();
    PetscCall(KSPSetUp(ksp));
    seconds[1] = MPI_Wtime();
    PetscCall(MatScale(A, 2));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetUp(ksp));
    seconds[2] = MPI_Wtime();
    PetscCall(KSPSolve(ksp, b, x));
    seconds[3] = MPI_Wtime();
    PetscCall(KSPGetIterationNumber(ksp, &iterations));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCheck(reason > 0, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED,
               "no convergence: %s", KSPConvergedReasons[reason]);
    PetscCall(peak_megabytes(&megabytes));
    PetscCall(MatGetSize(A, &nrows, NULL));
    PetscCall(PetscPrintf(
        PETSC_COMM_WORLD,
        "%s, %ld unknowns: set-up %.3f s, again %.3f s, solve %.3f s, "
        "%ld iterations, peak %.0f MB\n",
        name, (long)nrows, seconds[1] - seconds[0], seconds[2] - seconds[1],
        seconds[3] - seconds[2], (long)iterations, megabytes));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscFunctionReturn(0);
}

static PetscErrorCode run(void)
{
    char problem[16] = "elasticity";
    char hierarchy[16] = "gamg";
    char name[64];
    PetscInt n = 20;
    PetscInt nlevels = 1;
    PetscBool is_poisson;
    PetscBool is_grids;
    DM da;
    Mat A;
    KSP ksp;
    PC pc;

    PetscFunctionBegin;
    PetscCall(PetscOptionsGetString(NULL, NULL, "-problem", problem,
                                    sizeof(problem), NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-hierarchy", hierarchy,
                                    sizeof(hierarchy), NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
    PetscCall(PetscStrcmp(problem, "poisson", &is_poisson));
    PetscCall(PetscStrcmp(hierarchy, "grids", &is_grids));
    const int dof = is_poisson ? 1 : 3;
    PetscCall(DMDACreate3d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE,
                           DM_BOUNDARY_NONE, DMDA_STENCIL_BOX, n + 1, n + 1,
                           n + 1, PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE, dof,
                           1, NULL, NULL, NULL, &da));
    PetscCall(DMSetMatType(da, MATAIJ));
    PetscCall(DMSetUp(da));
    PetscCall(DMDASetElementType(da, DMDA_ELEMENT_Q1));
    PetscCall(make_matrix(da, dof, &A));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetType(ksp, KSPCG));
    PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT,
                               PETSC_DEFAULT));
    PetscCall(KSPGetPC(ksp, &pc));
    if (is_grids) {
        for (PetscInt m = n; m % 2 == 0 && m > 4 && nlevels < MOST_LEVELS;
             m /= 2)
            nlevels++;
        PetscCall(set_grids(pc, da, nlevels));
    } else {
        PetscCall(PCSetType(pc, PCGAMG));
        PetscCall(PCGAMGSetReuseInterpolation(pc, PETSC_TRUE));
        if (!is_poisson)
            PetscCall(set_rigid_body_modes(da, A));
    }
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(PetscSNPrintf(name, sizeof(name), "%s, %s", problem, hierarchy));
    PetscCall(solve(ksp, A, name));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(MatDestroy(&A));
    PetscCall(DMDestroy(&da));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(run());
    PetscCall(PetscFinalize());
    return 0;
}
