/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of rows of C whose columns are known: products are added to a
   window, and what is under C's columns is taken out of it. Nothing is marked,
   nothing listed. */
#ifndef SPGEMM_KERNELS_REFILL_H
#define SPGEMM_KERNELS_REFILL_H

#include "kernels/refill_form.h"
#include "kernels/rows.h"

/* The sums of a row in a window that it fits. */
static ALWAYS_INLINE void refill_sum(spgemm_semiring sr, const c_row *r,
                                     VAL *restrict sums)
{
    for (int64_t t = 0; t < r->length; t++) {
        const VAL a = value_a(sr, r->Ax, t);
        const int64_t end = r->Bp[r->Aj[t] + 1];
        for (int64_t q = r->Bp[r->Aj[t]]; q < end; q++) {
            VAL *sum = sums + ((int64_t)r->Bj[q] - r->first);
            *sum = semiring_add(sr, *sum, product(sr, a, r->Bx, q));
        }
    }
}

static inline bool refill_dense(const c_row *r, scratch *s, const IDX *Cj,
                                int64_t n, VAL *Cx)
{
    const spgemm_semiring which = semiring_of_row(r);
    if (!make_window(which, s, row_width(r)))
        return false;
    WITH_SEMIRING(which, sr, refill_sum(sr, r, s->sums));
    take_sums(s->sums, sum_rule_of(which), Cj, n, r->first, Cx);
    return true;
}

#if defined(LANES)
/* Lists where the lines of eight columns begin in Cj, which is sorted and spans
   fewer than 2^32. */
static inline int64_t refill_list(const IDX *Cj, int64_t n, uint32_t *list)
{
    int64_t count = 0;
    __m512i before = _mm512_set1_epi32(~(int)Cj[0]);
    for (int64_t p = 0; p < n; p += 16) {
        const unsigned some = n - p < 16 ? (1u << (n - p)) - 1 : 0xffff;
        const __m512i now = _mm512_inserti64x4(
            _mm512_castsi256_si512(load_columns(Cj + p, some & 0xff)),
            load_columns(Cj + p + 8, some >> 8), 1);
        const __m512i changes =
            _mm512_xor_si512(now, _mm512_alignr_epi32(now, before, 15));
        const unsigned begins =
            some & _mm512_test_epi32_mask(changes, _mm512_set1_epi32(~7));
        count += pack_bits(begins, (uint32_t)p, list + count);
        before = now;
    }
    return count;
}

/* The sums of one row, line by line; leaves them clean. What is written behind
   a line is written over by the next. */
static ALWAYS_INLINE void refill_lines(VAL *sums, sum_rule rule,
                                       const uint32_t *list, int64_t lines,
                                       const IDX *Cj, int64_t n, int64_t first,
                                       VAL *Cx)
{
    for (int64_t t = 0; t < lines; t++) {
        const int64_t p = list[t];
        const int64_t left = n - p;
        const unsigned some = left < 8 ? (1u << left) - 1 : 0xff;
        VAL *at = sums + ((Cj[p] & ~(IDX)7) - first);
        const __m256i columns = load_columns(Cj + p, some);
        const lanes found =
            lanes_pick(columns, leave_lanes(lanes_load(at), rule));
        lanes_store(at, lanes_set(rule.untouched));
        if (LIKELY(left >= 8))
            lanes_store(Cx + p, found);
        else
            lanes_store_some(Cx + p, some, found);
    }
}
#endif

/* The sums of `rows` rows of the columns Cj, n each. */
static ALWAYS_INLINE void refill_rows(scratch *s, sum_rule rule, int rows,
                                      const IDX *Cj, int64_t n, int64_t first,
                                      VAL *Cx)
{
    VAL *sums = s->supernode_sums;
#if defined(LANES)
    const int64_t lines = refill_list(Cj, n, s->line_list);
    for (int t = 0; t < rows; t++)
        refill_lines(sums + t * s->supernode_stride, rule, s->line_list, lines,
                     Cj, n, first, Cx + t * n);
#else
    for (int t = 0; t < rows; t++)
        take_sums(sums + t * s->supernode_stride, rule, Cj, n, first,
                  Cx + t * n);
#endif
}

/* `rows` rows of the columns Cj, n each, of `ahead` entries in all that lie from
   Cj on. The next row's columns are asked for while the sums are made. */
static ALWAYS_INLINE bool refill_supernode(const c_row *row,
                                           const operands *ops, int rows,
                                           scratch *s, const IDX *Cj, int64_t n,
                                           int64_t ahead, VAL *Cx)
{
    c_row r = *row;
    const spgemm_semiring sr = semiring_of(ops);
    r.first &= ~(int64_t)7;
    const int64_t end = min_i64((rows + 1) * n, ahead);
    if (!make_supernode(sr, s, row_width(&r)))
        return false;
    for (int64_t p = rows * n; p < end; p += 64 / (int64_t)sizeof(IDX))
        PREFETCH(Cj + p);
    supernode_sum(&r, ops, rows, false, s);
    if (ops->b_bitmaps)
        refill_rows(s, sum_rule_of(sr), rows, Cj, n, r.first, Cx);
    else
        alike_take(s, sum_rule_of(sr), rows, Cj, n, r.first, Cx);
    return true;
}

/* Row i, the ends of whose n columns are known where they are sorted. */
static inline c_row row_extent_of_columns(const operands *ops, int64_t i,
                                          const IDX *Cj, int64_t n)
{
    if (!ops->sort_rows)
        return row_extent(ops, i, true);
    prefetch_row(ops, i, true);
    return row_within(ops, i, Cj[0], Cj[n - 1], true);
}

/* Rows [begin, end), whose columns are found anew, aside: those of C may be others'
   as well. Their values to Cx. */
static bool refill_anew(const operands *ops, int64_t begin, int64_t end,
                        scratch *s, const spgemm_csr *C, VAL *Cx,
                        int64_t *row_nnz)
{
    const row_range some = {.row_begin = begin, .row_end = end};
    const int64_t n = C->rowptr[end] - C->rowptr[begin];
    output out;
    if (begin == end)
        return true;
    if (!spgemm_scratch_grow_discarded(s, n))
        return false;
    spgemm_output_open_direct(&out, n, s->discarded, Cx, row_nnz);
    return numeric(ops, &some, s, &out);
}

/* Row i and those behind it that are taken together, of a window that fits
   them: their values to Cx. Returns how many they are; 0: it suits no window,
   -1: no memory. */
static inline int64_t refill_window(const operands *ops, int64_t i,
                                    const row_range *range, scratch *s,
                                    const spgemm_csr *C, VAL *Cx)
{
    const int64_t *Cp = C->rowptr;
    const IDX *Cj = (const IDX *)C->colidx + Cp[i];
    const int64_t n = Cp[i + 1] - Cp[i];
    const c_row r = row_extent_of_columns(ops, i, Cj, n);
    const spgemm_accumulator chosen = choose_accumulator(&r, ops);
    const bool is_supernode = chosen == SPGEMM_ACCUMULATOR_SUPERNODE;
    if (!is_supernode && !(chosen == SPGEMM_ACCUMULATOR_DENSE &&
                           r.last - r.first < WIDEST_WINDOW))
        return 0;
    const int rows =
        is_supernode ? same_rows(ops, i, range->row_end, supernode_most(ops))
                     : 1;
    const int64_t ahead = Cp[range->row_end] - Cp[i];
    if (is_supernode ? !refill_supernode(&r, ops, rows, s, Cj, n, ahead, Cx)
                     : !refill_dense(&r, s, Cj, n, Cx))
        return -1;
    s->rows_by_accumulator[chosen] += rows;
    return rows;
}

/* Whether the row is computed with those beside it, all that there is of it. */
static inline bool is_anew(const operands *ops, int64_t i)
{
    return is_scaled(ops, i) || is_esc_row(ops, ops->products[i]) ||
           operands_have_form(ops) || !ops->b_is_sorted;
}

/* The sums of a range of whole rows of C, with what its form makes of them. */
static inline bool refill_range(const operands *ops, const row_range *range,
                                scratch *s, const spgemm_csr *C,
                                const product_places *placed, VAL *values,
                                int64_t *row_nnz)
{
    const int64_t *Cp = C->rowptr;
    const bool has_form = operands_have_form(ops);
    const uint8_t *places = placed ? placed->places : NULL;
    const int64_t before = Cp[range->row_begin];
    int64_t done = range->row_begin; /* rows before are */
    int64_t rows;
    for (int64_t i = range->row_begin; i < range->row_end; i += rows) {
        const size_t width = placed ? placed->width[i - range->row_begin] : 0;
        const int64_t n = Cp[i + 1] - Cp[i];
        VAL *Cx = values + (Cp[i] - before);
        rows = 1;
        done += n == 0 && done == i; /* no values: done with those before */
        if (n == 0 || (width == 0 && is_anew(ops, i)))
            continue;
        if (done < i && !refill_anew(ops, done, i, s, C,
                                     values + (Cp[done] - before), row_nnz))
            return false;
        done = i;
        if (width > 0) {
            places = has_form ? refill_form(ops, i, n, width, places, s, Cx)
                              : refill_placed(ops, i, n, width, places, Cx);
            s->rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE]++;
            rows = places ? 1 : -1;
        } else {
            rows = refill_window(ops, i, range, s, C, Cx);
        }
        if (rows < 0)
            return false;
        done += rows;
        rows = max_i64(rows, 1);
    }
    return refill_anew(ops, done, range->row_end, s, C,
                       values + (Cp[done] - before), row_nnz);
}

/* The values of a range of whole rows of C, whose structure is known. row_nnz:
   room for as many rows. false: no memory. */
static bool refill(const operands *ops, const row_range *range, scratch *s,
                   const spgemm_csr *C, const product_places *placed,
                   void *values, int64_t *row_nnz)
{
    const int64_t n = C->rowptr[range->row_end] - C->rowptr[range->row_begin];
    const spgemm_semiring which = semiring_of(ops);
    operands some = *ops;
    const VAL *alpha = NULL;
    if (ops->epilogue && !operands_have_form(ops)) {
        alpha = ops->epilogue->alpha;
        some.epilogue = NULL;
    }
    if (is_scaled_in_place(&some) && !operands_have_form(ops))
        scale_in_place(&some, range, s, C->rowptr, values);
    else if (!refill_range(&some, range, s, C, placed, values, row_nnz))
        return false;
    if (alpha)
        WITH_SEMIRING(which, sr, scale_values(sr, *alpha, n, values));
    return true;
}

#endif
