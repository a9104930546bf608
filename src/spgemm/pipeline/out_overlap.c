/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays that C goes into are nobody else's: of two intervals of addresses,
   [x, x + m) and [y, y + n), neither begins within the other. */
#include "spgemm/pipeline/out_overlap.h"

#include "common/checked.h"
#include "common/refusal.h"
#include "matrix/csr.h"

typedef struct interval {
    const char *owner;
    const char *name;
    const void *begin;
    int64_t count;
    size_t size;
} interval;

enum { MOST_INTERVALS = 17 };

typedef struct intervals {
    int count;
    interval of[MOST_INTERVALS];
} intervals;

static void append(intervals *all, const char *owner, const char *name,
                   const void *begin, int64_t n, size_t s)
{
    if (begin && n > 0 && s > 0)
        all->of[all->count++] = (interval){owner, name, begin, n, s};
}

static bool overlap(const interval *x, const interval *y)
{
    const uintptr_t x_begin = (uintptr_t)x->begin;
    const uintptr_t y_begin = (uintptr_t)y->begin;
    return x_begin < y_begin ? (y_begin - x_begin) / x->size < (size_t)x->count
                             : (x_begin - y_begin) / y->size < (size_t)y->count;
}

/* The arrays of a matrix, by the name of that and as its members. */
static const char *const operand_arrays[] = {".rowptr", ".colidx", ".values"};
static const char *const option_arrays[] = {"->rowptr", "->colidx", "->values"};

static void append_matrix(intervals *all, const char *owner,
                          const char *const *of, const spgemm_csr *X)
{
    if (!X || spgemm_value_bytes(X->value_type) == 0)
        return;
    append(all, owner, of[0], X->rowptr, saturating_add_i64(X->nrows, 1),
           sizeof *X->rowptr);
    append(all, owner, of[1], X->colidx, X->nnz,
           spgemm_index_size(X->index_type));
    append(all, owner, of[2], X->values, X->nnz,
           spgemm_value_bytes(X->value_type));
}

/* Each from `first` on against all before it. */
static spgemm_status check_from(const intervals *all, int first)
{
    for (int x = first; x < all->count; x++)
        for (int y = 0; y < x; y++)
            if (overlap(&all->of[x], &all->of[y]))
                return spgemm_refuse(SPGEMM_ERROR_INVALID, "%s%s overlaps %s%s",
                                     all->of[x].owner, all->of[x].name,
                                     all->of[y].owner, all->of[y].name);
    return SPGEMM_SUCCESS;
}

/* What a product reads. */
static void append_operands(intervals *all, const spgemm_options *options,
                            const spgemm_csr *A, const spgemm_csr *B,
                            const operand_names *names)
{
    append_matrix(all, name_of_left(names), operand_arrays, A);
    append_matrix(all, name_of_right(names), operand_arrays, B);
    append_matrix(all, "options.product.D", option_arrays, options->product.D);
    append_matrix(all, "options.filter.mask", option_arrays,
                  options->filter.mask);
    append(all, "options.product.rows", "", options->product.rows,
           options->product.nrows, sizeof *options->product.rows);
    append(all, "options.product.cols", "", options->product.cols,
           options->product.ncols, sizeof *options->product.cols);
}

spgemm_status spgemm_values_check_overlap(const spgemm_options *options,
                                          const spgemm_csr *A,
                                          const spgemm_csr *B,
                                          const operand_names *names,
                                          const spgemm_csr *C)
{
    intervals all = {0};
    append_operands(&all, options, A, B, names);
    append(&all, "C.rowptr", "", C->rowptr, saturating_add_i64(C->nrows, 1),
           sizeof *C->rowptr);
    append(&all, "C.colidx", "", C->colidx, C->nnz,
           spgemm_index_size(C->index_type));
    const int first = all.count;
    append(&all, "C.values", "", C->values, C->nnz,
           spgemm_value_bytes(C->value_type));
    return check_from(&all, first);
}

spgemm_status spgemm_out_check_overlap(const spgemm_options *options,
                                       const spgemm_csr *A, const spgemm_csr *B,
                                       const operand_names *names,
                                       int64_t nrows)
{
    const spgemm_out *out = options->resources.out;
    intervals all = {0};
    if (!out)
        return SPGEMM_SUCCESS;
    append_operands(&all, options, A, B, names);
    const int first = all.count;
    append(&all, "options.resources.out->rowptr", "", out->rowptr,
           saturating_add_i64(nrows, 1), sizeof *out->rowptr);
    append(&all, "options.resources.out->colidx", "", out->colidx,
           out->capacity, spgemm_index_size(A->index_type));
    append(&all, "options.resources.out->values", "", out->values,
           out->capacity, spgemm_value_bytes(A->value_type));
    return check_from(&all, first);
}
