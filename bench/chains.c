/* SPDX-License-Identifier: BSD-3-Clause */
/* A*A*A as spgemm_predict_chain() predicts it, of SEEDS seeds, beside the truth;
   CSV.

       bench_chains THREADS FILE...

   Errors in percent; `right` is the share of seeds whose error is within two
   standard errors, or 0.1 %. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "clocks.h"
#include "doubles.h"
#include "per_file.h"
#include "spgemm/chain.h"

enum { SEEDS = 100 };

/* Errors of one number. */
typedef struct errors {
    double sum;
    double worst;
    int right;
} errors;

static void judge(errors *e, spgemm_estimate said, double truth)
{
    const double error = fabs(said.value - truth) / fmax(truth, 1);
    const double bar = 2 * said.standard_error / fmax(truth, 1);
    e->sum += error;
    e->worst = fmax(e->worst, error);
    e->right += error <= fmax(bar, 1e-3);
}

static void print(const errors *e)
{
    printf(",%.4f,%.4f,%.2f", 100 * e->sum / SEEDS, 100 * e->worst,
           (double)e->right / SEEDS);
}

/* X*A, of patterns. */
static spgemm_csr multiply(const char *path, const spgemm_csr *X,
                           const spgemm_csr *A, int nthreads,
                           spgemm_report *report)
{
    const spgemm_options options = {.product.semiring = SPGEMM_ANY_PAIR,
                                    .resources.nthreads = nthreads};
    spgemm_csr C;
    const spgemm_status status = spgemm_predicted(&C, X, A, &options, report);
    per_file_require(status == SPGEMM_SUCCESS, path,
                     spgemm_status_string(status));
    return C;
}

static void measure(const char *path, const spgemm_csr *A, int nthreads)
{
    spgemm_report first;
    spgemm_report second;
    spgemm_report right;
    double seconds[SEEDS];
    double sampled = 0;
    errors nnz = {0};
    errors products = {0};
    spgemm_csr pattern = *A;
    pattern.values = NULL;
    spgemm_csr AA = multiply(path, &pattern, &pattern, nthreads, &first);
    spgemm_csr AAA = multiply(path, &AA, &pattern, nthreads, &second);
    spgemm_csr_destroy(&AAA);
    AAA = multiply(path, &pattern, &AA, nthreads, &right);
    for (int seed = 0; seed < SEEDS; seed++) {
        const spgemm_options options = {.predict.seed = (uint64_t)seed,
                                        .resources.nthreads = nthreads};
        spgemm_chain said;
        const double start = cpu_clock();
        const spgemm_status status =
            spgemm_predict_chain(&said, &pattern, &pattern, &pattern, &options);
        seconds[seed] = cpu_clock() - start;
        per_file_require(status == SPGEMM_SUCCESS, path,
                         spgemm_status_string(status));
        judge(&nnz, said.nnz, (double)AAA.nnz);
        judge(&products, said.left.products,
              (double)first.products + (double)second.products);
        judge(&products, said.right.products,
              (double)first.products + (double)right.products);
        sampled += (double)said.products_sampled;
    }
    products.sum /= 2;
    products.right /= 2;
    printf("%s,%" PRId64 ",%" PRId64, path, first.products + second.products,
           AAA.nnz);
    print(&nnz);
    print(&products);
    printf(",%.0f,%.6f,%.6f\n", sampled / SEEDS, doubles_median(seconds, SEEDS),
           first.total_seconds + second.total_seconds);
    spgemm_csr_destroy(&AA);
    spgemm_csr_destroy(&AAA);
}

int main(int argc, char **argv)
{
    const per_file program = {
        .columns = "matrix,products,nnz,nnz_error,nnz_worst,nnz_right,"
                   "products_error,products_worst,products_right,sampled,"
                   "seconds,multiply",
        .measure = measure,
    };
    return per_file_main(&program, argc, argv);
}
