/* SPDX-License-Identifier: BSD-3-Clause */
/* PETSc's integers and scalars as types of the library. */
#ifndef SPGEMM_PETSC_TYPES_H
#define SPGEMM_PETSC_TYPES_H

#include <petscsys.h>

#include <spgemm/csr.h>

#if defined(PETSC_USE_REAL_DOUBLE) && !defined(PETSC_USE_COMPLEX)
static const spgemm_value_type PETSC_VALUE_TYPE = SPGEMM_FP64;
#elif defined(PETSC_USE_REAL_DOUBLE)
static const spgemm_value_type PETSC_VALUE_TYPE = SPGEMM_CFP64;
#elif defined(PETSC_USE_REAL_SINGLE) && !defined(PETSC_USE_COMPLEX)
static const spgemm_value_type PETSC_VALUE_TYPE = SPGEMM_FP32;
#elif defined(PETSC_USE_REAL_SINGLE)
static const spgemm_value_type PETSC_VALUE_TYPE = SPGEMM_CFP32;
#else
#error "libspgemm multiplies no PetscScalar of this precision"
#endif

#if defined(PETSC_USE_64BIT_INDICES)
static const spgemm_index_type PETSC_INDEX_TYPE = SPGEMM_I64;
#else
static const spgemm_index_type PETSC_INDEX_TYPE = SPGEMM_I32;
#endif

/* Bytes of an entry: its column and its value. */
enum { PETSC_ENTRY_BYTES = sizeof(PetscInt) + sizeof(PetscScalar) };

#endif
