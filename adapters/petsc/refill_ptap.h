/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of C = P^T A P where its places are known, without A P. */
#ifndef SPGEMM_PETSC_REFILL_PTAP_H
#define SPGEMM_PETSC_REFILL_PTAP_H

#include "seqaij.h"

/* Whether that is right, and faster than a whole product: P is finite, and few of
   its columns are in runs, which the library takes at once. */
bool refill_ptap_pays(const aij *P);

/* On that many threads, 0: as many as OpenMP gives. Trouble if there is no memory
   for a row of sums for each. */
void refill_ptap(const aij *C, const aij *A, const aij *P, int nthreads,
                 trouble *what);

#endif
