/* SPDX-License-Identifier: BSD-3-Clause */
/* Which entries are dropped by their values, and what is left without them. */
#ifndef SPGEMM_KERNELS_ROW_DROP_H
#define SPGEMM_KERNELS_ROW_DROP_H

#include "kernels/row/unit.h"

/* Entries that are looked at at once: of those that drop out, all in a vector or
   two. Measured, one thread of a Zen 4, AVX2: the ten largest of 6,000 sums took
   29 microseconds by a selection of all, and take 8.4. */
#define LOOKED_AT 16

/* Entries of rows, side by side. */
typedef struct row_entries {
    IDX *Cj;
    VAL *Cx;
    int64_t count;
} row_entries;

static inline void move_entry(row_entries *e, int64_t to, int64_t from)
{
    e->Cj[to] = e->Cj[from];
    if (HAS_VALUES)
        e->Cx[to] = e->Cx[from];
}

#if HAS_VALUES
/* Whether x is, where some may be: a zero is within any tolerance, and alone within
   none. */
static inline bool is_dropped(VAL x, double tolerance)
{
#if defined(VALUE_IS_COMPLEX)
    return tolerance > 0 ? op_is_within(x, tolerance) : x == 0;
#else
    return op_is_within(x, tolerance);
#endif
}

/* Counted in 64 bits, of which GCC 12 makes vectors; of bool it makes none. */
static inline int64_t count_dropped(const VAL *x, int64_t n, double tolerance)
{
    int64_t count = 0;
    for (int64_t t = 0; t < n; t++)
        count += is_dropped(x[t], tolerance);
    return count;
}

/* Moves LOOKED_AT entries: in registers, since both places may overlap. */
static inline void move_all(row_entries *e, int64_t to, int64_t from)
{
    IDX columns[LOOKED_AT];
    VAL values[LOOKED_AT];
    memcpy(columns, e->Cj + from, sizeof columns);
    memcpy(values, e->Cx + from, sizeof values);
    memcpy(e->Cj + to, columns, sizeof columns);
    memcpy(e->Cx + to, values, sizeof values);
}

/* Moves those of `count` entries from p on that stay to places from n on, n <= p.
   Returns where they end. */
static inline int64_t move_each(row_entries *e, int64_t n, int64_t p,
                                int64_t count, double tolerance)
{
    for (int64_t t = p; t < p + count; t++) {
        const bool is_kept = !is_dropped(e->Cx[t], tolerance);
        move_entry(e, n, t);
        n += is_kept;
    }
    return n;
}

/* The same of LOOKED_AT entries, of which some stay. */
static inline int64_t move_some_of(row_entries *e, int64_t n, int64_t p,
                                   double tolerance)
{
#if defined(LEAVES_AVX512) && defined(LANES)
    for (int64_t end = p + LOOKED_AT; p < end; p += 8) {
        uint64_t kept = 0;
        for (int t = 0; t < 8; t++)
            kept |= (uint64_t)!is_dropped(e->Cx[p + t], tolerance) << t;
        const lanes values = lanes_load(e->Cx + p);
        pack_columns(load_columns(e->Cj + p, 0xff), (unsigned)kept, true,
                     e->Cj + n);
        lanes_store(e->Cx + n, lanes_compress((unsigned)kept, values));
        n += __builtin_popcountll(kept);
    }
    return n;
#else
    return move_each(e, n, p, LOOKED_AT, tolerance);
#endif
}

/* The same, of which so many are dropped. */
static inline int64_t move_looked_at(row_entries *e, int64_t n, int64_t p,
                                     int64_t dropped, double tolerance)
{
    if (dropped == LOOKED_AT)
        return n;
    if (dropped > 0)
        return move_some_of(e, n, p, tolerance);
    move_all(e, n, p);
    return n + LOOKED_AT;
}

/* As move_each() of any number. */
static inline int64_t move_kept(row_entries *e, int64_t n, int64_t p,
                                int64_t count, double tolerance)
{
    const int64_t end = p + count;
    for (; p + LOOKED_AT <= end; p += LOOKED_AT)
        n = move_looked_at(
            e, n, p, count_dropped(e->Cx + p, LOOKED_AT, tolerance), tolerance);
    return move_each(e, n, p, end - p, tolerance);
}
#endif

#endif
