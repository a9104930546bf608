/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that are drawn go through the products of a chain:

       (A*B)*C  takes  products(A,B) + sum over i of the products of row i of A*B with C
       A*(B*C)  takes  products(B,C) + sum over k of uses(k) nnz of row k of B*C,

   uses(k) being the entries of column k of A. */
#include <math.h>

#include "common/checked.h"
#include "common/rng.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/weighted_sample.h"
#include "spgemm/chain_steps.h"
#include "spgemm/predict.h"

/* Draws: a few tell what a row costs, and then there are as many as may be, if
   that is more. */
#define FIRST_DRAWS  16
#define MOST_DRAWS   16384
#define TIMES_TO_PAY 1.5
#define RIGHT_STREAM 0x72696768u

/* What is counted of each row that is drawn: its entries and, of a row of A*B, its
   products with C; and the products that this took. */
typedef struct row_counts {
    double *nnz;
    double *products;
    int64_t room;
    int64_t cost;
} row_counts;

static bool make_counts(row_counts *r, int64_t n, memory *m)
{
    *r = (row_counts){.room = n};
    r->nnz = spgemm_memory_allocate(m, n, sizeof *r->nnz);
    r->products = spgemm_memory_allocate(m, n, sizeof *r->products);
    return r->nnz && r->products;
}

static void release_counts(row_counts *r, memory *m)
{
    spgemm_memory_release(m, r->nnz, r->room, sizeof *r->nnz);
    spgemm_memory_release(m, r->products, r->room, sizeof *r->products);
    *r = (row_counts){0};
}

/* ---- Rows that are counted --------------------------------------------------- */

/* nnz of some rows of X*Y; NULL: of all. */
static spgemm_status count_nnz(chain *c, const spgemm_csr *X,
                               const spgemm_csr *Y, const int64_t *rows,
                               int64_t count, double *nnz, int64_t *products)
{
    spgemm_options options = c->options;
    spgemm_prediction p;
    options.predict.method = SPGEMM_PREDICTOR_PRECISE;
    options.product.rows = rows;
    options.product.nrows = rows ? count : 0;
    const spgemm_status status = spgemm_predict(&p, X, Y, &options, nnz);
    if (status < 0)
        return status;
    *products = p.products;
    c->found.products_sampled += p.products;
    return SPGEMM_SUCCESS;
}

typedef spgemm_status count_drawn(chain *c, const weighted_sample *s,
                                  row_counts *r);

/* Rows of B*C. */
static spgemm_status count_right(chain *c, const weighted_sample *s,
                                 row_counts *r)
{
    return count_nnz(c, &c->B, &c->C, s->rows, s->count, r->nnz, &r->cost);
}

/* Rows of A*B, which are made, and of these by C. */
static spgemm_status count_left(chain *c, const weighted_sample *s,
                                row_counts *r)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr T = {0};
    spgemm_report report;
    int64_t products;
    spgemm_options options = c->options;
    options.product.rows = s->rows;
    options.product.nrows = s->count;
    SPGEMM_TRY(spgemm_predicted(&T, &c->A, &c->B, &options, &report));
    SPGEMM_TRY(count_nnz(c, &T, &c->C, NULL, 0, r->nnz, &products));
    const bool is_wide = T.index_type == SPGEMM_I64;
    for (int64_t e = 0; e < T.nrows; e++) {
        r->products[e] = 0;
        for (int64_t p = T.rowptr[e]; p < T.rowptr[e + 1]; p++) {
            const int64_t j = column_at(T.colidx, is_wide, p);
            r->products[e] += (double)(c->C.rowptr[j + 1] - c->C.rowptr[j]);
        }
    }
    r->cost = saturating_add_i64(report.products, products);
    c->found.products_sampled += report.products;

cleanup:
    spgemm_csr_destroy(&T);
    return status;
}

/* ---- Rows that are drawn ----------------------------------------------------- */

/* All rows, where these cost no more than the budget; `most` products at most. */
static spgemm_status sample(chain *c, weighted_sample *s, count_drawn *count,
                            double most, uint64_t seed, row_counts *r)
{
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t draws = most <= c->budget ? 0 : FIRST_DRAWS;
    for (uint64_t stage = 0; stage < 2; stage++) {
        SPGEMM_REQUIRE(
            spgemm_weighted_sample_draw(s, draws, rng_bits(seed, stage)),
            SPGEMM_ERROR_OUT_OF_MEMORY);
        release_counts(r, &c->m);
        SPGEMM_REQUIRE(make_counts(r, s->count, &c->m),
                       SPGEMM_ERROR_OUT_OF_MEMORY);
        if (s->count == 0)
            break;
        SPGEMM_TRY(count(c, s, r));
        c->found.rows_sampled += s->count;
        const double each = fmax(1, (double)r->cost) / (double)s->count;
        const double paid = c->budget / each;
        if (draws == 0 || paid < TIMES_TO_PAY * FIRST_DRAWS)
            break;
        draws = checked_capacity(paid, FIRST_DRAWS, MOST_DRAWS);
    }

cleanup:
    return status;
}

/* What n entries in columns at random, of so many, would make of a row. */
static double columns_met(double n, double columns)
{
    return n > 0 ? -columns * expm1(-n / columns) : 0;
}

spgemm_status spgemm_chain_sample_left(chain *c, const double *right)
{
    const spgemm_csr *A = &c->A;
    spgemm_status status = SPGEMM_SUCCESS;
    weighted_sample s = {0};
    row_counts r = {0};
    spgemm_chain *found = &c->found;
    double *weight = spgemm_memory_allocate(&c->m, A->nrows, sizeof *weight);
    SPGEMM_REQUIRE(weight, SPGEMM_ERROR_OUT_OF_MEMORY);
    const bool is_wide = A->index_type == SPGEMM_I64;
    double most = (double)found->left.first_products;
    for (int64_t i = 0; i < A->nrows; i++) {
        double all = 0;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            all += right[column_at(A->colidx, is_wide, p)];
        weight[i] = columns_met(all, (double)c->C.ncols);
        most += all;
    }
    SPGEMM_REQUIRE(spgemm_weighted_sample_begin(&s, weight, A->nrows, &c->m),
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    const double first = (double)found->left.first_products;
    SPGEMM_TRY(sample(c, &s, count_left, most, c->options.predict.seed, &r));
    found->nnz = spgemm_weighted_sample_sum(&s, r.nnz);
    found->left.products = spgemm_weighted_sample_sum(&s, r.products);
    found->left.products.value += first;

cleanup:
    release_counts(&r, &c->m);
    spgemm_weighted_sample_end(&s);
    spgemm_memory_release(&c->m, weight, A->nrows, sizeof *weight);
    return status;
}

spgemm_status spgemm_chain_sample_right(chain *c, const double *right)
{
    const spgemm_csr *A = &c->A;
    spgemm_status status = SPGEMM_SUCCESS;
    weighted_sample s = {0};
    row_counts r = {0};
    spgemm_chain *found = &c->found;
    const int64_t nrows = c->B.nrows;
    double *uses = spgemm_memory_allocate_zeroed(&c->m, nrows, sizeof *uses);
    double *weight = spgemm_memory_allocate(&c->m, nrows, sizeof *weight);
    SPGEMM_REQUIRE(uses && weight, SPGEMM_ERROR_OUT_OF_MEMORY);
    const bool is_wide = A->index_type == SPGEMM_I64;
    for (int64_t p = 0; p < A->rowptr[A->nrows]; p++)
        uses[column_at(A->colidx, is_wide, p)]++;
    for (int64_t k = 0; k < nrows; k++)
        weight[k] = uses[k] * right[k];
    SPGEMM_REQUIRE(spgemm_weighted_sample_begin(&s, weight, nrows, &c->m),
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    const double first = (double)found->right.first_products;
    SPGEMM_TRY(sample(c, &s, count_right, first,
                      rng_bits(c->options.predict.seed, RIGHT_STREAM), &r));
    for (int64_t e = 0; e < s.count; e++)
        r.products[e] = uses[s.rows[e]] * r.nnz[e];
    found->right.products = spgemm_weighted_sample_sum(&s, r.products);
    found->right.products.value += first;

cleanup:
    release_counts(&r, &c->m);
    spgemm_weighted_sample_end(&s);
    spgemm_memory_release(&c->m, uses, nrows, sizeof *uses);
    spgemm_memory_release(&c->m, weight, nrows, sizeof *weight);
    return status;
}
