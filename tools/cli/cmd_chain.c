/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm chain: the size of A*B*C, and the cheaper of its two orders. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amount.h"
#include "commands.h"
#include "convert.h"
#include "entries.h"
#include "input.h"
#include "json.h"
#include "message.h"
#include "product.h"
#include "spgemm/chain.h"
#include "status.h"
#include "table.h"

enum { FACTORS = 3 };

/* Files that are named twice are one matrix. */
typedef struct factors {
    input read[FACTORS];
    const input *of[FACTORS]; /* A, B and C */
} factors;

static int read_factors(factors *f, const arguments *args)
{
    int status = TOOL_OK;
    *f = (factors){0};
    for (int k = 0; k < FACTORS && status == TOOL_OK; k++) {
        int same = 0;
        while (strcmp(args->operands[same], args->operands[k]) != 0)
            same++;
        f->of[k] = &f->read[same];
        if (same == k)
            status = input_read(&f->read[k], args->operands[k], args);
    }
    return status;
}

static void clear_factors(factors *f)
{
    for (int k = 0; k < FACTORS; k++)
        spgemm_csr_destroy(&f->read[k].matrix);
}

/* All have the widest type of columns. */
static int unify(factors *f)
{
    spgemm_index_type widest = SPGEMM_I32;
    for (int k = 0; k < FACTORS; k++)
        if (f->of[k]->matrix.index_type > widest)
            widest = f->of[k]->matrix.index_type;
    for (int k = 0; k < FACTORS; k++) {
        spgemm_csr *X = &f->read[k].matrix;
        const spgemm_status status =
            X->rowptr ? convert_matrix(X, widest, X->value_type)
                      : SPGEMM_SUCCESS;
        if (status < 0)
            return message_failure(f->read[k].name, status);
    }
    return TOOL_OK;
}

/* ---- Output ---------------------------------------------------------------- */

/* Of the values that the three have in common. */
static double bytes_of(const factors *f, double nnz)
{
    const spgemm_csr *A = &f->of[0]->matrix;
    spgemm_value_type type = A->value_type;
    for (int k = 1; k < FACTORS; k++)
        type = convert_common_type(type, f->of[k]->matrix.value_type);
    return 8.0 * ((double)A->nrows + 1) +
           nnz *
               (double)(index_bytes(A->index_type) + spgemm_value_bytes(type));
}

static void print_estimate(json *j, const char *name, const char *error,
                           spgemm_estimate e)
{
    json_number(j, name, e.value);
    json_number(j, error, e.standard_error);
}

static void print_order(json *j, const char *name, const spgemm_chain_order *o)
{
    json_begin_object(j, name);
    json_integer(j, "first_products", o->first_products);
    print_estimate(j, "first_nnz", "first_nnz_standard_error", o->first_nnz);
    print_estimate(j, "products", "products_standard_error", o->products);
    json_end_object(j);
}

static void print_json(const factors *f, const spgemm_chain *c)
{
    json j;
    json_open(&j, stdout);
    json_integer(&j, "rows", f->of[0]->matrix.nrows);
    json_integer(&j, "cols", f->of[2]->matrix.ncols);
    print_estimate(&j, "nnz", "standard_error", c->nnz);
    json_number(&j, "bytes", bytes_of(f, c->nnz.value));
    print_order(&j, "left", &c->left);
    print_order(&j, "right", &c->right);
    json_text(&j, "cheaper", c->is_left_cheaper ? "left" : "right");
    json_integer(&j, "rows_sampled", c->rows_sampled);
    json_integer(&j, "products_sampled", c->products_sampled);
    json_close(&j);
}

/* A number, and what it is off by with 95 %. */
static void estimate_cells(table *t, spgemm_estimate e)
{
    char text[AMOUNT_BYTES];
    table_cell(t, "%s", amount_count(text, (int64_t)llrint(e.value)));
    if (isnan(e.standard_error))
        table_cell(t, "-");
    else
        table_cell(t, "%.2f",
                   e.value > 0 ? 196 * e.standard_error / e.value : 0);
}

static void order_cells(table *t, const char *name, const spgemm_chain_order *o)
{
    table_begin_row(t);
    table_cell(t, "%s", name);
    estimate_cells(t, o->products);
    estimate_cells(t, o->first_nnz);
}

static void print_words(const factors *f, const spgemm_chain *c)
{
    static const char *const heads[] = {"order", "products", "+/- %",
                                        "entries between", "+/- %"};
    char text[2][AMOUNT_BYTES];
    const double error = 196 * c->nnz.standard_error / fmax(1, c->nnz.value);
    const double shares[] = {c->left.products.value, c->right.products.value};
    const double dearer = fmax(shares[0], shares[1]);
    table t = {0};
    table_begin_row(&t);
    for (int k = 0; k < 5; k++)
        table_cell(&t, "%s", heads[k]);
    order_cells(&t, "(A*B)*C", &c->left);
    order_cells(&t, "A*(B*C)", &c->right);
    printf("A*B*C     %s entries, %s",
           amount_count(text[0], (int64_t)llrint(c->nnz.value)),
           amount_bytes(text[1], bytes_of(f, c->nnz.value)));
    if (c->nnz.standard_error == 0)
        puts(": counted");
    else
        printf(": +/- %.2f %% with 95 %%\n", error);
    printf("cheaper   %s, %.2f of the products of the other\n\n",
           c->is_left_cheaper ? "(A*B)*C" : "A*(B*C)",
           dearer > 0 ? fmin(shares[0], shares[1]) / dearer : 1);
    table_print(&t, stdout);
}

int cmd_chain(const arguments *args)
{
    const spgemm_options options = {
        .predict.seed = (uint64_t)arguments_integer(args, "seed", 0),
        .predict.budget = arguments_integer(args, "budget", 0),
        .resources.nthreads = (int)arguments_integer(args, "threads", 0)};
    factors f;
    spgemm_chain chain;
    int status = read_factors(&f, args);
    if (status == TOOL_OK)
        status = unify(&f);
    if (status == TOOL_OK) {
        const spgemm_status found =
            spgemm_predict_chain(&chain, &f.of[0]->matrix, &f.of[1]->matrix,
                                 &f.of[2]->matrix, &options);
        if (found < 0)
            status = product_failure("prediction", found);
        else if (arguments_has(args, "json"))
            print_json(&f, &chain);
        else
            print_words(&f, &chain);
    }
    clear_factors(&f);
    return status;
}
