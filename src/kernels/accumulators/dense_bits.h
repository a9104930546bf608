/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i, first + x) = sums[x], where bit x of lines is set: the entries of a window
   whose lines have bits, by words of 64 columns. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_DENSE_BITS_H
#define SPGEMM_KERNELS_ACCUMULATORS_DENSE_BITS_H

#include "kernels/accumulators/lines.h"
#include "kernels/row/row.h"
#include "kernels/row/take.h"

/* Rows this wide, of at most so many entries a word of 64 columns, have their columns
   listed without a branch for each before their sums are looked for. A loop over the
   bits of a word ends at an unforeseeable place, and what is known then waits for the
   window, which is not in the nearest cache. Measured, one thread of a Zen 5, time of
   one loop over that of two, AVX2 and portable: offshore-like 1.33, 1.12;
   2cubes_sphere-like 1.27, 1.13; cond-mat-2005 1.20, 1.20; cage12 1.08, 1.07;
   gemsec-deezer-HU 1.08, 1.05; 38 squares 1.05, 1.05 in the geometric mean. But of
   narrower rows, portable, mac_econ_fwd500-like 0.87; of fuller ones memplus 0.94. */
#define LISTED_COLUMNS ((int64_t)1 << 13)
#define LISTED_ENTRIES 4

/* The columns of the words listed, `at_once` of them at a time, whether they are
   there or not: up to at_once - 1 places behind the last are written. */
static inline int64_t list_columns(scratch *s, int64_t words, int64_t first,
                                   int at_once, IDX *Cj)
{
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const int64_t word = s->word_list[t];
        uint64_t taken = take_lines(s, word);
        while (taken != 0)
            for (int u = 0; u < at_once; u++) {
                const bool is_there = taken != 0;
                Cj[n] = (IDX)(first + 64 * word + take_lowest(&taken));
                n += is_there;
            }
    }
    return n;
}

/* Columns first, sums then. */
static ALWAYS_INLINE int64_t take_listed_columns(scratch *s, int64_t words,
                                                 sum_rule rule, int64_t first,
                                                 int at_once, IDX *Cj, VAL *Cx)
{
    const int64_t n = list_columns(s, words, first, at_once, Cj);
    if (HAS_VALUES)
        take_sums(s->sums, rule, Cj, n, first, Cx);
    return n;
}

/* Each column and its sum in turn. */
static ALWAYS_INLINE int64_t take_columns(scratch *s, int64_t words,
                                          sum_rule rule, int64_t first, IDX *Cj,
                                          VAL *Cx)
{
    VAL *sums = s->sums;
    int64_t n = 0;
    for (int64_t t = 0; t < words; t++) {
        const int64_t word = s->word_list[t];
        for (uint64_t taken = take_lines(s, word); taken != 0;
             taken &= taken - 1) {
            const int64_t x = 64 * word + __builtin_ctzll(taken);
            Cj[n] = (IDX)(first + x);
            if (HAS_VALUES) {
                Cx[n] = leave(sums[x], rule);
                sums[x] = rule.untouched;
            }
            n++;
        }
    }
    return n;
}

/* The entries of the words listed, in order; leaves them clean. Words of two products
   or fewer, in the mean, need no more than two bits at once. */
static ALWAYS_INLINE int64_t take_words(scratch *s, int64_t words,
                                        sum_rule rule, const c_row *r,
                                        bool is_roomy, IDX *Cj, VAL *Cx)
{
    if (!is_roomy || r->last - r->first < LISTED_COLUMNS ||
        r->predicted > LISTED_ENTRIES * words)
        return take_columns(s, words, rule, r->first, Cj, Cx);
    if (r->products > 2 * words)
        return take_listed_columns(s, words, rule, r->first, 4, Cj, Cx);
    return take_listed_columns(s, words, rule, r->first, 2, Cj, Cx);
}

#endif
