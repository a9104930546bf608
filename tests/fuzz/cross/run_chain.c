/* SPDX-License-Identifier: BSD-3-Clause */
/* The prediction of R A P, of their patterns: what of it is exact must be. */
#include <math.h>
#include <string.h>

#include "spgemm/chain.h"

#include "build_csr.h"
#include "reference_form.h"
#include "run.h"

/* The three as they are passed; NULL stays. */
typedef struct factors {
    spgemm_csr patterns[3];
    const spgemm_csr *passed[3];
} factors;

static void make_factors(factors *f, const crossing *x)
{
    const spgemm_csr *const all[] = {x->R ? x->R : x->B, x->A, x->B};
    for (int k = 0; k < 3; k++) {
        f->passed[k] = all[k] ? &f->patterns[k] : NULL;
        if (!all[k])
            continue;
        f->patterns[k] = *all[k];
        f->patterns[k].values = NULL;
        f->patterns[k].value_type = SPGEMM_FP64;
    }
}

/* Why the product of two of them would be refused. */
static void add_causes(causes *c, const crossing *x, arguments *args,
                       const spgemm_csr *left, const spgemm_csr *right)
{
    crossing pair = *x;
    pair.entry = ENTRY_PREDICT;
    pair.args = args;
    pair.A = left;
    pair.B = right;
    pair.R = NULL;
    pair.wrong_output = 0;
    pair.has_options = true;
    const causes found = causes_of(&pair);
    c->must |= found.must;
    c->may |= found.may;
}

static double count_products(const spgemm_csr *X, const spgemm_csr *Y)
{
    double all = 0;
    for (int64_t i = 0; i < X->nrows; i++)
        all += (double)count_row_products(X, Y, i);
    return all;
}

static bool is_estimate(crossing *x, const spgemm_estimate *e, double want,
                        const char *what)
{
    if (!(e->value >= 0) || e->standard_error < 0)
        return cross_fails(x, "estimate", "%s: %g +- %g", what, e->value,
                           e->standard_error);
    return e->standard_error != 0 || e->value == want ||
           cross_fails(x, "estimate", "%s: %g, counted %g", what, e->value,
                       want);
}

static bool is_right(crossing *x, const factors *f, const spgemm_chain *chain)
{
    const spgemm_options counting = {.product.semiring = SPGEMM_ANY_PAIR};
    const spgemm_csr *const *p = f->passed;
    spgemm_csr left = reference_form(p[0], p[1], &counting);
    spgemm_csr right = reference_form(p[1], p[2], &counting);
    spgemm_csr left_pattern = left;
    left_pattern.values = NULL;
    left_pattern.value_type = SPGEMM_FP64;
    spgemm_csr all = reference_form(&left_pattern, p[2], &counting);
    const double firsts[] = {count_products(p[0], p[1]),
                             count_products(p[1], p[2])};
    if ((double)chain->left.first_products != firsts[0] ||
        (double)chain->right.first_products != firsts[1])
        cross_fails(x, "first products", "%lld and %lld, not %g and %g",
                    (long long)chain->left.first_products,
                    (long long)chain->right.first_products, firsts[0],
                    firsts[1]);
    (void)(!x->wrong && is_estimate(x, &chain->nnz, (double)all.nnz, "nnz") &&
           is_estimate(x, &chain->left.products,
                       firsts[0] + count_products(&left, p[2]), "left") &&
           is_estimate(x, &chain->right.products,
                       firsts[1] + count_products(p[0], &right), "right"));
    free_csr(&left);
    free_csr(&right);
    free_csr(&all);
    return !x->wrong;
}

void run_chain(crossing *x, tally *t)
{
    const spgemm_options *drawn = &x->args->options;
    arguments args = *x->args;
    factors f;
    causes c = {0};
    spgemm_chain chain;
    args.options = (spgemm_options){
        .predict.seed = drawn->predict.seed,
        .predict.budget = dice_below(&x->dice, 3) * 40,
        .resources = {.nthreads = drawn->resources.nthreads,
                      .input_check = drawn->resources.input_check,
                      .allocator = drawn->resources.allocator}};
    make_factors(&f, x);
    add_causes(&c, x, &args, f.passed[0], f.passed[1]);
    add_causes(&c, x, &args, f.passed[1], f.passed[2]);
    memset(&chain, 0x3c, sizeof chain);
    const before b = expect_begin(x);
    const spgemm_status status = spgemm_predict_chain(
        &chain, f.passed[0], f.passed[1], f.passed[2], &args.options);
    tally_call(t, x, status, NULL);
    if (!expect_status(x, &c, status, &b) ||
        !expect_reason(x, status, chain.refusal) || status < 0)
        return;
    if (x->heap->live != b.live)
        cross_fails(x, "leak", "%ld blocks", x->heap->live - b.live);
    else
        is_right(x, &f, &chain);
}
