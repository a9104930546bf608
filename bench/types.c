/* SPDX-License-Identifier: BSD-3-Clause */
/* A*A of one pattern for other types of values and another semiring, in turn;
   CSV.

       bench_types THREADS FILE...

   Best CPU time of REPETITIONS calls of each. */
#include <complex.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"
#include "per_file.h"

enum { REPETITIONS = 5 };

typedef struct kind {
    spgemm_value_type type;
    spgemm_semiring semiring;
} kind;

static const kind kinds[] = {
    {SPGEMM_FP64, SPGEMM_PLUS_TIMES},  {SPGEMM_FP32, SPGEMM_PLUS_TIMES},
    {SPGEMM_CFP64, SPGEMM_PLUS_TIMES}, {SPGEMM_INT64, SPGEMM_PLUS_TIMES},
    {SPGEMM_FP64, SPGEMM_MIN_PLUS},
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void put(void *values, spgemm_value_type type, int64_t p, double x)
{
    if (type == SPGEMM_FP32)
        ((float *)values)[p] = (float)x;
    else if (type == SPGEMM_CFP64)
        ((double complex *)values)[p] = x;
    else if (type == SPGEMM_INT64)
        ((int64_t *)values)[p] = (int64_t)x;
    else
        ((double *)values)[p] = x;
}

/* A with values of another type, in an array that is to be freed. */
static spgemm_csr convert(const char *path, const spgemm_csr *A,
                          spgemm_value_type type)
{
    spgemm_csr X = *A;
    X.flags &= ~(uint32_t)SPGEMM_OWNS_ARRAYS;
    X.value_type = type;
    X.values = malloc((size_t)A->nnz * spgemm_value_bytes(type) + 1);
    per_file_require(X.values, path, "out of memory");
    for (int64_t p = 0; p < A->nnz; p++)
        put(X.values, type, p, ((const double *)A->values)[p]);
    return X;
}

static double multiply(const char *path, const spgemm_csr *X, const kind *k,
                       int nthreads, spgemm_report *report)
{
    spgemm_csr C;
    const spgemm_options options = {.resources.nthreads = nthreads,
                                    .product.semiring = k->semiring};
    const double start = cpu_clock();
    const spgemm_status status = spgemm_predicted(&C, X, X, &options, report);
    const double seconds = cpu_clock() - start;
    per_file_require(status == SPGEMM_SUCCESS, path,
                     spgemm_status_string(status));
    spgemm_csr_destroy(&C);
    return seconds;
}

static void measure(const char *path, const spgemm_csr *A, int nthreads)
{
    spgemm_csr X[KINDS];
    spgemm_report report;
    double best[KINDS];
    for (int k = 0; k < KINDS; k++) {
        X[k] = convert(path, A, kinds[k].type);
        best[k] = 1e9;
    }
    for (int t = 0; t < REPETITIONS; t++)
        for (int k = 0; k < KINDS; k++) {
            const double s =
                multiply(path, &X[k], &kinds[k], nthreads, &report);
            best[k] = s < best[k] ? s : best[k];
        }
    for (int k = 0; k < KINDS; k++) {
        printf("%s,%" PRId64 ",%" PRId64 ",%s,%s,%d,%.6f,%.3f\n", path,
               report.products, report.nnz,
               spgemm_value_type_name(kinds[k].type),
               spgemm_semiring_name(kinds[k].semiring), nthreads, best[k],
               best[0] / best[k]);
        free(X[k].values);
    }
}

int main(int argc, char **argv)
{
    const per_file program = {
        .columns = "matrix,products,nnz,type,semiring,threads,seconds,speed",
        .measure = measure,
    };
    return per_file_main(&program, argc, argv);
}
