/* SPDX-License-Identifier: BSD-3-Clause */
/* C(i,:) is C(i - period,:), further to the right: rows that programs compute,
   those behind the row that one was written of, and those of the next lines of
   the grid. */
#ifndef SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_ROWS_H
#define SPGEMM_KERNELS_ACCUMULATORS_SHIFTED_ROWS_H

#include "kernels/accumulators/esc_products.h"
#include "kernels/accumulators/shifted.h"
#include "kernels/row/row.h"

/* How often the rows from `first` to i can be repeated, `most` at most: all of their
   rows of B must repeat, too. */
static int64_t count_shifted_most(const operands *ops, int64_t first, int64_t i,
                                  int64_t most)
{
    const shift_pattern *by = &ops->shifts;
    const spgemm_csr *A = ops->A;
    const IDX *Aj = A->colidx;
    int64_t times =
        shifted_ones(ops->a_shifted + i + 1, most * by->period) / by->period;
    int64_t run;
    for (int64_t p = A->rowptr[first];
         p < A->rowptr[i + 1] && times >= LEAST_SHIFTED_PERIODS; p += run) {
        run = 1;
        while (p + run < A->rowptr[i + 1] && Aj[p + run] == Aj[p] + (IDX)run)
            run++;
        times = shifted_times(ops->b_shifted, Aj[p], run, by->a_shift, times);
    }
    return times;
}

/* The same up to row `end`; 0: too few. As many as are needed first: where rows of B do
   not repeat, all up to the end would be looked at for each row of A. */
static NOINLINE int64_t count_shifted_periods(const operands *ops,
                                              int64_t first, int64_t i,
                                              int64_t end, int64_t most)
{
    const int64_t times = min_i64((end - i - 1) / ops->shifts.period, most);
    return times < LEAST_SHIFTED_PERIODS ||
                   count_shifted_most(ops, first, i, LEAST_SHIFTED_PERIODS) <
                       LEAST_SHIFTED_PERIODS
               ? 0
               : count_shifted_most(ops, first, i, times);
}

/* Rows that are looked at for a period that is repeated: as many as a batch of short
   rows has. */
#define SHIFTED_LOOKED (ESC_ABREAST * ESC_TOGETHER)

/* The row behind the first period from row i on that is repeated often enough, as far
   as A tells; where there is none, one that far away, or `end`. */
static inline int64_t shifted_model_end(const operands *ops, int64_t i,
                                        int64_t end)
{
    const int64_t least = LEAST_SHIFTED_PERIODS * ops->shifts.period;
    const int64_t last = min_i64(end, i + SHIFTED_LOOKED + least);
    for (int64_t row = i + 1; row < last;) {
        const int64_t most = min_i64(least, last - row);
        const int64_t ones = shifted_ones(ops->a_shifted + row, most);
        if (ones == least || (row + ones == last && last < end))
            return row;
        row += ones + 1;
    }
    return last;
}

static inline shifted_row shifted_row_at(const operands *ops, int64_t i)
{
    const int64_t begin = ops->A->rowptr[i];
    return (shifted_row){
        .Aj = (const IDX *)ops->A->colidx + begin,
        .length = ops->A->rowptr[i + 1] - begin,
        .Bp = ops->B->rowptr,
        .Bj = ops->B->colidx,
    };
}

/* Writes the programs of rows first .. i, whose entries are the last that went
   to `out`. NULL: no memory, or one is too long. */
static inline const shifted_period *
write_programs(const operands *ops, int64_t first, int64_t i, scratch *s,
               const int64_t *nnz, const IDX *Cj)
{
    if (!spgemm_scratch_make_shifted(s))
        return NULL;
    shifted_period *kind = &s->shifted->kinds[s->shifted->next];
    kind->row = -1;
    for (int64_t row = first; row <= i; row++) {
        const shifted_row r = shifted_row_at(ops, row);
        s->never_shifts =
            !shifted_write(&kind->programs[row - first], &r, Cj, nnz[row - i]);
        if (s->never_shifts)
            return NULL;
        Cj += nnz[row - i];
    }
    kind->row = first;
    s->shifted->next = (s->shifted->next + 1) % SHIFTED_KINDS;
    return kind;
}

/* The values of rows from `first` on, of so many periods of c_step entries in all. */
static inline void run_values(const operands *ops, int64_t first, int64_t times,
                              int64_t c_step, const shifted_program *programs,
                              shifted_source *sources, VAL *Cx)
{
    const shift_pattern *by = &ops->shifts;
    const spgemm_semiring sr = semiring_of(ops);
    shifted_rows_of rows = {
        .Ax = reads_a(sr) ? (const VAL *)ops->A->values + ops->A->rowptr[first]
                          : NULL,
        .Cx = Cx,
        .c_step = c_step,
    };
    for (int64_t t = 0; t < by->period; t++)
        rows.a_step += programs[t].length;
    for (int64_t t = 0; t < by->period; t++) {
        const shifted_row r = shifted_row_at(ops, first + t);
        shifted_bind(sources, &r, reads_b(sr) ? ops->B->values : NULL,
                     sizeof(VAL), times > 1 ? by->a_shift : 0);
        shifted_run(sr, &programs[t], sources, rows, times);
        rows.Ax = reads_a(sr) ? rows.Ax + programs[t].length : NULL;
        rows.Cx += programs[t].nnz;
    }
}

/* Rows from `first` on, of so many periods: computed, their nnz written, the
   first period's columns `further` than those of the rows that the programs were
   written of. Returns the number of rows. */
static NOINLINE int64_t run_programs(const operands *ops, int64_t first,
                                     int64_t times, const shifted_period *kind,
                                     int64_t further, scratch *s, output *out,
                                     int64_t *nnz)
{
    const shift_pattern *by = &ops->shifts;
    const shifted_program *programs = kind->programs;
    IDX *Cj = (IDX *)out->colidx + out->used;
    int64_t step = 0;
    for (int64_t t = 0; t < by->period; t++)
        step += programs[t].nnz;
    if (HAS_VALUES)
        run_values(ops, first, times, step, programs, s->shifted->sources,
                   (VAL *)out->values + out->used);
    for (int64_t row = 0; row < times * by->period; row++) {
        const shifted_program *p = &programs[row % by->period];
        shifted_columns(p, further + row / by->period * by->b_shift, Cj);
        Cj += p->nnz;
        nnz[row] = p->nnz;
    }
    output_take(out, times * step);
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_SHIFTED] += times * by->period;
    return times * by->period;
}

/* Entries that may be written by programs, which write up to seven columns
   behind the last row. */
static inline int64_t room_to_shift(const output *out)
{
    return min_i64(out->capacity, out->limit) - out->used - SHIFTED_EIGHT;
}

/* Rows behind row i, up to the range's end, that repeat the rows of a period up
   to it: computed, their nnz written. Returns their number. Row i is the last
   that went to `out`, its nnz is nnz[0]. */
static NOINLINE int64_t shifted_rows(const operands *ops, int64_t i,
                                     const row_range *range, scratch *s,
                                     output *out, int64_t *nnz)
{
    const int64_t period = ops->shifts.period;
    const int64_t first = i + 1 - period;
    int64_t total = 0;
    if (s->never_shifts || first < range->row_begin ||
        i + 1 == range->row_end || !ops->a_shifted[i + 1])
        return 0;
    for (int64_t t = 1 - period; t <= 0; t++) {
        if (nnz[t] == 0 || nnz[t] > SHIFTED_NNZ)
            return 0;
        total += nnz[t];
    }
    const int64_t room = room_to_shift(out);
    if (room < total || total > out->used)
        return 0;
    const int64_t times =
        count_shifted_periods(ops, first, i, range->row_end, room / total);
    const IDX *Cj = (const IDX *)out->colidx + out->used - total;
    const shifted_period *kind =
        times < LEAST_SHIFTED_PERIODS
            ? NULL
            : write_programs(ops, first, i, s, nnz, Cj);
    return kind ? run_programs(ops, i + 1, times, kind, ops->shifts.b_shift, s,
                               out, nnz + 1)
                : 0;
}

/* Whether programs do for the rows of the period from row i on. */
static inline bool program_fits(const operands *ops, int64_t i,
                                const shifted_period *kind, int64_t *further)
{
    if (kind->row < 0)
        return false;
    for (int64_t t = 0; t < ops->shifts.period; t++)
        if (ops->products[i + t] != ops->products[kind->row + t])
            return false;
    for (int64_t t = 0; t < ops->shifts.period; t++) {
        const shifted_row r = shifted_row_at(ops, i + t);
        const shifted_row model = shifted_row_at(ops, kind->row + t);
        int64_t each;
        if (!shifted_fits(&r, &model, &each) || (t > 0 && each != *further))
            return false;
        *further = each;
    }
    return true;
}

/* Rows from i on that programs at hand do for, another line of the grid:
   computed, their nnz written. Returns their number. */
static NOINLINE int64_t shifted_again(const operands *ops, int64_t i,
                                      const row_range *range, scratch *s,
                                      output *out, int64_t *nnz)
{
    const int64_t period = ops->shifts.period;
    const int64_t last = i + period - 1;
    int64_t further = 0;
    int k = 0;
    if (!s->shifted || last >= range->row_end)
        return 0;
    while (k < SHIFTED_KINDS &&
           !program_fits(ops, i, &s->shifted->kinds[k], &further))
        k++;
    if (k == SHIFTED_KINDS)
        return 0;
    const shifted_period *kind = &s->shifted->kinds[k];
    int64_t total = 0;
    for (int64_t t = 0; t < period; t++)
        total += kind->programs[t].nnz;
    const int64_t room = room_to_shift(out);
    if (room < total)
        return 0;
    const int64_t more =
        last + 1 < range->row_end && ops->a_shifted[last + 1]
            ? count_shifted_periods(ops, i, last, range->row_end,
                                    room / total - 1)
            : 0;
    return run_programs(ops, i, more < LEAST_SHIFTED_PERIODS ? 1 : 1 + more,
                        kind, further, s, out, nnz);
}

#endif
