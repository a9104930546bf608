/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns sorted in registers: a bitonic network, without a branch that depends on them.

   K. E. Batcher, AFIPS SJCC 32:307-314, 1968. A block is 1, 2, 4, .. vectors, as many as
   stay in registers. Each lane is sorted first, by minima and maxima of whole vectors;
   lanes are then joined to sorted groups of 2, 4, .. lanes, and what stood lane behind
   lane is turned. More than a block are merged: all comparisons have the smaller in
   front, so that what lies behind the last needs not be there. */
#ifndef SPGEMM_KERNELS_SIMD_SORT_NETWORK_H
#define SPGEMM_KERNELS_SIMD_SORT_NETWORK_H

#include "common/checked.h"
#include "kernels/simd/columns_vector.h"

#define BLOCK_VECTORS VECTOR_COLUMNS
#define BLOCK_COLUMNS (BLOCK_VECTORS * VECTOR_COLUMNS)

/* The smaller columns to v[a], the larger to v[b]. */
static ALWAYS_INLINE void sort_pair(columns_vector *v, int a, int b)
{
    const columns_vector smaller = vector_min(v[a], v[b]);
    v[b] = vector_max(v[a], v[b]);
    v[a] = smaller;
}

/* Of each lane: columns this many vectors apart. */
static ALWAYS_INLINE void sort_apart(columns_vector *v, int vectors, int apart)
{
#pragma GCC unroll 16
    for (int t = 0; t < vectors; t++)
        if ((t & apart) == 0 && t + apart < vectors)
            sort_pair(v, t, t + apart);
}

/* Of each lane: a bitonic sequence of all vectors becomes a sorted one. */
static ALWAYS_INLINE void sort_bitonic(columns_vector *v, int vectors)
{
    sort_apart(v, vectors, 8);
    sort_apart(v, vectors, 4);
    sort_apart(v, vectors, 2);
    sort_apart(v, vectors, 1);
}

/* Of each lane: sorted groups of half as many vectors become groups of `group`. */
static ALWAYS_INLINE void join_vectors(columns_vector *v, int vectors,
                                       int group)
{
    if (group > vectors)
        return;
#pragma GCC unroll 16
    for (int t = 0; t < vectors; t++)
        if ((t & (group - 1)) < group / 2)
            sort_pair(v, t, t ^ (group - 1));
    if (group > 8)
        sort_apart(v, vectors, 4);
    if (group > 4)
        sort_apart(v, vectors, 2);
    if (group > 2)
        sort_apart(v, vectors, 1);
}

/* Lanes l and l ^ across: the larger column to the one whose number has this bit. */
static ALWAYS_INLINE columns_vector sort_lanes(columns_vector x, int across,
                                               int bit)
{
    const columns_vector other = vector_cross(x, across);
    return vector_mix(vector_min(x, other), vector_max(x, other), bit);
}

/* Of each vector: lanes this far apart, a power of two. */
static ALWAYS_INLINE void sort_across(columns_vector *v, int vectors, int apart)
{
    if (apart >= VECTOR_COLUMNS)
        return;
#pragma GCC unroll 16
    for (int t = 0; t < vectors; t++)
        v[t] = sort_lanes(v[t], apart, apart);
}

/* Sorted groups of `group` lanes, each lane behind the one before, become groups of
   twice as many. Of two groups, the second is compared from its end to its front. */
static ALWAYS_INLINE void join_lanes(columns_vector *v, int vectors, int group)
{
    const int across = 2 * group - 1;
    if (group >= VECTOR_COLUMNS)
        return;
    if (vectors == 1)
        v[0] = sort_lanes(v[0], across, group);
#pragma GCC unroll 8
    for (int t = 0; t < vectors / 2; t++) {
        const int u = vectors - 1 - t;
        const columns_vector other = vector_cross(v[u], across);
        const columns_vector smaller = vector_min(v[t], other);
        const columns_vector larger = vector_max(v[t], other);
        v[t] = vector_mix(smaller, vector_cross(larger, across), group);
        v[u] = vector_mix(vector_cross(smaller, across), larger, group);
    }
    if (group > 4)
        sort_across(v, vectors, 4);
    if (group > 2)
        sort_across(v, vectors, 2);
    if (group > 1)
        sort_across(v, vectors, 1);
    sort_bitonic(v, vectors);
}

/* The column at place p goes to the place whose bits are those of p, rotated by one. */
static ALWAYS_INLINE void zip_halves(columns_vector *v, int vectors)
{
    columns_vector w[BLOCK_VECTORS];
    const int half = vectors / 2;
#pragma GCC unroll 8
    for (int t = 0; t < half; t++)
        vector_zip(v[t], v[t + half], &w[2 * t], &w[2 * t + 1]);
#pragma GCC unroll 16
    for (int t = 0; t < vectors; t++)
        v[t] = w[t];
}

/* Place v * lane + t for vector t. */
static ALWAYS_INLINE void turn_lanes(columns_vector *v, int vectors)
{
    if (vectors > 1)
        zip_halves(v, vectors);
    if (vectors > 2)
        zip_halves(v, vectors);
    if (vectors > 4)
        zip_halves(v, vectors);
    if (vectors > 8)
        zip_halves(v, vectors);
}

static ALWAYS_INLINE void sort_block(uint32_t *columns, int vectors)
{
    columns_vector v[BLOCK_VECTORS];
#pragma GCC unroll 16
    for (int t = 0; t < vectors; t++)
        v[t] = vector_load(columns + t * VECTOR_COLUMNS);
    join_vectors(v, vectors, 2);
    join_vectors(v, vectors, 4);
    join_vectors(v, vectors, 8);
    join_vectors(v, vectors, 16);
    join_lanes(v, vectors, 1);
    join_lanes(v, vectors, 2);
    join_lanes(v, vectors, 4);
    join_lanes(v, vectors, 8);
    turn_lanes(v, vectors);
#pragma GCC unroll 16
    for (int t = 0; t < vectors; t++)
        vector_store(columns + t * VECTOR_COLUMNS, v[t]);
}

/* A block in order but for the bits of places below its size: a bitonic sequence. */
static ALWAYS_INLINE void sort_bitonic_block(uint32_t *columns)
{
    columns_vector v[BLOCK_VECTORS];
#pragma GCC unroll 16
    for (int t = 0; t < BLOCK_VECTORS; t++)
        v[t] = vector_load(columns + t * VECTOR_COLUMNS);
    sort_bitonic(v, BLOCK_VECTORS);
    sort_across(v, BLOCK_VECTORS, 8);
    sort_across(v, BLOCK_VECTORS, 4);
    sort_across(v, BLOCK_VECTORS, 2);
    sort_across(v, BLOCK_VECTORS, 1);
#pragma GCC unroll 16
    for (int t = 0; t < BLOCK_VECTORS; t++)
        vector_store(columns + t * VECTOR_COLUMNS, v[t]);
}

/* A vector at a and one at b: the smaller columns to a, the larger to b, which is taken
   from its end if is_flipped. */
static ALWAYS_INLINE void sort_far(uint32_t *a, uint32_t *b, bool is_flipped)
{
    const int across = is_flipped ? VECTOR_COLUMNS - 1 : 0;
    const columns_vector x = vector_load(a);
    const columns_vector y = vector_cross(vector_load(b), across);
    vector_store(a, vector_min(x, y));
    vector_store(b, vector_cross(vector_max(x, y), across));
}

/* Sorted runs of `run` columns, a power of two of blocks, become runs of twice as many;
   `all` of them, a multiple of a block. */
static inline void merge_runs(uint32_t *columns, int64_t all, int64_t run)
{
    for (int64_t begin = 0; begin + run < all; begin += 2 * run) {
        const int64_t end = begin + 2 * run;
        for (int64_t t = max_i64(0, end - all); t < run; t += VECTOR_COLUMNS)
            sort_far(columns + begin + t, columns + end - VECTOR_COLUMNS - t,
                     true);
    }
    for (int64_t apart = run / 2; apart >= BLOCK_COLUMNS; apart /= 2)
        for (int64_t begin = 0; begin + apart < all; begin += 2 * apart) {
            const int64_t end = min_i64(begin + apart, all - apart);
            for (int64_t t = begin; t < end; t += VECTOR_COLUMNS)
                sort_far(columns + t, columns + t + apart, false);
        }
    for (int64_t t = 0; t < all; t += BLOCK_COLUMNS)
        sort_bitonic_block(columns + t);
}

static NOINLINE void sort_blocks(uint32_t *columns, int64_t all)
{
    for (int64_t t = 0; t < all; t += BLOCK_COLUMNS)
        sort_block(columns + t, BLOCK_VECTORS);
    for (int64_t run = BLOCK_COLUMNS; run < all; run *= 2)
        merge_runs(columns, all, run);
}

/* Sorts n columns below INT32_MAX. Others are written behind them, up to a power of two
   of vectors or a multiple of BLOCK_COLUMNS, and less than a vector more. Measured, one
   thread of a Zen 4, ns a column, of 16, 64, 128, 256, 512 and 1024: AVX-512 1.4, 0.8, 0.7,
   0.7, 0.9, 1.1; AVX2 1.3, 0.7, 0.8, 0.9, 1.1, 1.4. */
static NOINLINE void sort_by_network(uint32_t *columns, int64_t n)
{
    int64_t all = VECTOR_COLUMNS;
    while (all < n && all < BLOCK_COLUMNS)
        all *= 2;
    if (n > BLOCK_COLUMNS)
        all = (n + BLOCK_COLUMNS - 1) / BLOCK_COLUMNS * BLOCK_COLUMNS;
    for (int64_t t = n; t < all; t += VECTOR_COLUMNS)
        vector_store(columns + t, vector_set(INT32_MAX));
    if (all == VECTOR_COLUMNS)
        sort_block(columns, 1);
    else if (all == 2 * VECTOR_COLUMNS)
        sort_block(columns, 2);
    else if (all == 4 * VECTOR_COLUMNS)
        sort_block(columns, 4);
    else if (VECTOR_COLUMNS > 8 && all == 8 * VECTOR_COLUMNS)
        sort_block(columns, 8);
    else
        sort_blocks(columns, all);
}

#endif
