/* SPDX-License-Identifier: BSD-3-Clause */
/* One row of C, or some of one pattern, by the accumulator chosen: room is made
   in `out`, its entries written there.

   Parameters: VAL, IDX, FN. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "accumulate_row.tmpl.h: define VAL, IDX and FN first"
#endif

/* Where the next entries go, when numeric: room for n. false: no memory. */
static ALWAYS_INLINE bool
FN(make_room)(output *out, int64_t n, bool is_numeric, IDX **Cj, VAL **Cx)
{
    if (!is_numeric)
        return true;
    if (!output_reserve(out, n))
        return false;
    *Cj = (IDX *)out->colidx + out->used;
    *Cx = FN(values_at)(out->values, out->used);
    return true;
}

static NOINLINE bool FN(grow_window)(scratch *s, int64_t columns)
{
    if (!spgemm_scratch_grow_window(s, columns, HAS_MARKS))
        return false;
    VAL *sums = s->sums;
    for (int64_t x = 0; HAS_VALUES && x < s->window_columns; x++)
        sums[x] = UNTOUCHED;
    return true;
}

/* false: no memory. */
static ALWAYS_INLINE bool FN(make_window)(scratch *s, int64_t columns)
{
    return columns <= s->window_columns || FN(grow_window)(s, columns);
}

/* A row, or a slice of one, that fits a window. Where the chunk may be too
   short for its bound, its nnz is counted before room is made. */
static ALWAYS_INLINE int64_t FN(window_row)(const FN(row) * r,
                                            scratch *s,
                                            bool is_numeric,
                                            output *out)
{
    const int64_t columns = r->last - r->first + 1;
    const bool by_words =
        (is_numeric && !BY_LINES) || is_wide(r->products, columns);
    int64_t most = min_i64(r->products, columns);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (!FN(make_window)(s, columns))
        return -1;
    if (by_words)
        FN(scatter_sum)(r, s, true, is_numeric);
    else
        FN(scatter_sum)(r, s, false, is_numeric);
    if (!is_numeric)
        return scatter_wipe(s, columns, by_words);
    if (UNLIKELY(!output_has_room(out, most)))
        most = FN(scatter_count)(s, r);
    if (!FN(make_room)(out, most, true, &Cj, &Cx))
        return -1;
    const int64_t n =
        FN(scatter_extract)(s, r, by_words, output_is_roomy(out, most), Cj, Cx);
    output_take(out, n);
    return n;
}

/* A row wider than a window, window by window. */
static NOINLINE int64_t FN(sliced_row)(const FN(row) * r,
                                       scratch *s,
                                       bool is_numeric,
                                       output *out)
{
    int64_t n = 0;
    FN(row) slice = *r;
    slice.is_clipped = true;
    for (int64_t first = r->first; first <= r->last; first += WINDOW_COLUMNS) {
        slice.first = first;
        slice.last = min_i64(r->last, first + WINDOW_COLUMNS - 1);
        slice.products = r->products - n; /* each entry took one at least */
        const int64_t found = is_numeric
                                  ? FN(window_row)(&slice, s, true, out)
                                  : FN(window_row)(&slice, s, false, NULL);
        if (found < 0)
            return -1;
        n += found;
    }
    return n;
}

/* A row that need not be sorted: straight to `out` or, where that may be too
   short for its bound, by way of the scratch. */
static ALWAYS_INLINE int64_t FN(unsorted_row)(const FN(row) * r,
                                              scratch *s,
                                              output *out)
{
    const int64_t columns = r->last - r->first + 1;
    const int64_t most = min_i64(r->products, columns);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (columns > s->position_columns &&
        !spgemm_scratch_grow_positions(s, columns))
        return -1;
    if (LIKELY(output_has_room(out, most))) {
        FN(make_room)(out, most, true, &Cj, &Cx);
        const int64_t zeros = min_i64(most, out->limit - out->used);
        const int64_t n = FN(append_row)(r, s->positions, zeros, Cj, Cx);
        output_take(out, n);
        return n;
    }
    if (!scratch_hash(s, hash_slots(most)))
        return -1;
    const int64_t n =
        FN(append_row)(r, s->positions, most, s->columns, s->slot_sums);
    if (!FN(make_room)(out, n, true, &Cj, &Cx))
        return -1;
    memcpy(Cj, s->columns, (size_t)n * sizeof *Cj);
    if (HAS_VALUES)
        memcpy(Cx, s->slot_sums, (size_t)n * sizeof *Cx);
    output_take(out, n);
    return n;
}

/* A row of few products. */
static ALWAYS_INLINE int64_t FN(short_row)(const FN(row) * r,
                                           bool is_scaled,
                                           bool is_numeric,
                                           output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (!FN(make_room)(out, r->products, is_numeric, &Cj, &Cx))
        return -1;
    const int64_t n = is_scaled ? FN(scale_row)(r, is_numeric, Cj, Cx)
                                : FN(tiny_row)(r, is_numeric, Cj, Cx);
    if (is_numeric)
        output_take(out, n);
    return n;
}

/* A row of B, and little else. Where the chunk may be too short for its bound,
   its nnz is counted before room is made. */
static ALWAYS_INLINE int64_t FN(merged_row)(const FN(row) * r,
                                            bool is_numeric,
                                            output *out)
{
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (!is_numeric)
        return FN(merge_row)(r, false, NULL, NULL);
    const int64_t most = LIKELY(output_has_room(out, r->products))
                             ? r->products
                             : FN(merge_row)(r, false, NULL, NULL);
    if (!FN(make_room)(out, most, true, &Cj, &Cx))
        return -1;
    const int64_t n = FN(merge_row)(r, true, Cj, Cx);
    output_take(out, n);
    return n;
}

/* A row of columns far apart: room is made when their number is known. */
static ALWAYS_INLINE int64_t FN(wide_row)(
    const FN(row) * r, bool sort_row, scratch *s, bool is_numeric, output *out)
{
    int64_t slots;
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    const int64_t n = FN(hash_add)(s, r, is_numeric, &slots);
    if (n < 0 || !FN(make_room)(out, n, is_numeric, &Cj, &Cx))
        return -1;
    FN(hash_extract)(s, slots, n, is_numeric, sort_row, Cj, Cx);
    if (is_numeric)
        output_take(out, n);
    return n;
}

static NOINLINE bool FN(grow_block)(scratch *s, int64_t columns)
{
    if (!spgemm_scratch_grow_block(s, columns))
        return false;
    VAL *sums = s->block_sums;
    for (int64_t x = 0; x < BLOCK_ROWS * s->block_stride; x++)
        sums[x] = UNTOUCHED;
    return true;
}

/* A window, and those of the rows of a block. false: no memory. */
static ALWAYS_INLINE bool FN(make_block)(scratch *s, int64_t columns)
{
    return FN(make_window)(s, columns) &&
           (columns <= s->block_columns || FN(grow_block)(s, columns));
}

/* The row r, or `rows` rows of its columns; their nnz. -1: no memory. */
static ALWAYS_INLINE int64_t FN(block_rows)(const FN(row) * row,
                                            const operands *ops,
                                            int rows,
                                            scratch *s,
                                            bool is_numeric,
                                            output *out)
{
    FN(row) r = *row;
    r.first &= ~(int64_t)7;
    const int64_t columns = r.last - r.first + 1;
    int64_t n;
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (is_numeric && HAS_VALUES ? !FN(make_block)(s, columns)
                                 : !FN(make_window)(s, columns))
        return -1;
    if (!is_numeric) {
        FN(block_mark)(&r, ops, s);
        return block_wipe(s, columns);
    }
    if (HAS_VALUES)
        FN(block_sum)(&r, ops, rows, true, s);
    else
        FN(block_mark)(&r, ops, s);
    const int64_t words = FN(block_list)(s, columns, &n);
    if (!FN(make_room)(out, rows * n, true, &Cj, &Cx))
        return -1;
    const bool is_roomy = output_is_roomy(out, rows * n);
    for (int t = 0; t < rows; t++)
        FN(block_take)
    (s, words, t, r.first, is_roomy, Cj, FN(values_at)(Cx, t * n));
    for (int t = 1; t < rows; t++)
        memcpy(Cj + t * n, Cj, (size_t)n * sizeof *Cj);
    output_take(out, rows * n);
    return n;
}

/* Row i, at the columns that the mask has there. */
static NOINLINE int64_t FN(masked_row)(const FN(row) * r,
                                       const spgemm_csr *mask,
                                       int64_t i,
                                       scratch *s,
                                       bool is_numeric,
                                       output *out)
{
    FN(mask_row) m = FN(look_mask)(mask, i, r);
    IDX *Cj = NULL;
    VAL *Cx = NULL;
    if (m.count == 0)
        return 0;
    if (r->is_counted)
        s->rows_by_accumulator[SPGEMM_ACCUMULATOR_MASKED]++;
    if (!scratch_hash(s, hash_slots(2 * m.count)))
        return -1;
    FN(mask_begin)(&m, s, is_numeric);
    if (m.width > WIDEST_WINDOW)
        FN(mask_wide)(&m, r, s, is_numeric);
    else if (m.width <= s->position_columns ||
             spgemm_scratch_grow_positions(s, m.width))
        FN(mask_narrow)(&m, r, s->positions, is_numeric);
    else
        return -1;
    const int64_t n = FN(mask_extract)(&m, NULL, NULL);
    if (!is_numeric || n == 0)
        return n;
    if (!FN(make_room)(out, n, true, &Cj, &Cx))
        return -1;
    FN(mask_extract)(&m, Cj, Cx);
    output_take(out, n);
    return n;
}

/* nnz of a row that has products, or of each of `rows` rows of its columns,
   their entries to `out` when numeric; -1: no memory. */
static ALWAYS_INLINE int64_t FN(accumulate)(const FN(row) * r,
                                            const operands *ops,
                                            spgemm_accumulator chosen,
                                            int rows,
                                            scratch *s,
                                            bool is_numeric,
                                            output *out)
{
    const int64_t columns = r->last - r->first + 1;
    const bool is_scaled = r->length == 1 && r->b_is_sorted;
    const bool sort_row =
        ops->sort_rows ||
        (!r->is_clipped && is_short(r->products, ops->B->ncols));
    if (r->is_counted)
        s->rows_by_accumulator[chosen] += rows;
    switch (chosen) {
    case SPGEMM_ACCUMULATOR_TINY:
        return FN(short_row)(r, is_scaled, is_numeric, out);
    case SPGEMM_ACCUMULATOR_MERGE:
        return FN(merged_row)(r, is_numeric, out);
    case SPGEMM_ACCUMULATOR_BLOCK:
        return FN(block_rows)(r, ops, rows, s, is_numeric, out);
    case SPGEMM_ACCUMULATOR_SCATTER:
        if (r->b_is_sorted && is_sliced(r->products, r->length, columns))
            return FN(sliced_row)(r, s, is_numeric, out);
        if (is_numeric && !sort_row && is_wide(r->products, columns))
            return FN(unsorted_row)(r, s, out);
        return FN(window_row)(r, s, is_numeric, out);
    default:
        return FN(wide_row)(r, sort_row, s, is_numeric, out);
    }
}
