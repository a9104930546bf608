/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(A*B*C), and the products of (A*B)*C and of A*(B*C), without a product. */
#include "spgemm/chain.h"

#include <inttypes.h>
#include <math.h>

#include "common/caller_mode.h"
#include "common/checked.h"
#include "common/refusal.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "spgemm/chain_steps.h"
#include "spgemm/pipeline/check_options.h"
#include "spgemm/predict.h"

/* Products that are counted, where the caller does not say. */
#define BUDGET_SHARE 0.01
#define LEAST_BUDGET 2e6

/* ---- Checks ---------------------------------------------------------------- */

static const entry_point self = {.name = "spgemm_predict_chain",
                                 .predicts = true};

/* What a prediction of one product would use, and that of two does not. */
static spgemm_status check_unused(const spgemm_options *o)
{
    const struct {
        const char *name;
        bool is_given;
    } all[] = {
        {"product.semiring", o->product.semiring != 0},
        {"product.alpha", o->product.alpha != NULL},
        {"product.op_a", o->product.op_a != SPGEMM_OP_NONE},
        {"product.op_b", o->product.op_b != SPGEMM_OP_NONE},
        {"product.rows", o->product.rows != NULL},
        {"product.cols", o->product.cols != NULL},
        {"product.row_order", o->product.row_order != SPGEMM_ROWS_SORTED},
        {"filter.mask", o->filter.mask != NULL},
        {"filter.drop_zeros", o->filter.drop_zeros},
        {"filter.drop_tolerance", o->filter.drop_tolerance != 0},
        {"filter.keep_top", o->filter.keep_top != 0},
        {"predict.method", o->predict.method != SPGEMM_PREDICTOR_AUTO},
        {"predict.error", o->predict.error != 0},
        {"predict.row_nnz", o->predict.row_nnz != NULL},
        {"resources.memory_limit_bytes", o->resources.memory_limit_bytes != 0},
        {"resources.progress", o->resources.progress != NULL},
    };
    for (size_t t = 0; t < sizeof all / sizeof *all; t++)
        if (all[t].is_given)
            return spgemm_refuse(
                SPGEMM_ERROR_INVALID,
                "options.%s is given, and %s() does not use it", all[t].name,
                self.name);
    return SPGEMM_SUCCESS;
}

/* The pattern of an operand that is in order. */
static spgemm_status take_operand(chain *c, spgemm_csr *to, const spgemm_csr *X,
                                  const char *name)
{
    const spgemm_resource_options *r = &c->options.resources;
    spgemm_status status = SPGEMM_SUCCESS;
    bool is_sorted = X && (X->flags & SPGEMM_SORTED_ROWS);
    spgemm_fault fault = {.operand = name};
    SPGEMM_TRY(spgemm_csr_check_header(X, name));
    SPGEMM_TRY(spgemm_csr_check_structure(X, name));
    if (r->input_check == SPGEMM_CHECK_FULL) {
        status =
            spgemm_csr_check_full(X, r->nthreads, NULL, &is_sorted, &fault);
        if (status == SPGEMM_ERROR_STRUCTURE)
            c->found.fault = fault;
        SPGEMM_TRY(status);
    }
    *to = *X;
    to->values = NULL;
    to->value_type = SPGEMM_FP64;
    to->flags = is_sorted ? SPGEMM_SORTED_ROWS : 0u;

cleanup:
    return status;
}

static spgemm_status check_pair(const spgemm_csr *X, const char *x,
                                const spgemm_csr *Y, const char *y)
{
    if (X->ncols != Y->nrows)
        return spgemm_refuse(SPGEMM_ERROR_SHAPE,
                             "%s has %" PRId64 " columns, and %s has %" PRId64
                             " rows",
                             x, X->ncols, y, Y->nrows);
    if (X->index_type != Y->index_type)
        return spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                             "%s.index_type is %s, and %s.index_type is %s", x,
                             spgemm_index_type_name(X->index_type), y,
                             spgemm_index_type_name(Y->index_type));
    return SPGEMM_SUCCESS;
}

static spgemm_status begin(chain *c, const spgemm_csr *A, const spgemm_csr *B,
                           const spgemm_csr *C, const spgemm_options *options)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_options none = {0};
    const spgemm_options *o = options ? options : &none;
    SPGEMM_TRY(spgemm_options_check(o, &self));
    SPGEMM_TRY(check_unused(o));
    c->options.predict.seed = o->predict.seed;
    c->options.resources.nthreads = o->resources.nthreads;
    c->options.resources.allocator = o->resources.allocator;
    c->options.resources.input_check = o->resources.input_check;
    spgemm_memory_init(&c->m, o->resources.allocator);
    SPGEMM_TRY(take_operand(c, &c->A, A, "A"));
    SPGEMM_TRY(take_operand(c, &c->B, B, "B"));
    SPGEMM_TRY(take_operand(c, &c->C, C, "C"));
    SPGEMM_TRY(check_pair(&c->A, "A", &c->B, "B"));
    SPGEMM_TRY(check_pair(&c->B, "B", &c->C, "C"));
    c->options.resources.input_check = SPGEMM_CHECK_NONE;
    c->budget = (double)o->predict.budget / 2;
    c->first_budget = (o->predict.budget + 1) / 2;

cleanup:
    return status;
}

/* ---- Both orders ------------------------------------------------------------- */

/* The first product of an order, which is counted if the budget pays for it. */
static spgemm_status predict_first(chain *c, spgemm_chain_order *order,
                                   const spgemm_csr *X, const spgemm_csr *Y,
                                   double products)
{
    spgemm_options options = c->options;
    spgemm_prediction p;
    if (products <= c->budget)
        options.predict.method = SPGEMM_PREDICTOR_PRECISE;
    else
        options.predict.budget = c->first_budget;
    const spgemm_status status = spgemm_predict(&p, X, Y, &options, NULL);
    if (status < 0)
        return status;
    order->first_products = p.products;
    order->first_nnz = (spgemm_estimate){p.nnz, p.standard_error};
    c->found.products_sampled += p.products_sampled;
    c->found.rows_sampled += p.rows_sampled;
    return SPGEMM_SUCCESS;
}

/* Products of X*Y, and in `rows` of each of its rows; NULL if not wanted. */
static double count_products(double *rows, const spgemm_csr *X,
                             const spgemm_csr *Y)
{
    const bool is_wide = X->index_type == SPGEMM_I64;
    double all = 0;
    for (int64_t i = 0; i < X->nrows; i++) {
        double row = 0;
        for (int64_t p = X->rowptr[i]; p < X->rowptr[i + 1]; p++) {
            const int64_t k = column_at(X->colidx, is_wide, p);
            row += (double)(Y->rowptr[k + 1] - Y->rowptr[k]);
        }
        all += row;
        if (rows)
            rows[i] = row;
    }
    return all;
}

static spgemm_status predict(chain *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_chain *found = &c->found;
    const int64_t nrows = c->B.nrows;
    double *right = spgemm_memory_allocate(&c->m, nrows, sizeof *right);
    SPGEMM_REQUIRE(right, SPGEMM_ERROR_OUT_OF_MEMORY);
    const double of_left = count_products(NULL, &c->A, &c->B);
    const double of_right = count_products(right, &c->B, &c->C);
    if (c->budget == 0)
        c->budget = fmax(LEAST_BUDGET, BUDGET_SHARE * (of_left + of_right)) / 2;
    SPGEMM_TRY(predict_first(c, &found->left, &c->A, &c->B, of_left));
    SPGEMM_TRY(predict_first(c, &found->right, &c->B, &c->C, of_right));
    SPGEMM_TRY(spgemm_chain_sample_left(c, right));
    SPGEMM_TRY(spgemm_chain_sample_right(c, right));
    found->is_left_cheaper =
        found->left.products.value <= found->right.products.value;

cleanup:
    spgemm_memory_release(&c->m, right, nrows, sizeof *right);
    return status;
}

spgemm_status spgemm_predict_chain(spgemm_chain *out, const spgemm_csr *A,
                                   const spgemm_csr *B, const spgemm_csr *C,
                                   const spgemm_options *options)
{
    spgemm_status status = SPGEMM_SUCCESS;
    chain c = {0};
    caller_mode mode;
    spgemm_refusal_begin();
    spgemm_caller_mode_put_aside(&mode);
    SPGEMM_TRY(begin(&c, A, B, C, options));
    SPGEMM_REQUIRE(out, spgemm_refuse(SPGEMM_ERROR_INVALID, "chain is NULL"));
    SPGEMM_TRY(predict(&c));

cleanup:
    spgemm_caller_mode_put_back(&mode);
    status = spgemm_refusal_end(status);
    if (out) {
        *out = status < 0 ? (spgemm_chain){.fault = c.found.fault} : c.found;
        spgemm_refusal_copy(out->refusal, status);
    }
    return status;
}
