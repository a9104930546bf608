/* SPDX-License-Identifier: BSD-3-Clause */
/* A set of column numbers, and the place of each among them in order. */
#ifndef SPGEMM_PETSC_COLUMNS_H
#define SPGEMM_PETSC_COLUMNS_H

#include <stdbool.h>

#include <petscsys.h>

/* All zero: the empty set. Memory is that of its members, whatever they are. */
typedef struct columns {
    /* [count] the members; in order after columns_order(). */
    PetscInt *member;
    PetscInt count;
    /* [capacity] place of a member + 1, by hash; 0: free. */
    PetscInt *slot;
    /* 0, or a power of two. */
    PetscInt capacity;
} columns;

/* False: no memory, the set is as it was. */
bool columns_add(columns *set, PetscInt column);

void columns_order(columns *set);

/* Place of a member, which it must be, in order. */
PetscInt columns_place(const columns *set, PetscInt column);

/* [count] places of increasing columns, to be freed; NULL: no memory. A column
   that is no member has the place of the next one that is. */
PetscInt *columns_places(const columns *set, const PetscInt column[],
                         PetscInt count);

/* Give back what places are found by; the members stay. */
void columns_forget_places(columns *set);

void columns_destroy(columns *set);

#endif
