/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows B(k,:) of the entries A(i,k), asked for before they are read.

   Those of the rows behind row i are, while row i is looked at. Of a long row that is
   of no use: what is asked for is out of the cache again before it is added. It is asked
   for once more, a few entries of A at a time, while the row is added. */
#ifndef SPGEMM_KERNELS_ROW_AHEAD_H
#define SPGEMM_KERNELS_ROW_AHEAD_H

#include "kernels/row/prefetch.h"
#include "kernels/row/row.h"

/* A row of A is long from this many entries on, of a B that is not near. Measured, one
   thread of a Zen 4, 64 rows of 200,000 entries, B of a million rows of four: 475 ms
   asked for, 585 not; by step 1, 4 and 16: 516, 500 and 512. */
#define LONG_LENGTH 2048

/* The entries of A that are asked for at once. */
#define LONG_STEP 4

/* Asks for what the entries of A behind entry p will need, up to entry `last`: rows of B,
   and farther on their pointers. */
static ALWAYS_INLINE void ask_ahead(const IDX *Aj, int64_t p, int64_t last,
                                    const int64_t *Bp, const IDX *Bj,
                                    const VAL *Bx, bool has_middle)
{
    PREFETCH(&Bp[Aj[min_i64(p + AHEAD_POINTERS, last)]]);
    const int64_t k = Aj[min_i64(p + AHEAD_ROWS, last)];
    const size_t from = (size_t)Bp[k];
    const size_t to = (size_t)Bp[k + 1];
    const char *columns = (const char *)Bj;
    const char *values = (const char *)Bx;
    prefetch_ends(columns + from * sizeof(IDX), columns + to * sizeof(IDX),
                  false);
    if (values)
        prefetch_ends(values + from * sizeof(VAL), values + to * sizeof(VAL),
                      has_middle);
}

/* The entries [t, end) of a row of A that are added next: all of them; or a few, after
   those behind them are asked for. */
static ALWAYS_INLINE int64_t step_end(const c_row *r, int64_t t)
{
    if (LIKELY(!r->is_long))
        return r->length;
    const int64_t end = min_i64(t + LONG_STEP, r->length);
    for (int64_t p = t; p < end; p++)
        ask_ahead(r->Aj, p, r->length - 1, r->Bp, r->Bj, r->Bx, false);
    return end;
}

#endif
