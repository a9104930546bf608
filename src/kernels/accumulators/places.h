/* SPDX-License-Identifier: BSD-3-Clause */
/* t of column j_t in a list of columns j_0 < j_1 < ..., or a number below 0: by
   comparing with all of up to sixteen, by a window of places, or by a table where they
   lie too far apart for that. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_PLACES_H
#define SPGEMM_KERNELS_ACCUMULATORS_PLACES_H

#include "kernels/accumulators/hash.h"
#include "kernels/simd/sixteen_columns.h"

typedef enum places_way {
    PLACES_BY_COMPARISON,
    PLACES_BY_WINDOW,
    PLACES_BY_TABLE
} places_way;

#define COMPARED_COLUMNS 16

typedef struct column_places {
    sixteen_columns few;
    const int32_t *of_column; /* of column first + x */
    int64_t first;
    uint64_t width; /* at this place there is none */
    const IDX *keys;
    const IDX *of_slot;
    int64_t slots;
    int shift;
} column_places;

static ALWAYS_INLINE IDX place_of(const column_places *p, places_way way, IDX j)
{
    if (way == PLACES_BY_COMPARISON) {
        /* 16 becomes -1: a branch would guess. */
        const IDX at = __builtin_ctz(sixteen_equal(&p->few, j) | 0x10000u);
        return at | -(at >> 4);
    }
    if (way == PLACES_BY_TABLE) {
        const int64_t h = find_slot(p->keys, p->slots, p->shift, j);
        return p->keys[h] == j ? p->of_slot[h] : -1;
    }
    const uint64_t x = (uint64_t)(j - p->first);
    return p->of_column[x < p->width ? x : p->width];
}

static inline int64_t list_width(const IDX *list, int64_t count)
{
    return (int64_t)list[count - 1] - list[0] + 1;
}

/* A window of s for a list no wider than WIDEST_WINDOW. false: no memory. */
static ALWAYS_INLINE bool open_window(scratch *s, const IDX *list,
                                      int64_t count, column_places *p)
{
    const int64_t width = list_width(list, count);
    if (width >= s->position_columns &&
        !spgemm_scratch_grow_positions(s, width + 1))
        return false;
    for (int64_t t = 0; t < count; t++)
        s->positions[list[t] - list[0]] = (int32_t)t;
    *p = (column_places){
        .of_column = s->positions, .first = list[0], .width = (uint64_t)width};
    return true;
}

static inline void close_window(scratch *s, const IDX *list, int64_t count)
{
    for (int64_t t = 0; t < count; t++)
        s->positions[list[t] - list[0]] = -1;
}

/* A table of s, whose hash has room for twice as many. */
static ALWAYS_INLINE void open_table(scratch *s, const IDX *list, int64_t count,
                                     column_places *p)
{
    const int64_t slots = hash_slots(2 * count);
    const int shift = hash_shift(slots);
    IDX *keys = s->keys;
    for (int64_t t = 0; t < count; t++) {
        const int64_t h = find_slot(keys, slots, shift, list[t]);
        keys[h] = list[t];
        ((IDX *)s->spare)[h] = (IDX)t;
    }
    *p = (column_places){
        .keys = keys, .of_slot = s->spare, .slots = slots, .shift = shift};
}

static inline void close_table(scratch *s, const column_places *p)
{
    memset(s->keys, 0xff, (size_t)p->slots * sizeof(IDX));
}

#endif
