/* SPDX-License-Identifier: BSD-3-Clause */
/* What MatConvert() makes of matrices that are ours, or to be. */
#ifndef SPGEMM_PETSC_CONVERSIONS_H
#define SPGEMM_PETSC_CONVERSIONS_H

#include <petscmat.h>

/* What MatSeqAIJRegister() and MatConvert() call for our type. */
PetscErrorCode convert_to_ours(Mat A, MatType type, MatReuse reuse, Mat *B);

/* From here on a sequential A is converted as one of ours. */
PetscErrorCode conversions_take(Mat A);

#endif
