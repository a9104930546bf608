/* SPDX-License-Identifier: BSD-3-Clause */
/* C = alpha A B + beta D, masked, and less what is dropped. */
#include "spgemm/form.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "common/checked.h"
#include "common/try.h"
#include "matrix/csr.h"

static bool has_drops(const spgemm_options *options)
{
    return options->drop_zeros || options->drop_tolerance > 0 ||
           options->keep_top > 0;
}

bool spgemm_form_is_valid(const spgemm_options *options)
{
    return options->drop_tolerance >= 0 && options->keep_top >= 0 &&
           (options->beta == NULL || options->D != NULL) &&
           options->mask_mode <=
               (SPGEMM_MASK_VALUES | SPGEMM_MASK_COMPLEMENT) &&
           (options->mask_mode == 0 || options->mask != NULL);
}

/* Whether value p of a matrix is zero. */
static bool is_zero(const spgemm_csr *X, int64_t p)
{
    switch ((int)X->value_type) {
    case SPGEMM_FP64:
        return ((const double *)X->values)[p] == 0;
    case SPGEMM_FP32:
        return ((const float *)X->values)[p] == 0;
    case SPGEMM_CFP64:
        return ((const double _Complex *)X->values)[p] == 0;
    case SPGEMM_CFP32:
        return ((const float _Complex *)X->values)[p] == 0;
    default: {
        const size_t size = spgemm_value_size(X->value_type);
        const char *bytes = (const char *)X->values + (size_t)p * size;
        size_t set = 0;
        for (size_t t = 0; t < size; t++)
            set |= (unsigned char)bytes[t];
        return set == 0;
    }
    }
}

/* A copy of X's entries, or of those that are not zero, its rows in order. The
   values of a mask are not copied. */
static spgemm_status copy_in_order(spgemm_csr *copy,
                                   const spgemm_csr *X,
                                   bool is_mask,
                                   bool by_value,
                                   int nthreads,
                                   memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const size_t index_size = spgemm_index_size(X->index_type);
    const size_t value_size = is_mask ? 0 : spgemm_value_size(X->value_type);
    spgemm_csr made = {.nrows = X->nrows,
                       .ncols = X->ncols,
                       .index_type = X->index_type,
                       .value_type = X->value_type};
    SPGEMM_TRY(spgemm_csr_allocate(&made, m, X->nnz, !is_mask));
    int64_t n = 0;
    for (int64_t i = 0; i < X->nrows; i++) {
        for (int64_t p = X->rowptr[i]; p < X->rowptr[i + 1]; p++) {
            if (by_value && is_zero(X, p))
                continue;
            memcpy((char *)made.colidx + (size_t)n * index_size,
                   (const char *)X->colidx + (size_t)p * index_size,
                   index_size);
            if (value_size > 0)
                memcpy((char *)made.values + (size_t)n * value_size,
                       (const char *)X->values + (size_t)p * value_size,
                       value_size);
            n++;
        }
        made.rowptr[i + 1] = n;
    }
    SPGEMM_TRY(spgemm_csr_resize(&made, m, n));
    SPGEMM_TRY(spgemm_csr_sort_rows_of(&made, nthreads, m));
    *copy = made;
    return SPGEMM_SUCCESS;

cleanup:
    spgemm_csr_release(&made, m);
    return status;
}

/* One operand of the form: as C, well formed; *is_ready if its rows are in
   order as they are. */
static spgemm_status check(const spgemm_csr *X,
                           const char *name,
                           const operands *ops,
                           const spgemm_options *options,
                           bool *is_ready,
                           spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_fault found = {.operand = name};
    *is_ready = X->flags & SPGEMM_SORTED_ROWS;
    SPGEMM_TRY(spgemm_csr_check_header(X));
    SPGEMM_REQUIRE(spgemm_csr_has_structure(X), SPGEMM_ERROR_INVALID);
    SPGEMM_REQUIRE(X->nrows == ops->A->nrows && X->ncols == ops->B->ncols,
                   SPGEMM_ERROR_SHAPE);
    SPGEMM_REQUIRE(X->index_type == ops->A->index_type,
                   SPGEMM_ERROR_UNSUPPORTED);
    if (options->input_check == SPGEMM_CHECK_FULL)
        SPGEMM_TRY(spgemm_csr_check_full(X, options->nthreads, NULL, is_ready,
                                         &found));

cleanup:
    if (status == SPGEMM_ERROR_STRUCTURE)
        *fault = found;
    return status;
}

static spgemm_status prepare_mask(prepared_form *p,
                                  operands *ops,
                                  const spgemm_options *options,
                                  memory *m,
                                  spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *mask = options->mask;
    const bool by_value =
        (options->mask_mode & SPGEMM_MASK_VALUES) && mask->nnz > 0;
    bool is_ready;
    SPGEMM_TRY(check(mask, "mask", ops, options, &is_ready, fault));
    SPGEMM_REQUIRE(!by_value || mask->values, SPGEMM_ERROR_INVALID);
    if (!is_ready || by_value) {
        SPGEMM_TRY(copy_in_order(&p->mask, mask, true, by_value,
                                 options->nthreads, m));
        mask = &p->mask;
    }
    p->finish.is_complement = options->mask_mode & SPGEMM_MASK_COMPLEMENT;
    if (!p->finish.is_complement)
        ops->mask = mask;
    if (p->finish.is_complement || options->D)
        p->finish.mask = mask;

cleanup:
    return status;
}

static spgemm_status prepare_d(prepared_form *p,
                               const operands *ops,
                               const spgemm_options *options,
                               memory *m,
                               spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *D = options->D;
    bool is_ready;
    SPGEMM_TRY(check(D, "D", ops, options, &is_ready, fault));
    SPGEMM_REQUIRE(D->value_type == ops->A->value_type,
                   SPGEMM_ERROR_UNSUPPORTED);
    SPGEMM_REQUIRE(D->values || D->nnz == 0, SPGEMM_ERROR_INVALID);
    if (!is_ready) {
        SPGEMM_TRY(copy_in_order(&p->D, D, false, false, options->nthreads, m));
        D = &p->D;
    }
    p->finish.D = D;

cleanup:
    return status;
}

static bool needs_values(const spgemm_options *options)
{
    return options->alpha || options->D || has_drops(options);
}

spgemm_status spgemm_form_prepare(prepared_form *p,
                                  operands *ops,
                                  const spgemm_options *options,
                                  memory *m,
                                  spgemm_fault *fault)
{
    spgemm_status status = SPGEMM_SUCCESS;
    p->finish = (form){.alpha = options->alpha,
                       .beta = options->beta,
                       .drop_zeros = options->drop_zeros,
                       .drop_tolerance = options->drop_tolerance,
                       .keep_top = options->keep_top};
    SPGEMM_REQUIRE(ops->value_size > 0 || !needs_values(options),
                   SPGEMM_ERROR_INVALID);
    SPGEMM_REQUIRE(options->semiring != SPGEMM_USER || !has_drops(options),
                   SPGEMM_ERROR_UNSUPPORTED);
    if (options->mask)
        SPGEMM_TRY(prepare_mask(p, ops, options, m, fault));
    if (options->D)
        SPGEMM_TRY(prepare_d(p, ops, options, m, fault));
    if (p->finish.mask || needs_values(options)) {
        ops->finish = &p->finish;
        ops->sort_rows = true;
    }
    if (ops->mask) {
        ops->a_next = NULL;
        ops->b_next = NULL;
    }

cleanup:
    return status;
}

void spgemm_form_clear(prepared_form *p, memory *m)
{
    spgemm_csr_release(&p->mask, m);
    spgemm_csr_release(&p->D, m);
}

int64_t spgemm_form_bound(const operands *ops)
{
    int64_t bound = 0;
    for (int64_t i = 0; i < ops->A->nrows; i++)
        bound = saturating_add_i64(bound, operands_row_bound(ops, i));
    return bound;
}
