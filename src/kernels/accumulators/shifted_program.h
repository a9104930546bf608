/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that repeat the rows of the period before, further to the right:
   found, and written down as programs, which accumulators/shifted.h runs.

   On a regular grid, row i of A has the columns of row i - period, each plus a
   shift, and the rows of B that it touches repeat those that row touched: then
   so does the row of C, and where each product goes is the same. That is
   written down once for each row of a period. The next line of the grid begins
   with rows of that kind again, and is computed by the same programs. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_PROGRAM_H
#define SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_PROGRAM_H

#include <string.h>

#include "common/checked.h"
#include "common/compiler.h"
#include "kernels/row/scratch.h"
#include "matrix/shift_pattern.h"

/* Fewer are not worth the program. */
#define LEAST_SHIFTED_PERIODS 4

/* Columns that are compared or written at a time. */
#define SHIFTED_EIGHT 8

/* The rows of B that a row of A takes. */
typedef struct shifted_row {
    const IDX *Aj; /* [length] */
    int64_t length;
    const int64_t *Bp;
    const IDX *Bj;
} shifted_row;

/* x - y of columns that nobody has looked at yet: what is out of range wraps. */
static inline IDX column_difference(IDX x, IDX y)
{
    IDX difference;
    (void)__builtin_sub_overflow(x, y, &difference);
    return difference;
}

/* How many of row[0 .. length) are those of model, `further`, from the first
   on. */
static inline int64_t count_further(const IDX *row, const IDX *model,
                                    int64_t length, int64_t further)
{
    const IDX shift = (IDX)further;
    int64_t t = 0;
    for (; t + SHIFTED_EIGHT <= length; t += SHIFTED_EIGHT) {
        IDX others = 0;
#pragma omp simd reduction(| : others)
        for (int u = 0; u < SHIFTED_EIGHT; u++)
            others |= column_difference(row[t + u], model[t + u]) ^ shift;
        if (others != 0)
            break;
    }
    while (t < length && column_difference(row[t], model[t]) == shift)
        t++;
    return t;
}

/* shifted_mark() of rows i .. end - 1, each as long as the one a period before:
   their entries lie `back` behind. */
static inline void shifted_mark_run(const int64_t *rowptr, const IDX *colidx,
                                    int64_t i, int64_t end, int64_t back,
                                    int64_t shift, uint8_t *next)
{
    while (i < end) {
        const IDX *row = colidx + rowptr[i];
        const int64_t same =
            rowptr[i] +
            count_further(row, row - back, rowptr[end] - rowptr[i], shift);
        for (; i < end && rowptr[i + 1] <= same; i++)
            next[i] = rowptr[i + 1] > rowptr[i];
        if (i < end)
            next[i++] = false;
    }
}

/* next[i] = whether row i, not empty, has the columns of row i - period, each
   plus shift, for i in [begin, end). */
static inline void shifted_mark(const int64_t *rowptr, const IDX *colidx,
                                int64_t begin, int64_t end, int64_t period,
                                int64_t shift, uint8_t *next)
{
    for (; begin < end && begin < period; begin++)
        next[begin] = false;
    for (int64_t i = begin; i < end;) {
        int64_t run = i;
        while (run < end && rowptr[run + 1] - rowptr[run] ==
                                rowptr[run - period + 1] - rowptr[run - period])
            run++;
        shifted_mark_run(rowptr, colidx, i, run, rowptr[i] - rowptr[i - period],
                         shift, next);
        if (run < end)
            next[run] = false;
        i = run + 1;
    }
}

/* Where the products of A's entry t go, of the row of C with columns Cj[0 ..
   nnz): appended to places[count ..]. Returns the new count; -1: they do not fit,
   or C is not in order. */
static inline int64_t repeat_trace(const shifted_row *r, int64_t t,
                                   const IDX *Cj, int64_t nnz, uint8_t *places,
                                   int64_t count)
{
    const int64_t begin = r->Bp[r->Aj[t]];
    const int64_t end = r->Bp[r->Aj[t] + 1];
    int64_t place = 0;
    if (end - begin > SHIFTED_PRODUCTS - count)
        return -1;
    for (int64_t q = begin; q < end; q++) {
        while (place < nnz && Cj[place] < r->Bj[q])
            place++;
        if (place == nnz || Cj[place] != r->Bj[q])
            return -1;
        places[count++] = (uint8_t)place;
    }
    return count;
}

/* The columns of a program. */
static inline const IDX *shifted_program_columns(const shifted_program *p)
{
    return sizeof(IDX) == sizeof(int64_t) ? (const IDX *)p->columns.i64
                                          : (const IDX *)p->columns.i32;
}

/* Writes the program of a row down, as it was computed: C's is Cj[0 .. nnz).
   false: it is too long. */
static inline bool shifted_write(shifted_program *p, const shifted_row *r,
                                 const IDX *Cj, int64_t nnz)
{
    int64_t count = 0;
    if (nnz > SHIFTED_NNZ || r->length > SHIFTED_LENGTH)
        return false;
    for (int64_t t = 0; t < r->length; t++) {
        count = repeat_trace(r, t, Cj, nnz, p->places, count);
        if (count < 0)
            return false;
    }
    p->length = r->length;
    p->nnz = nnz;
    memset(&p->columns, 0, sizeof p->columns);
    memcpy(&p->columns, Cj, (size_t)nnz * sizeof *Cj);
    return true;
}

/* Whether the rows of B that a row takes are those that `model` took, which a
   program was written of, each *further: then it does for this row, too. */
static inline bool shifted_fits(const shifted_row *r, const shifted_row *model,
                                int64_t *further)
{
    bool is_known = false;
    if (r->length != model->length)
        return false;
    for (int64_t t = 0; t < r->length; t++) {
        const IDX *row = r->Bj + r->Bp[r->Aj[t]];
        const IDX *old = r->Bj + r->Bp[model->Aj[t]];
        const int64_t length = r->Bp[r->Aj[t] + 1] - r->Bp[r->Aj[t]];
        if (r->Bp[model->Aj[t] + 1] - r->Bp[model->Aj[t]] != length)
            return false;
        if (length == 0)
            continue;
        if (!is_known)
            *further = (int64_t)row[0] - old[0];
        is_known = true;
        if (count_further(row, old, length, *further) < length)
            return false;
    }
    return is_known;
}

/* The rows of B that a row takes; a_shift further (0: none) are those that the
   next repetition takes. Bx is NULL: values are not read. */
static inline void shifted_bind(shifted_source *sources, const shifted_row *r,
                                const char *Bx, int64_t value_size,
                                int64_t a_shift)
{
    for (int64_t t = 0; t < r->length; t++) {
        const int64_t *begin = &r->Bp[r->Aj[t]];
        sources[t].at = Bx ? Bx + begin[0] * value_size : NULL;
        sources[t].stride = (begin[a_shift] - begin[0]) * value_size;
        sources[t].length = begin[1] - begin[0];
    }
}

/* Columns of one more row of a program: eight at a time, the last whole. */
static inline void shifted_columns(const shifted_program *p, int64_t further,
                                   IDX *restrict Cj)
{
    const IDX *columns = shifted_program_columns(p);
    for (int64_t c = 0; c < p->nnz; c += SHIFTED_EIGHT)
#pragma omp simd
        for (int u = 0; u < SHIFTED_EIGHT; u++)
            Cj[c + u] = columns[c + u] + (IDX)further;
}

/* How many of flags[0 .. most) are 1, from the first on. */
static inline int64_t shifted_ones(const uint8_t *flags, int64_t most)
{
    int64_t n = 0;
    while (n + 8 <= most && load_eight(flags + n) == 0x0101010101010101u)
        n += 8;
    while (n < most && flags[n])
        n++;
    return n;
}

/* How often rows k .. k + run - 1 of B are repeated, each time `shift` rows
   further; `most` times are looked at. Rows between them must repeat too: then
   they lie as many entries further each time. */
static inline int64_t shifted_times(const uint8_t *next, int64_t k, int64_t run,
                                    int64_t shift, int64_t most)
{
    const int64_t ones =
        shifted_ones(next + k + shift, (most - 1) * shift + run);
    return ones < run ? 0 : (ones - run) / shift + 1;
}

#endif
