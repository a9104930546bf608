/* SPDX-License-Identifier: BSD-3-Clause */
/* How PETSc comes to know of this: -dll_prepend calls
   PetscDLLibraryRegister_<name of this library>(), a program SpgemmPetscUse(). */
#include "conversions.h"
#include "dispatch.h"
#include "events.h"
#include "settings.h"
#include "spgemm_petsc.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b)  JOIN_(a, b)

static PetscErrorCode (*petsc_create_parallel)(Mat);

/* The PETSc of this process must have the integers and scalars of the one that
   this was compiled for. */
static PetscErrorCode check_types(void)
{
    PetscDataType scalar;
    PetscBool is_found;
    size_t bytes;

    PetscFunctionBegin;
    PetscCall(PetscDataTypeGetSize(PETSC_INT, &bytes));
    PetscCheck(bytes == sizeof(PetscInt), PETSC_COMM_SELF, PETSC_ERR_SUP,
               "libspgemm_petsc: this PETSc has integers of %zu bytes, and the "
               "library was built for %zu: load that of the other build",
               bytes, sizeof(PetscInt));
    PetscCall(PetscDataTypeFromString("scalar", &scalar, &is_found));
    PetscCheck(scalar == PETSC_SCALAR, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "libspgemm_petsc: this PETSc has scalars of type %s, and the "
               "library was built for %s: load that of the other build",
               PetscDataTypes[scalar], PetscDataTypes[PETSC_SCALAR]);
    PetscFunctionReturn(0);
}

static PetscErrorCode create_sequential(Mat A)
{
    PetscFunctionBegin;
    PetscCall(MatSetType(A, MATSEQAIJ));
    PetscCall(dispatch_take_sequential(A));
    PetscFunctionReturn(0);
}

static PetscErrorCode create_parallel(Mat A)
{
    PetscFunctionBegin;
    PetscCall((*petsc_create_parallel)(A));
    PetscCall(dispatch_take_parallel(A));
    PetscFunctionReturn(0);
}

/* Once in each PetscInitialize(). */
static PetscErrorCode register_all(void)
{
    PetscErrorCode (*create)(Mat);

    PetscFunctionBegin;
    PetscCall(check_types());
    PetscCall(MatInitializePackage());
    PetscCall(events_register());
    PetscCall(MatRegister(MATSEQAIJSPGEMM, create_sequential));
    PetscCall(MatSeqAIJRegister(MATSEQAIJSPGEMM, convert_to_ours));
    /* Of sequential blocks MatCreateSubMatrix() makes a parallel matrix. */
    PetscCall(MatRegisterRootName(MATAIJSPGEMM, MATSEQAIJSPGEMM, MATMPIAIJ));
    PetscCall(PetscFunctionListFind(MatList, MATMPIAIJ, &create));
    if (create != create_parallel) {
        petsc_create_parallel = create;
        PetscCall(MatRegister(MATMPIAIJ, create_parallel));
    }
    PetscFunctionReturn(0);
}

PETSC_EXTERN PetscErrorCode JOIN(PetscDLLibraryRegister_,
                                 SPGEMM_PETSC_NAME)(void);

PetscErrorCode JOIN(PetscDLLibraryRegister_, SPGEMM_PETSC_NAME)(void)
{
    settings shown;

    PetscFunctionBegin;
    PetscCall(register_all());
    PetscCall(settings_read(PETSC_COMM_WORLD, NULL, &shown));
    PetscFunctionReturn(0);
}

PetscErrorCode SpgemmPetscUse(Mat A)
{
    PetscErrorCode (*create)(Mat);
    PetscBool is_sequential;
    PetscBool is_parallel;
    Mat parts[2];

    PetscFunctionBegin;
    PetscCall(PetscFunctionListFind(MatList, MATSEQAIJSPGEMM, &create));
    if (create == NULL)
        PetscCall(register_all());
    PetscCall(PetscObjectTypeCompareAny((PetscObject)A, &is_sequential,
                                        MATSEQAIJ, MATSEQAIJSPGEMM, ""));
    PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &is_parallel));
    PetscCheck(is_sequential || is_parallel, PetscObjectComm((PetscObject)A),
               PETSC_ERR_SUP,
               "SpgemmPetscUse() takes matrices of type seqaij and mpiaij");
    if (is_sequential) {
        PetscCall(dispatch_take_sequential(A));
        PetscFunctionReturn(0);
    }
    PetscCall(dispatch_take_parallel(A));
    PetscCall(MatMPIAIJGetSeqAIJ(A, &parts[0], &parts[1], NULL));
    PetscCheck(parts[0] && parts[1], PetscObjectComm((PetscObject)A),
               PETSC_ERR_ARG_WRONGSTATE,
               "SpgemmPetscUse() takes mpiaij once it is preallocated");
    for (int b = 0; b < 2; b++)
        PetscCall(dispatch_take_sequential(parts[b]));
    PetscFunctionReturn(0);
}
