/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose kernels are written for one instruction set: in registers, and by
   repetition. Elsewhere none fits.

   Parameters: VAL, IDX, FN. */
#if !defined(VAL) || !defined(IDX) || !defined(FN)
#error "leaf_rows.tmpl.h: define VAL, IDX and FN first"
#endif

#if defined(LEAVES_AVX512)
#include "accumulate/repeat_avx512.h"
#include "accumulate/tiny_avx512.h"
#define MARK_NEXT FN(mark_next)
#else
#define MARK_NEXT NULL
#endif

/* Whether a row of so many products can be sorted in registers. */
static ALWAYS_INLINE bool FN(fits_registers)(const operands *ops,
                                             int64_t products)
{
#if defined(LEAVES_AVX512)
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
#if defined(LEAVES_AVX512)
    const spgemm_csr *A = ops->A;
    const spgemm_csr *B = ops->B;
    const int64_t begin = A->rowptr[i];
    const int64_t end = A->rowptr[i + 1];
    const tiny_operands r = {
        .Aj = (const int32_t *)A->colidx + begin,
        .Ax = out ? (const double *)A->values + begin : NULL,
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
        Cx = (double *)out->values + out->used;
        room = out->limit - out->used;
    }
    int64_t n;
    if (products <= 16)
        n = tiny_vectors(&r, 1, room, Cj, Cx);
    else if (products <= 32)
        n = tiny_vectors(&r, 2, room, Cj, Cx);
    else if (products <= 48)
        n = tiny_vectors(&r, 3, room, Cj, Cx);
    else
        n = tiny_vectors(&r, 4, room, Cj, Cx);
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

#if defined(LEAVES_AVX512)
static void
FN(mark_next)(const spgemm_csr *X, int64_t begin, int64_t end, uint8_t *next)
{
    repeat_mark(X->rowptr, X->colidx, begin, end, next);
}
#endif

/* Rows behind row i, up to `end`, that repeat it: computed, their nnz written.
   Returns their number. Row i is the last that went to `out`. */
static ALWAYS_INLINE int64_t FN(repeat_rows)(const operands *ops,
                                             int64_t i,
                                             int64_t end,
                                             scratch *s,
                                             output *out,
                                             int64_t *nnz)
{
#if defined(LEAVES_AVX512)
    const spgemm_csr *A = ops->A;
    const int64_t begin = A->rowptr[i];
    const repeat_row r = {
        .Aj = (const int32_t *)A->colidx + begin,
        .length = A->rowptr[i + 1] - begin,
        .Bp = ops->B->rowptr,
        .Bj = ops->B->colidx,
        .Cj = (const int32_t *)out->colidx + out->used - *nnz,
        .nnz = *nnz,
    };
    /* The last octet of the last row is written whole. */
    const int64_t room = min_i64(out->capacity, out->limit) - out->used - 16;
    if (s->never_repeats || *nnz == 0 || *nnz > REPEAT_NNZ || room < *nnz ||
        *nnz > out->used)
        return 0;
    int64_t rows = min_i64(end - i - 1, room / *nnz);
    rows = repeat_ones(ops->a_next + i + 1, rows);
    for (int64_t t = 0; t < r.length && rows >= LEAST_REPEATS; t++)
        rows = repeat_ones(ops->b_next + r.Aj[t] + 1, rows);
    if (rows < LEAST_REPEATS || !spgemm_scratch_make_program(s))
        return 0;
    if (!repeat_write(s->program, &r)) {
        s->never_repeats = true;
        return 0;
    }
    memcpy(s->program->columns, r.Cj, (size_t)*nnz * sizeof *r.Cj);
    repeat_run(s->program, &r, rows,
               (const double *)A->values + A->rowptr[i + 1], ops->B->values,
               (int32_t *)out->colidx + out->used,
               (double *)out->values + out->used);
    for (int64_t row = 1; row <= rows; row++)
        nnz[row] = *nnz;
    output_take(out, rows * *nnz);
    s->rows_by_accumulator[SPGEMM_ACCUMULATOR_REPEAT] += rows;
    return rows;
#else
    (void)ops;
    (void)i;
    (void)end;
    (void)s;
    (void)out;
    (void)nnz;
    return 0;
#endif
}
