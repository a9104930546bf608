/* SPDX-License-Identifier: BSD-3-Clause */
/* What this rank multiplies: its rows of A, and the rows of B that they meet. */
#ifndef SPGEMM_PETSC_OPERANDS_H
#define SPGEMM_PETSC_OPERANDS_H

#include <stdint.h>

#include "columns.h"
#include "halo.h"
#include "seqaij.h"

/* B is cut by columns: into those of C that this rank owns, and those of other
   ranks, renumbered, so that nothing is as wide as C. */
enum { OWN_COLUMNS = 0, OTHER_COLUMNS = 1, PART_COUNT = 2 };

/* All zero: none. */
typedef struct operands {
    /* Parts of B there are: 1 of sequential matrices. */
    int nparts;
    /* Whether some of the rows of B came from other ranks: then A and B are
       copies, and views otherwise. */
    PetscBool has_halo;
    spgemm_csr A;
    spgemm_csr B[PART_COUNT];

    /* Columns of C of other ranks, as B[OTHER_COLUMNS] numbers them. */
    columns other;
    halo halo;
    /* A bit for each entry of the halo: in a column of this rank. */
    unsigned char *is_own;
    /* Of the patterns of A and B on this rank, where they were copied. */
    uint64_t checksum;
} operands;

/* Collective. Rows of B are gathered; trouble may be of some ranks only. */
PetscErrorCode operands_create(operands *x, Mat A, Mat B, trouble *what);

/* Collective: the same for other values of A and B; other patterns are trouble
   where they were copied, and for the plan to see where not. */
PetscErrorCode operands_refresh(operands *x, Mat A, Mat B, trouble *what);

/* Views end; copies stay. */
void operands_leave(operands *x);

PetscErrorCode operands_destroy(operands *x);

#endif
