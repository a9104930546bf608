/* SPDX-License-Identifier: BSD-3-Clause */
/* sums[row][x] += sum over c < terms of a[row][c] * B(k + c, x), for rows of A with the
   same columns and rows of B with one pattern, as bitmaps: up to MOST_TERMS are added to
   eight sums while these are in a register, in the order of A's row. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SUPERNODE_TILE_H
#define SPGEMM_KERNELS_ACCUMULATORS_SUPERNODE_TILE_H

#include "kernels/accumulators/dense.h"
#include "kernels/row/row.h"

#define MOST_TERMS 4

/* Mean entries a byte of B's bitmap rows from which a row of A that shares them with no
   other is added faster by them than entry by entry. Measured, one thread of a Zen 4,
   time of A*A entry by entry over time by bitmap rows, rows that are not alike:
   doubles, AVX-512, AVX2, portable: wathenSmall (2.8) 0.70, 0.65, 0.82; runs of 8
   (4.4) 0.88, 0.83, 0.86; cant-like (4.1) 1.11, 0.80, 0.98; runs of 12 (5.1) 1.08,
   0.90, 1.00; of 20 (6.1) 1.30, 1.03, 1.31; plans, cant-like 1.12, 0.82, 0.75. int64
   and min_plus without AVX-512: 0.5 to 0.8 up to a fill of 6, 0.7 to 1.1 at 7. No
   values, AVX-512: wathenSmall 1.05; runs of 4 in random places 0.90, of 6 1.18, of 8
   1.43, of 12 1.49; cant-like 1.95; AVX2 and portable: wathenSmall 1.17, 1.16, runs of 8
   1.43, 1.43 and faster since. */
#if !HAS_VALUES && defined(LEAVES_AVX512)
#define BITMAP_FILL_ALONE 3.0
#elif !HAS_VALUES
#define BITMAP_FILL_ALONE 2.5
#elif defined(LANES)
#define BITMAP_FILL_ALONE 4.0
#elif defined(PLUS_TIMES) && defined(LEAVES_AVX2)
#define BITMAP_FILL_ALONE 5.5
#elif defined(PLUS_TIMES) && defined(VALUE_IS_REAL)
#define BITMAP_FILL_ALONE 5.0
#else
#define BITMAP_FILL_ALONE 7.1
#endif

/* Products of `rows` rows of A with `terms` rows of B of one pattern. */
typedef struct supernode_tile {
    VAL a[SUPERNODE_ROWS][MOST_TERMS];
    const VAL *Bx[MOST_TERMS];
    const uint32_t *place;
    const uint8_t *taken;
    int64_t count;
    bool marks; /* what it touches */
} supernode_tile;

/* Eight sums of each row += its a * what a byte of B's bitmaps has from q on, term
   after term; returns where that ends. */
#if defined(LANES)
#define VECTOR       factor
#define BROADCAST(x) factor_set(x)
static ALWAYS_INLINE int64_t add_eight(spgemm_semiring sr, VAL *sums,
                                       int64_t stride, int rows, int terms,
                                       factor a[SUPERNODE_ROWS][MOST_TERMS],
                                       const VAL *const *Bx, int64_t q,
                                       unsigned taken)
{
    lanes b[MOST_TERMS];
    for (int c = 0; c < terms; c++)
        b[c] = reads_b(sr) ? lanes_expand(taken, Bx[c] + q) : lanes_set(0);
    for (int row = 0; row < rows; row++) {
        lanes sum = lanes_load(sums + row * stride);
        for (int c = 0; c < terms; c++)
            /* Lanes that are not taken add what changes nothing: a masked
               addition would become a masked store, from which no load is
               forwarded. */
            sum = semiring_add_lanes(sr, sum,
                                     product_lanes(sr, a[row][c], b[c], taken));
        lanes_store(sums + row * stride, sum);
    }
    return q + __builtin_popcount(taken);
}
#elif defined(LEAVES_AVX2) && defined(PLUS_TIMES)
#define VECTOR       reals
#define BROADCAST(x) reals_set(x)
static ALWAYS_INLINE int64_t add_eight(spgemm_semiring sr, VAL *sums,
                                       int64_t stride, int rows, int terms,
                                       reals a[SUPERNODE_ROWS][MOST_TERMS],
                                       const VAL *const *Bx, int64_t q,
                                       unsigned taken)
{
    (void)sr;
    for (int part = 0; part < 8; part += REALS) {
        const unsigned some = taken >> part & ((1u << REALS) - 1);
        if (some == 0)
            continue;
        reals b[MOST_TERMS];
        for (int c = 0; c < terms; c++)
            b[c] = reals_spread(Bx[c] + q, some);
        for (int row = 0; row < rows; row++) {
            VAL *at = sums + row * stride + part;
            reals sum = reals_load(at);
            for (int c = 0; c < terms; c++)
                sum = reals_plus(
                    sum, reals_where(some, reals_times(a[row][c], b[c])));
            reals_store(at, sum);
        }
        q += __builtin_popcount(some);
    }
    return q;
}
#else
#define VECTOR       VAL
#define BROADCAST(x) (x)
static ALWAYS_INLINE int64_t add_eight(spgemm_semiring sr, VAL *restrict sums,
                                       int64_t stride, int rows, int terms,
                                       VAL a[SUPERNODE_ROWS][MOST_TERMS],
                                       const VAL *const *Bx, int64_t q,
                                       unsigned taken)
{
    if (taken == 0xff) {
        for (int row = 0; row < rows; row++)
            for (int c = 0; c < terms; c++)
                for (int u = 0; u < 8; u++) {
                    VAL *sum = sums + row * stride + u;
                    *sum = semiring_add(sr, *sum,
                                        product(sr, a[row][c], Bx[c], q + u));
                }
        return q + 8;
    }
    for (; taken != 0; taken &= taken - 1, q++)
        for (int row = 0; row < rows; row++) {
            VAL *sum = sums + row * stride + __builtin_ctz(taken);
            for (int c = 0; c < terms; c++)
                *sum = semiring_add(sr, *sum, product(sr, a[row][c], Bx[c], q));
        }
    return q;
}
#endif

static ALWAYS_INLINE void supernode_tile_sum(spgemm_semiring sr,
                                             const supernode_tile *tile,
                                             int rows, int terms, scratch *s,
                                             int64_t first)
{
    VAL *restrict sums = s->supernode_sums;
    uint8_t *restrict lines = s->lines;
    uint8_t *restrict words = s->words;
    const uint32_t *restrict place = tile->place;
    const uint8_t *restrict bits = tile->taken;
    const int64_t count = tile->count;
    const int64_t stride = s->supernode_stride;
    const int64_t first_place = first >> 3;
    const bool marks = tile->marks;
    const VAL *Bx[MOST_TERMS];
    VECTOR a[SUPERNODE_ROWS][MOST_TERMS];
    for (int c = 0; c < terms; c++)
        Bx[c] = tile->Bx[c];
    for (int row = 0; row < rows; row++)
        for (int c = 0; c < terms; c++)
            a[row][c] = BROADCAST(tile->a[row][c]);
    int64_t q = 0;
    for (int64_t o = 0; o < count; o++) {
        const int64_t line = (int64_t)place[o] - first_place;
        const unsigned taken = bits[o];
        q = add_eight(sr, sums + 8 * line, stride, rows, terms, a, Bx, q,
                      taken);
        if (marks) {
            lines[line] |= (uint8_t)taken;
            words[line >> 3] = 1;
        }
    }
}

/* As many terms as there are, as a constant where there are vectors to keep in
   registers. */
static ALWAYS_INLINE void supernode_tile_by_terms(spgemm_semiring sr,
                                                  const supernode_tile *t,
                                                  int rows, int terms,
                                                  scratch *s, int64_t first)
{
#if defined(LANES) || defined(SEMIRING)
    switch (terms) {
    case 1:
        supernode_tile_sum(sr, t, rows, 1, s, first);
        return;
    case 2:
        supernode_tile_sum(sr, t, rows, 2, s, first);
        return;
    case 3:
        supernode_tile_sum(sr, t, rows, 3, s, first);
        return;
    default:
        SPGEMM_ASSERT(terms == MOST_TERMS);
        supernode_tile_sum(sr, t, rows, MOST_TERMS, s, first);
    }
#else
    supernode_tile_sum(sr, t, rows, terms, s, first);
#endif
}

/* Rows, too, where there is one semiring and it pays for its code: without
   AVX-512, for real numbers. (cant-like, one thread of a Zen 5, base: integers
   1.16 times, complex numbers 1.23 times as long as with constants; such a unit
   compiles in 1.2 s for 1.9.) */
#if defined(SEMIRING) && (defined(LANES) || defined(VALUE_IS_REAL))
#define ROWS_ARE_CONSTANT
#endif
static NOINLINE void supernode_tile_dispatch(const supernode_tile *t,
                                             spgemm_semiring which, int rows,
                                             int terms, scratch *s,
                                             int64_t first)
{
#if defined(ROWS_ARE_CONSTANT)
    (void)which;
    switch (rows) {
    case 1:
        supernode_tile_by_terms(SEMIRING, t, 1, terms, s, first);
        return;
    case 2:
        supernode_tile_by_terms(SEMIRING, t, 2, terms, s, first);
        return;
    case 3:
        supernode_tile_by_terms(SEMIRING, t, 3, terms, s, first);
        return;
    case 4:
        supernode_tile_by_terms(SEMIRING, t, 4, terms, s, first);
        return;
    case 5:
        supernode_tile_by_terms(SEMIRING, t, 5, terms, s, first);
        return;
    default:
        SPGEMM_ASSERT(rows == SUPERNODE_ROWS);
        supernode_tile_by_terms(SEMIRING, t, SUPERNODE_ROWS, terms, s, first);
    }
#else
    WITH_SEMIRING(which, sr,
                  supernode_tile_by_terms(sr, t, rows, terms, s, first));
#endif
}

#endif
