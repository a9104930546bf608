/* SPDX-License-Identifier: BSD-3-Clause */
/* t of column j_t in a list of columns j_0 < j_1 < ...: by comparing with all of up to
   eight or sixteen, by a window of places, or by a table where they lie too far apart
   for that. In AVX-512 sixteen columns are looked up at once, but for a table and for
   few columns of short rows. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_PLACES_H
#define SPGEMM_KERNELS_ACCUMULATORS_PLACES_H

#include "kernels/accumulators/hash.h"
#include "kernels/simd/eight_keys.h"
#if defined(LEAVES_AVX512)
#include "kernels/simd/sixteen_places.h"
#else
#include "kernels/simd/sixteen_columns.h"
#endif

typedef enum places_way {
    PLACES_OF_EIGHT,
    PLACES_OF_SIXTEEN,
    PLACES_BY_WINDOW,
    PLACES_BY_TABLE
} places_way;

#define COMPARED_COLUMNS 16

typedef struct column_places {
    eight_keys eight;
#if defined(LEAVES_AVX512)
    listed_columns few;
#else
    sixteen_columns few;
#endif
    const int32_t *of_column; /* of column first + x */
    int64_t first;
    uint64_t width; /* at this place there is none */
    const IDX *keys;
    const IDX *of_slot;
    int64_t slots;
    int shift;
} column_places;

/* n <= COMPARED_COLUMNS. */
static ALWAYS_INLINE void open_sixteen(column_places *p, const IDX *list,
                                       int64_t n)
{
#if defined(LEAVES_AVX512)
    listed_load(&p->few, list, n);
#else
    p->few = sixteen_load(list, n);
#endif
}

/* n <= EIGHT_KEYS, or COMPARED_COLUMNS. */
static ALWAYS_INLINE void open_few(column_places *p, places_way way,
                                   const IDX *list, int64_t n)
{
    if (way == PLACES_OF_EIGHT)
        p->eight = eight_keys_load(list, n);
    else
        open_sixteen(p, list, n);
}

typedef struct column_place {
    IDX place; /* any, where it is not there */
    bool is_there;
} column_place;

static ALWAYS_INLINE column_place place_of(const column_places *p,
                                           places_way way, IDX j)
{
    if (way == PLACES_OF_EIGHT) {
        const unsigned equal = eight_keys_equal(p->eight, j);
        return (column_place){eight_keys_place(equal), equal != 0};
    }
#if !defined(LEAVES_AVX512)
    if (way == PLACES_OF_SIXTEEN) {
        const unsigned equal = sixteen_equal(&p->few, j);
        return (column_place){__builtin_ctz(equal | 0x10000u), equal != 0};
    }
#endif
    if (way == PLACES_BY_TABLE) {
        const int64_t h = find_slot(p->keys, p->slots, p->shift, j);
        return (column_place){p->of_slot[h], p->keys[h] == j};
    }
    const uint64_t x = (uint64_t)(j - p->first);
    const IDX place = p->of_column[x < p->width ? x : p->width];
    return (column_place){place, place >= 0};
}

#if defined(LEAVES_AVX512)
static ALWAYS_INLINE bool places_are_vectors(places_way way)
{
    return way == PLACES_OF_SIXTEEN || way == PLACES_BY_WINDOW;
}

/* Of columns[0 .. n), sixteen at most. */
static ALWAYS_INLINE sixteen_places places_of_next(const column_places *p,
                                                   places_way way,
                                                   const IDX *columns,
                                                   int64_t n)
{
    const __m512i these = first_columns(columns, n, -1);
    return way == PLACES_BY_WINDOW
               ? places_in_window(p->of_column, p->first, p->width, these)
               : places_in_list(&p->few, these);
}
#endif

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
