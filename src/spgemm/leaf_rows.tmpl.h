/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose kernels are written for one instruction set: in registers, and by
   repetition. Elsewhere none fits.

   Parameters: VAL, IDX, FN. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "leaf_rows.tmpl.h: define VAL, IDX and FN first"
#endif

/* Sums of products of doubles, and rows without values. */
#undef TINY_LEAVES
#if defined(LEAVES_AVX512) &&                                                  \
    (!HAS_VALUES || (defined(VALUE_IS_f64) && PASTE(IS_PLUS_, SEMIRING_ADD) && \
                     PASTE(IS_TIMES_, SEMIRING_MUL)))
#define TINY_LEAVES
#endif

#if defined(LANES)
#include "accumulate/repeat.tmpl.h"
#endif

/* Whether a row of so many products can be sorted in registers. */
static ALWAYS_INLINE bool FN(fits_registers)(const operands *ops,
                                             int64_t products)
{
#if defined(TINY_LEAVES)
    return is_short(products, ops->B->ncols);
#else
    (void)ops;
    (void)products;
    return false;
#endif
}

/* nnz of a row of at most 64 products and columns below 2^26. */
static ALWAYS_INLINE int64_t FN(tiny_in_registers)(const operands *ops,
                                                   int64_t i,
                                                   int64_t products,
                                                   output *out)
{
#if defined(TINY_LEAVES)
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
    const int64_t end = A->rowptr[i + 1];
    const tiny_operands r = {
        .Aj = (const int32_t *)A->colidx + begin,
        .Ax = HAS_VALUES && out ? (const double *)A->values + begin : NULL,
        .length = end - begin,
        .Bp = B->rowptr,
        .Bj = B->colidx,
        .Bx = B->values,
    };
    int32_t *Cj = NULL;
    double *Cx = NULL;
    int64_t room = 0;
    FN(prefetch)(ops, begin, end, out != NULL);
    if (out) {
        if (!output_reserve(out, products))
            return -1;
        Cj = (int32_t *)out->colidx + out->used;
        Cx = HAS_VALUES ? (double *)out->values + out->used : NULL;
        room = out->limit - out->used;
    }
    int64_t n;
    if (products <= 16)
        n = tiny_vectors(&r, 1, HAS_VALUES, room, Cj, Cx);
    else if (products <= 32)
        n = tiny_vectors(&r, 2, HAS_VALUES, room, Cj, Cx);
    else if (products <= 48)
        n = tiny_vectors(&r, 3, HAS_VALUES, room, Cj, Cx);
    else
        n = tiny_vectors(&r, 4, HAS_VALUES, room, Cj, Cx);
    if (out)
        output_take(out, n);
    return n;
#else
    (void)ops;
    (void)i;
    (void)products;
    (void)out;
    return 0;
#endif
}

#if defined(LANES)
/* How often the rows from `first` to i can be repeated up to row `end`, all of
   whose B's rows must repeat too; `most` at most. */
static ALWAYS_INLINE int64_t FN(count_repeats)(
    const operands *ops, int64_t first, int64_t i, int64_t end, int64_t most)
{
    const repetition *by = &ops->repeats;
    const spgemm_csr *A = ops->A;
    const int32_t *Aj = A->colidx;
    int64_t times = min_i64((end - i - 1) / by->period, most);
    times = repeat_ones(ops->a_next + i + 1, times * by->period) / by->period;
    int64_t run;
    for (int64_t p = A->rowptr[first];
         p < A->rowptr[i + 1] && times >= LEAST_REPEATS; p += run) {
        run = 1;
        while (p + run < A->rowptr[i + 1] &&
               Aj[p + run] == Aj[p] + (int32_t)run)
            run++;
        times = repeat_times(ops->b_next, Aj[p], run, by->a_shift, times);
    }
    return times;
}

/* Writes the programs of rows first .. i, whose entries are the last that went
   to `out`. false: no memory, or one is too long. */
static ALWAYS_INLINE bool FN(write_programs)(const operands *ops,
                                             int64_t first,
                                             int64_t i,
                                             scratch *s,
                                             const int64_t *nnz,
                                             const int32_t *Cj)
{
    if (!spgemm_scratch_make_programs(s, ops->repeats.period))
        return false;
    for (int64_t row = first; row <= i; row++) {
        const int64_t begin = ops->A->rowptr[row];
        const repeat_row r = {
            .Aj = (const int32_t *)ops->A->colidx + begin,
            .length = ops->A->rowptr[row + 1] - begin,
            .Bp = ops->B->rowptr,
            .Bj = ops->B->colidx,
            .Bx = READS_B ? ops->B->values : NULL,
            .value_size = sizeof(VAL),
            .a_shift = ops->repeats.a_shift,
            .Cj = Cj,
            .nnz = nnz[row - i],
        };
        s->never_repeats = !repeat_write(&s->programs[row - first], &r);
        if (s->never_repeats)
            return false;
        Cj += r.nnz;
    }
    return true;
}
#endif

/* Rows behind row i, up to the range's end, that repeat the rows of a period up
   to it: computed, their nnz written. Returns their number. Row i is the last
   that went to `out`. */
static ALWAYS_INLINE int64_t FN(repeat_rows)(const operands *ops,
                                             int64_t i,
                                             const row_range *range,
                                             scratch *s,
                                             output *out,
                                             int64_t *nnz)
{
#if defined(LANES)
    const int64_t period = ops->repeats.period;
    const int64_t first = i + 1 - period;
    int64_t total = 0;
    if (s->never_repeats || first < range->row_begin ||
        i + 1 == range->row_end || !ops->a_next[i + 1])
        return 0;
    for (int64_t t = 1 - period; t <= 0; t++) {
        if (nnz[t] == 0 || nnz[t] > REPEAT_NNZ)
            return 0;
        total += nnz[t];
    }
    /* The last octet of the last row is written whole. */
    const int64_t room = min_i64(out->capacity, out->limit) - out->used - 16;
    if (room < total || total > out->used)
        return 0;
    const int64_t times =
        FN(count_repeats)(ops, first, i, range->row_end, room / total);
    int32_t *Cj = (int32_t *)out->colidx + out->used;
    if (times < LEAST_REPEATS ||
        !FN(write_programs)(ops, first, i, s, nnz, Cj - total))
        return 0;
    FN(repeat_run)
    (s->programs, &ops->repeats, times,
     READS_A ? (const VAL *)ops->A->values + ops->A->rowptr[i + 1] : NULL, Cj,
     (VAL *)out->values + out->used);
    const int64_t rows = times * period;
    for (int64_t row = 1; row <= rows; row++)
        nnz[row] = nnz[row - period];
    output_take(out, times * total);
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_REPEAT] += rows;
    return rows;
#else
    (void)ops;
    (void)i;
    (void)range;
    (void)s;
    (void)out;
    (void)nnz;
    return 0;
#endif
}
