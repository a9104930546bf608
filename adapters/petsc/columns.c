/* SPDX-License-Identifier: BSD-3-Clause */
/* j -> |{i in S : i < j}| for the members j of a set S of columns: a hash table
   of open addressing, whose size is that of S and not that of the matrix. */
#include "columns.h"

#include <stdint.h>
#include <stdlib.h>

/* At most half of the slots are taken. */
enum { SLOTS_AT_FIRST = 1024 };

static PetscInt find_slot(const PetscInt *slot, PetscInt capacity,
                          const PetscInt *member, PetscInt column)
{
    uint64_t hash = (uint64_t)column * UINT64_C(0x9E3779B97F4A7C15);
    PetscInt s = (PetscInt)((hash >> 32) & (uint64_t)(capacity - 1));
    while (slot[s] != 0 && member[slot[s] - 1] != column)
        s = (s + 1) & (capacity - 1);
    return s;
}

static void fill_slots(columns *set)
{
    for (PetscInt s = 0; s < set->capacity; s++)
        set->slot[s] = 0;
    for (PetscInt m = 0; m < set->count; m++)
        set->slot[find_slot(set->slot, set->capacity, set->member,
                            set->member[m])] = m + 1;
}

static bool grow(columns *set)
{
    if (set->capacity > PETSC_MAX_INT / 2)
        return false;
    const PetscInt capacity =
        set->capacity ? 2 * set->capacity : SLOTS_AT_FIRST;
    PetscInt *const member =
        realloc(set->member, (size_t)capacity / 2 * sizeof(PetscInt));
    if (member == NULL)
        return false;
    set->member = member;
    PetscInt *const slot = malloc((size_t)capacity * sizeof(PetscInt));
    if (slot == NULL)
        return false;
    free(set->slot);
    set->slot = slot;
    set->capacity = capacity;
    fill_slots(set);
    return true;
}

bool columns_add(columns *set, PetscInt column)
{
    if (set->count == set->capacity / 2 && !grow(set))
        return false;
    const PetscInt s = find_slot(set->slot, set->capacity, set->member, column);
    if (set->slot[s] == 0) {
        set->member[set->count] = column;
        set->slot[s] = ++set->count;
    }
    return true;
}

void columns_order(columns *set)
{
    (void)PetscSortInt(set->count, set->member);
    fill_slots(set);
}

PetscInt columns_place(const columns *set, PetscInt column)
{
    return set->slot[find_slot(set->slot, set->capacity, set->member, column)] -
           1;
}

PetscInt *columns_places(const columns *set, const PetscInt column[],
                         PetscInt count)
{
    PetscInt *const place = malloc((size_t)count * sizeof(*place) + 1);
    PetscInt m = 0;
    for (PetscInt c = 0; place != NULL && c < count; c++) {
        while (m < set->count && set->member[m] < column[c])
            m++;
        place[c] = m;
    }
    return place;
}

void columns_forget_places(columns *set)
{
    free(set->slot);
    set->slot = NULL;
    set->capacity = 0;
}

void columns_destroy(columns *set)
{
    free(set->member);
    free(set->slot);
    *set = (columns){0};
}
