/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc: the product of two sequential AIJ matrices, by two of its algorithms. */
#include "copy.h"
#include "peer.h"

#include <petscmat.h>

static const char *const algorithms[] = {"sorted", "rowmerge"};
static Mat operands[2];
static Mat c;

static bool open_petsc(int nthreads, char version[PEER_VERSION_BYTES])
{
    (void)nthreads;
    if (PetscOptionsSetValue(NULL, "-no_signal_handler", NULL) ||
        PetscInitializeNoArguments() ||
        PetscPushErrorHandler(PetscReturnErrorHandler, NULL))
        return false;
    return PetscGetVersion(version, PEER_VERSION_BYTES) == 0;
}

static bool take(int which, const spgemm_csr *A)
{
    return MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, (PetscInt)A->nrows,
                                     (PetscInt)A->ncols, copy_rowptr(A),
                                     copy_colidx(A), copy_values(A),
                                     &operands[which]) == 0;
}

static void release(void)
{
    (void)MatDestroy(&c);
}

static bool multiply(const peer_product *p)
{
    const bool is_done =
        MatProductCreate(operands[0], operands[p->right], NULL, &c) == 0 &&
        MatProductSetType(c, MATPRODUCT_AB) == 0 &&
        MatProductSetAlgorithm(c, algorithms[p->method]) == 0 &&
        MatProductSetFill(c, PETSC_DEFAULT) == 0 &&
        MatProductSetFromOptions(c) == 0 && MatProductSymbolic(c) == 0 &&
        MatProductNumeric(c) == 0;
    if (!is_done)
        release();
    return is_done;
}

static bool arrays(PetscInt *n, const PetscInt **rowptr,
                   const PetscInt **colidx)
{
    PetscBool is_done = PETSC_FALSE;
    return MatGetRowIJ(c, 0, PETSC_FALSE, PETSC_FALSE, n, rowptr, colidx,
                       &is_done) == 0 &&
           is_done;
}

static int64_t count(void)
{
    PetscInt n;
    const PetscInt *rowptr;
    const PetscInt *colidx;
    return arrays(&n, &rowptr, &colidx) ? rowptr[n] : -1;
}

static bool give(spgemm_csr *C)
{
    PetscInt n;
    const PetscInt *rowptr;
    const PetscInt *colidx;
    const PetscScalar *values;
    if (!arrays(&n, &rowptr, &colidx) || n != C->nrows ||
        MatSeqAIJGetArrayRead(c, &values) != 0)
        return false;
    copy_out(C, rowptr, colidx, values);
    return MatSeqAIJRestoreArrayRead(c, &values) == 0;
}

const peer *bench_peer(void)
{
    static const peer petsc = {
        .methods = {{"petsc_sorted", PEER_SORTED},
                    {"petsc_rowmerge", PEER_SORTED}},
        .open = open_petsc,
        .take = take,
        .multiply = multiply,
        .count = count,
        .give = give,
        .release = release,
    };
    return &petsc;
}
