/* SPDX-License-Identifier: BSD-3-Clause */
/* C = alpha A B + beta D, masked, and less what is dropped. */
#include "spgemm/pipeline/epilogue.h"

#include <complex.h>
#include <inttypes.h>
#include <string.h>

#include "common/checked.h"
#include "common/refusal.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "matrix/csr_from_coo.h"
#include "matrix/csr_narrow.h"
#include "spgemm/pipeline/check_options.h"
#include "values/traits.h"

/* Whether value p of a matrix is zero; of a type that only the caller knows,
   all its bytes. */
static bool is_zero(const spgemm_csr *X, int64_t p)
{
    const value_traits *type = spgemm_value_traits(X->value_type);
    if (type)
        return type->is_zero(X->values, p);
    const size_t size = spgemm_value_size(X->value_type);
    const char *bytes = (const char *)X->values + (size_t)p * size;
    size_t set = 0;
    for (size_t t = 0; t < size; t++)
        set |= (unsigned char)bytes[t];
    return set == 0;
}

/* A copy of X; without values, if these are not wanted. */
static spgemm_status copy(spgemm_csr *made, const spgemm_csr *X,
                          bool has_values, memory *m)
{
    const size_t index_size = spgemm_index_size(X->index_type);
    const size_t value_size = spgemm_value_size(X->value_type);
    *made = (spgemm_csr){.nrows = X->nrows,
                         .ncols = X->ncols,
                         .index_type = X->index_type,
                         .value_type = X->value_type};
    const spgemm_status status =
        spgemm_csr_allocate(made, m, X->nnz, has_values);
    if (status < 0)
        return status;
    memcpy(made->rowptr, X->rowptr,
           ((size_t)X->nrows + 1) * sizeof *made->rowptr);
    if (X->nnz > 0)
        memcpy(made->colidx, X->colidx, (size_t)X->nnz * index_size);
    if (X->nnz > 0 && has_values)
        memcpy(made->values, X->values, (size_t)X->nnz * value_size);
    return SPGEMM_SUCCESS;
}

/* Leaves out the entries that are zero, rows moving together. */
static spgemm_status drop_zeros(spgemm_csr *X, memory *m)
{
    const size_t index_size = spgemm_index_size(X->index_type);
    char *colidx = X->colidx;
    int64_t n = 0;
    int64_t p = 0;
    for (int64_t i = 0; i < X->nrows; i++) {
        for (; p < X->rowptr[i + 1]; p++)
            if (!is_zero(X, p)) {
                memmove(colidx + (size_t)n * index_size,
                        colidx + (size_t)p * index_size, index_size);
                n++;
            }
        X->rowptr[i + 1] = n;
    }
    return spgemm_csr_resize(X, m, n);
}

/* A mask as kernels use it: every column once, those that are zero left out
   where its values count. Duplicates are one entry, or their sum. */
static spgemm_status copy_mask(spgemm_csr *made, const spgemm_csr *mask,
                               bool by_value, int nthreads, memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(copy(made, mask, by_value, m));
    SPGEMM_TRY(spgemm_csr_sum_duplicates(made, m, nthreads));
    if (by_value)
        SPGEMM_TRY(drop_zeros(made, m));

cleanup:
    return status;
}

static spgemm_status check_shape(const spgemm_csr *X, const char *option,
                                 const operands *ops)
{
    const int64_t nrows = ops->A->nrows;
    const int64_t ncols = ops->B->ncols;
    if (X->nrows == nrows && X->ncols == ncols)
        return SPGEMM_SUCCESS;
    return spgemm_refuse(SPGEMM_ERROR_SHAPE,
                         "options.%s is %" PRId64 " x %" PRId64
                         ", and C is %" PRId64 " x %" PRId64,
                         option, X->nrows, X->ncols, nrows, ncols);
}

/* One operand of the epilogue: as C, well formed; *is_ready if its rows are in
   order as they are. checked: NULL, or what is known to be well formed. */
static spgemm_status check(const spgemm_csr *X, const char *name,
                           const char *option, const operands *ops,
                           const spgemm_csr *checked,
                           const spgemm_options *options, bool *is_ready,
                           spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_fault found = {.operand = name};
    *is_ready = X->flags & SPGEMM_SORTED_ROWS;
    SPGEMM_TRY(spgemm_csr_check_header(X, name));
    SPGEMM_TRY(spgemm_csr_check_structure(X, name));
    SPGEMM_TRY(check_shape(X, option, ops));
    SPGEMM_REQUIRE(X->index_type == ops->index_type,
                   spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                                 "options.%s->index_type is %s, and that of A "
                                 "is %s",
                                 option, spgemm_index_type_name(X->index_type),
                                 spgemm_index_type_name(ops->index_type)));
    if (checked && csr_share_pattern(X, checked))
        *is_ready |= (checked->flags & SPGEMM_SORTED_ROWS) != 0;
    else if (options->resources.input_check == SPGEMM_CHECK_FULL)
        SPGEMM_TRY(spgemm_csr_check_full(X, options->resources.nthreads, NULL,
                                         is_ready, &found));

cleanup:
    if (status == SPGEMM_ERROR_STRUCTURE)
        *fault = found;
    return status;
}

/* *X with columns as A has them, which are narrower than C's or the same. */
static spgemm_status narrow(spgemm_csr *made, const spgemm_csr **X,
                            const operands *ops, int nthreads, memory *m)
{
    if (ops->A->index_type == ops->index_type)
        return SPGEMM_SUCCESS;
    const spgemm_status status = spgemm_csr_narrow(made, *X, nthreads, m);
    if (status == SPGEMM_SUCCESS)
        *X = made;
    return status;
}

static spgemm_status refuse_values(const char *name)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID, "options.%s->values is NULL",
                         name);
}

static spgemm_status prepare_mask(epilogue_copies *p, operands *ops,
                                  const spgemm_csr *checked,
                                  const spgemm_options *options, memory *m,
                                  spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *mask = options->filter.mask;
    bool is_ready;
    SPGEMM_TRY(check(mask, "mask", "filter.mask", ops, checked, options,
                     &is_ready, fault));
    const bool by_value =
        (options->filter.mask_mode & SPGEMM_MASK_VALUES) && mask->nnz > 0;
    SPGEMM_REQUIRE(!by_value || mask->values, refuse_values("filter.mask"));
    SPGEMM_TRY(
        narrow(&p->narrow_mask, &mask, ops, options->resources.nthreads, m));
    if (!is_ready || by_value) {
        SPGEMM_TRY(copy_mask(&p->mask, mask, by_value,
                             options->resources.nthreads, m));
        mask = &p->mask;
    }
    p->applied.is_complement =
        options->filter.mask_mode & SPGEMM_MASK_COMPLEMENT;
    if (p->applied.is_complement)
        p->applied.mask = mask;
    else
        ops->mask = mask;

cleanup:
    return status;
}

static spgemm_status prepare_d(epilogue_copies *p, const operands *ops,
                               const spgemm_csr *checked,
                               const spgemm_options *options, memory *m,
                               spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *D = options->product.D;
    bool is_ready;
    SPGEMM_TRY(
        check(D, "D", "product.D", ops, checked, options, &is_ready, fault));
    SPGEMM_REQUIRE(
        D->value_type == ops->A->value_type,
        spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                      "options.product.D->value_type is another than "
                      "A.value_type"));
    SPGEMM_REQUIRE(D->values || D->nnz == 0, refuse_values("product.D"));
    SPGEMM_TRY(narrow(&p->narrow_D, &D, ops, options->resources.nthreads, m));
    if (!is_ready) {
        SPGEMM_TRY(copy(&p->D, D, true, m));
        SPGEMM_TRY(
            spgemm_csr_sort_rows_of(&p->D, options->resources.nthreads, m));
        D = &p->D;
    }
    p->applied.D = D;

cleanup:
    return status;
}

static bool has_order(spgemm_value_type which)
{
    const value_traits *type = spgemm_value_traits(which);
    return type && type->field != FIELD_COMPLEX;
}

void spgemm_epilogue_apply(epilogue_copies *p, operands *ops,
                           const spgemm_options *options)
{
    if (ops->mask)
        p->applied.mask =
            ops->b_bitmaps || options->product.D ? ops->mask : NULL;
    ops->epilogue = NULL;
    if (p->applied.mask || spgemm_options_read_values(options)) {
        ops->epilogue = &p->applied;
        ops->sort_rows |=
            p->applied.mask || p->applied.D || p->applied.keep_top > 0;
    }
    if (ops->mask) {
        ops->sort_rows = true;
        ops->a_shifted = NULL;
        ops->b_shifted = NULL;
    }
}

spgemm_status spgemm_epilogue_make(epilogue_copies *p, operands *ops,
                                   const spgemm_csr *checked,
                                   const spgemm_options *options, memory *m,
                                   spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    p->applied = (epilogue){.alpha = options->product.alpha,
                            .beta = options->product.beta,
                            .drop_zeros = options->filter.drop_zeros,
                            .drop_tolerance = options->filter.drop_tolerance,
                            .keep_top = options->filter.keep_top,
                            .top_by = options->filter.top_by};
    SPGEMM_REQUIRE(ops->value_size > 0 || !spgemm_options_read_values(options),
                   spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "options.%s is given, but A and B have no "
                                 "values",
                                 options->product.alpha ? "product.alpha"
                                 : options->product.D
                                     ? "product.D"
                                     : "filter.drop_zeros, drop_tolerance "
                                       "or keep_top"));
    SPGEMM_REQUIRE(options->filter.top_by != SPGEMM_TOP_VALUE ||
                       has_order(ops->A->value_type),
                   spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                                 "options.filter.top_by is SPGEMM_TOP_VALUE, "
                                 "and complex values have no order"));
    if (options->filter.mask)
        SPGEMM_TRY(prepare_mask(p, ops, checked, options, m, fault));
    if (options->product.D)
        SPGEMM_TRY(prepare_d(p, ops, checked, options, m, fault));
    spgemm_epilogue_apply(p, ops, options);

cleanup:
    return status;
}

void spgemm_epilogue_clear(epilogue_copies *p, memory *m)
{
    spgemm_csr_release(&p->mask, m);
    spgemm_csr_release(&p->D, m);
    spgemm_csr_narrow_clear(&p->narrow_mask, m);
    spgemm_csr_narrow_clear(&p->narrow_D, m);
}
