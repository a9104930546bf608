/* SPDX-License-Identifier: BSD-3-Clause */
#include "causes.h"

#include "build_csr.h"
#include "reference_ring.h"

#define INVALID     status_bit(SPGEMM_ERROR_INVALID)
#define SHAPE       status_bit(SPGEMM_ERROR_SHAPE)
#define OVERFLOW    status_bit(SPGEMM_ERROR_OVERFLOW)
#define UNSUPPORTED status_bit(SPGEMM_ERROR_UNSUPPORTED)
#define STRUCTURE   status_bit(SPGEMM_ERROR_STRUCTURE)

/* ---- A matrix ------------------------------------------------------------ */

static bool is_value_type(spgemm_value_type type)
{
    return (unsigned)type < SPGEMM_VALUE_TYPE_COUNT ||
           (type > SPGEMM_ELEMENTS(0) && type <= SPGEMM_ELEMENTS(4096));
}

static status_set causes_of_header(const spgemm_csr *X)
{
    const uint32_t flags =
        SPGEMM_SORTED_ROWS | SPGEMM_OWNS_ARRAYS | SPGEMM_OWNS_ROWPTR;
    status_set found = 0;
    if (!X)
        return INVALID;
    if (X->nrows < 0 || X->ncols < 0 || X->nnz < 0 ||
        (unsigned)X->index_type > SPGEMM_I64 || !is_value_type(X->value_type) ||
        (X->flags & ~flags) != 0 || !X->rowptr || (X->nnz > 0 && !X->colidx))
        found |= INVALID;
    if (X->nrows == INT64_MAX ||
        (X->index_type == SPGEMM_I32 && X->ncols > INT32_MAX))
        found |= OVERFLOW;
    return found;
}

static bool is_good_rowptr(const spgemm_csr *X)
{
    if (X->rowptr[0] != 0 || X->rowptr[X->nrows] != X->nnz)
        return false;
    for (int64_t i = 0; i < X->nrows; i++)
        if (X->rowptr[i + 1] < X->rowptr[i] || X->rowptr[i + 1] > X->nnz)
            return false;
    return true;
}

static bool are_good_columns(const spgemm_csr *X)
{
    for (int64_t p = 0; p < X->nnz; p++)
        if (column_of(X, p) < 0 || column_of(X, p) >= X->ncols)
            return false;
    for (int64_t i = 0; X->flags & SPGEMM_SORTED_ROWS && i < X->nrows; i++)
        for (int64_t p = X->rowptr[i] + 1; p < X->rowptr[i + 1]; p++)
            if (column_of(X, p) <= column_of(X, p - 1))
                return false;
    return true;
}

status_set causes_of_matrix(const spgemm_csr *X)
{
    const status_set found = causes_of_header(X);
    if (found)
        return found;
    return is_good_rowptr(X) && are_good_columns(X) ? 0 : STRUCTURE;
}

/* ---- A and B ------------------------------------------------------------- */

static bool is_turned(spgemm_operation op)
{
    return op != SPGEMM_OP_NONE;
}

static int64_t op_rows(const spgemm_csr *X, spgemm_operation op)
{
    return is_turned(op) ? X->ncols : X->nrows;
}

static int64_t op_cols(const spgemm_csr *X, spgemm_operation op)
{
    return is_turned(op) ? X->nrows : X->ncols;
}

int64_t product_nrows(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    return o->product.rows ? o->product.nrows : op_rows(x->A, o->product.op_a);
}

int64_t product_ncols(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    return o->product.cols ? o->product.ncols : op_cols(x->B, o->product.op_b);
}

bool product_has_values(const crossing *x)
{
    if (x->second)
        return product_has_values(x->second);
    const spgemm_semiring semiring = x->args->options.product.semiring;
    const bool lacks_a =
        ring_reads_first(semiring) && x->A->nnz > 0 && !x->A->values;
    const bool lacks_b =
        ring_reads_second(semiring) && x->B->nnz > 0 && !x->B->values;
    return !lacks_a && !lacks_b;
}

static bool has_half_the_values(const crossing *x)
{
    const spgemm_semiring semiring = x->args->options.product.semiring;
    const bool reads_a = ring_reads_first(semiring);
    const bool reads_b = ring_reads_second(semiring);
    const bool lacks_a = reads_a && x->A->nnz > 0 && !x->A->values;
    const bool lacks_b = reads_b && x->B->nnz > 0 && !x->B->values;
    return (lacks_a && reads_b && x->B->nnz > 0 && x->B->values) ||
           (lacks_b && reads_a && x->A->nnz > 0 && x->A->values);
}

/* An operand that is turned has as many columns as it had rows. */
static bool turns_too_wide(const spgemm_csr *X, spgemm_operation op)
{
    return is_turned(op) && X->index_type == SPGEMM_I32 && X->nrows > INT32_MAX;
}

static status_set causes_of_operands(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    status_set found = causes_of_matrix(x->A) | causes_of_matrix(x->B);
    if (!x->A || !x->B)
        return found;
    if (op_cols(x->A, o->product.op_a) != op_rows(x->B, o->product.op_b))
        found |= SHAPE;
    if (x->A->index_type != x->B->index_type ||
        x->A->value_type != x->B->value_type)
        found |= UNSUPPORTED;
    if (turns_too_wide(x->A, o->product.op_a) ||
        turns_too_wide(x->B, o->product.op_b))
        found |= OVERFLOW;
    return found;
}

static status_set causes_of_lists(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    const bool has_shapes = x->A && x->B;
    if ((o->product.rows ? o->product.nrows <= 0 : o->product.nrows != 0) ||
        (o->product.cols ? o->product.ncols <= 0 : o->product.ncols != 0))
        return INVALID;
    for (int64_t t = 0; has_shapes && o->product.rows && t < o->product.nrows;
         t++)
        if (o->product.rows[t] < 0 ||
            o->product.rows[t] >= op_rows(x->A, o->product.op_a))
            return INVALID;
    for (int64_t t = 0; has_shapes && o->product.cols && t < o->product.ncols;
         t++)
        if (o->product.cols[t] < 0 ||
            o->product.cols[t] >= op_cols(x->B, o->product.op_b) ||
            (t > 0 && o->product.cols[t] <= o->product.cols[t - 1]))
            return INVALID;
    return 0;
}

/* ---- Options ------------------------------------------------------------- */

static bool is_half(const spgemm_allocator *a)
{
    return a && (a->allocate || a->reallocate || a->release) &&
           !(a->allocate && a->release);
}

static bool is_out_bad(const spgemm_out *out)
{
    return out && (!out->rowptr || out->capacity < 0 ||
                   (out->capacity > 0 && !out->colidx));
}

static bool is_user_bad(const spgemm_options *o)
{
    const spgemm_user_semiring *user = o->product.user;
    return o->product.semiring == SPGEMM_USER &&
           !(user && user->zero && user->multiply && user->add);
}

static bool has_unknown_number(const spgemm_options *o)
{
    return (unsigned)o->predict.method >= SPGEMM_PREDICTOR_COUNT ||
           (unsigned)o->product.row_order > SPGEMM_ROWS_UNSORTED ||
           (unsigned)o->resources.input_check > SPGEMM_CHECK_NONE ||
           (unsigned)o->product.semiring >= SPGEMM_SEMIRING_COUNT ||
           (unsigned)o->product.op_a > SPGEMM_OP_CONJUGATE_TRANSPOSE ||
           (unsigned)o->product.op_b > SPGEMM_OP_CONJUGATE_TRANSPOSE ||
           o->filter.mask_mode > 3 ||
           (unsigned)o->filter.top_by > SPGEMM_TOP_VALUE ||
           o->filter.reserved[0] || o->filter.reserved[1] ||
           o->resources.reserved[0] || o->resources.reserved[1];
}

static bool is_outside(const spgemm_integer_range *range, int64_t value)
{
    return value != 0 &&
           (range->least == 0 || value < range->least || value > range->most);
}

static bool is_number_outside(const spgemm_number_range *range, double value)
{
    return value != 0 &&
           !(range->least > 0 && value >= range->least && value <= range->most);
}

/* What only a prediction reads. */
static bool is_prediction_bad(const spgemm_options *o)
{
    const spgemm_predictor_limits *limits =
        spgemm_predict_limits(o->predict.method);
    if (!limits)
        return true;
    const uint64_t size = (uint64_t)o->predict.size;
    return is_outside(&limits->size, o->predict.size) ||
           (limits->size_is_power_of_two && (size & (size - 1)) != 0) ||
           is_number_outside(&limits->probability, o->predict.probability) ||
           is_outside(&limits->budget, o->predict.budget) ||
           is_number_outside(&limits->error, o->predict.error) ||
           (o->predict.method == SPGEMM_PREDICTOR_CALLER &&
            !o->predict.row_nnz);
}

/* What only a product reads, the mask and D themselves aside. */
static bool is_form_bad(const spgemm_options *o)
{
    return !(o->filter.drop_tolerance >= 0) || o->filter.keep_top < 0 ||
           (o->filter.top_by != 0 && o->filter.keep_top == 0) ||
           (o->product.beta && !o->product.D) ||
           (o->filter.mask_mode != 0 && !o->filter.mask);
}

static bool has_drops(const spgemm_options *o)
{
    return o->filter.drop_zeros || o->filter.drop_tolerance > 0 ||
           o->filter.keep_top > 0;
}

/* ---- Mask and D ---------------------------------------------------------- */

static status_set causes_of_term(const crossing *x, const spgemm_csr *X)
{
    status_set found = causes_of_matrix(X);
    if (X->nrows != product_nrows(x) || X->ncols != product_ncols(x))
        found |= SHAPE;
    if (X->index_type != x->A->index_type)
        found |= UNSUPPORTED;
    return found;
}

/* Elements have no sum: a mask by their values has each column once. */
static bool has_unsummable(const spgemm_csr *mask)
{
    if (mask->value_type < SPGEMM_ELEMENTS_BASE)
        return false;
    for (int64_t i = 0; i < mask->nrows; i++)
        for (int64_t p = mask->rowptr[i]; p < mask->rowptr[i + 1]; p++)
            for (int64_t q = mask->rowptr[i]; q < p; q++)
                if (column_of(mask, p) == column_of(mask, q))
                    return true;
    return false;
}

static status_set causes_of_form(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    status_set found = 0;
    if (o->filter.mask) {
        found |= causes_of_term(x, o->filter.mask);
        if (o->filter.mask_mode & SPGEMM_MASK_VALUES &&
            o->filter.mask->nnz > 0 && !o->filter.mask->values)
            found |= INVALID;
        if (!found && o->filter.mask_mode & SPGEMM_MASK_VALUES &&
            has_unsummable(o->filter.mask))
            found |= UNSUPPORTED;
    }
    if (o->product.D) {
        found |= causes_of_term(x, o->product.D);
        if (o->product.D->value_type != x->A->value_type)
            found |= UNSUPPORTED;
        if (o->product.D->nnz > 0 && !o->product.D->values)
            found |= INVALID;
    }
    return found;
}

/* Of a semiring and the values that it reads. */
static status_set causes_of_values(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    const spgemm_out *out = o->resources.out;
    status_set found = 0;
    if (has_half_the_values(x))
        found |= UNSUPPORTED;
    else if (product_has_values(x) &&
             !ring_exists(o->product.semiring, x->A->value_type))
        found |= UNSUPPORTED;
    else if (product_has_values(x))
        found |= out && out->capacity > 0 && !out->values ? INVALID : 0;
    else if (o->product.alpha || o->product.D || has_drops(o))
        found |= INVALID;
    if (o->filter.top_by == SPGEMM_TOP_VALUE && product_has_values(x) &&
        is_complex(x->A->value_type))
        found |= UNSUPPORTED;
    return found;
}

/* Whether the operands are there, of types and by operators that are known. */
static bool are_readable(const crossing *x)
{
    return !(causes_of_header(x->A) | causes_of_header(x->B)) &&
           !has_unknown_number(&x->args->options);
}

/* ---- All of it ----------------------------------------------------------- */

static bool has_unused(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    const spgemm_predict_options *p = &o->predict;
    const spgemm_resource_options *r = &x->args->options.resources;
    switch (x->entry) {
    case ENTRY_PRECISE:
    case ENTRY_UPPER_BOUND:
        return p->method || p->size || p->probability != 0 || p->budget ||
               p->error != 0 || p->seed || p->slack != 0 || p->row_nnz;
    case ENTRY_RAP:
        return p->method || p->size || p->probability != 0 || p->budget ||
               p->error != 0 || p->row_nnz;
    case ENTRY_PREDICT:
        return p->slack != 0 || r->context || r->out || o->product.beta ||
               o->product.D;
    case ENTRY_STREAM:
        return r->out;
    default:
        return false;
    }
}

static status_set causes_of_entry(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    const bool has_c = x->entry <= ENTRY_PLAN;
    status_set found = 0;
    if (has_c && ((x->wrong_output == 2 && x->A == &x->args->A) ||
                  (x->wrong_output == 3 && x->B == &x->args->B)))
        found |= INVALID;
    if (has_unused(x))
        found |= INVALID;
    if (has_drops(o) && o->product.semiring == SPGEMM_USER)
        found |= UNSUPPORTED;
    if (x->entry == ENTRY_PLAN &&
        (o->filter.drop_zeros || o->filter.drop_tolerance != 0 ||
         o->filter.keep_top != 0 || o->filter.mask_mode & SPGEMM_MASK_VALUES))
        found |= UNSUPPORTED;
    return found;
}

causes causes_of(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    const bool predicts = x->entry == ENTRY_PREDICT;
    const bool is_predicted =
        x->entry != ENTRY_PRECISE && x->entry != ENTRY_UPPER_BOUND;
    causes found = {0};
    if (x->wrong_output == 1)
        found.must |= INVALID;
    if (has_unknown_number(o) || is_half(o->resources.allocator) ||
        o->resources.nthreads < 0)
        found.must |= INVALID;
    *(is_predicted ? &found.must : &found.may) |=
        is_prediction_bad(o) ||
                !(o->predict.slack == 0 || o->predict.slack >= 1)
            ? INVALID
            : 0;
    found.must |= causes_of_operands(x) | causes_of_lists(x);
    status_set form = causes_of_entry(x);
    if (is_form_bad(o) || is_user_bad(o) || is_out_bad(o->resources.out))
        form |= INVALID;
    /* Where two are to blame, either is. */
    if (are_readable(x))
        *((found.must | form) & INVALID ? &found.may : &form) |=
            causes_of_values(x) | causes_of_form(x);
    if (are_readable(x) && out_is_shared(x))
        *(found.must ? &found.may : &form) |= INVALID;
    *(predicts ? &found.may : &found.must) |= form;
    /* Whether patterns may be multiplied by an operator that their type lacks
       is not said. */
    if (are_readable(x) && !product_has_values(x) &&
        !ring_exists(o->product.semiring, x->A->value_type))
        found.may |= UNSUPPORTED;
    if (predicts && (o->product.alpha || o->product.D || has_drops(o)))
        found.may |= INVALID | UNSUPPORTED;
    return found;
}
