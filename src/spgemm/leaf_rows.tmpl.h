/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose kernels are written for one instruction set, and work in registers.
   Elsewhere none fits.

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
