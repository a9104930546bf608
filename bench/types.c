/* SPDX-License-Identifier: BSD-3-Clause */
/* A*A of one pattern for other types of values and another semiring, in turn;
   CSV.

       bench_types THREADS FILE...

   Best CPU time of REPETITIONS calls of each. */
#include <complex.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu_clock.h"
#include "heading.h"
#include "spgemm/mtx.h"
#include "steady.h"

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
static spgemm_csr convert(const spgemm_csr *A, spgemm_value_type type)
{
    spgemm_csr X = *A;
    X.flags &= ~(uint32_t)SPGEMM_OWNS_ARRAYS;
    X.value_type = type;
    X.values = malloc((size_t)A->nnz * spgemm_value_bytes(type) + 1);
    if (!X.values) {
        fputs("bench_types: out of memory\n", stderr);
        exit(1);
    }
    for (int64_t p = 0; p < A->nnz; p++)
        put(X.values, type, p, ((const double *)A->values)[p]);
    return X;
}

static double multiply(const spgemm_csr *X,
                       const kind *k,
                       int nthreads,
                       spgemm_report *report)
{
    spgemm_csr C;
    const spgemm_options options = {.nthreads = nthreads,
                                    .semiring = k->semiring};
    const double start = cpu_clock();
    const spgemm_status status = spgemm_predicted(&C, X, X, &options, report);
    const double seconds = cpu_clock() - start;
    if (status != SPGEMM_SUCCESS) {
        fprintf(stderr, "bench_types: %s\n", spgemm_status_string(status));
        exit(1);
    }
    spgemm_csr_destroy(&C);
    return seconds;
}

static void measure(const char *path, int nthreads)
{
    spgemm_csr A;
    spgemm_csr X[KINDS];
    spgemm_mtx_error error;
    spgemm_report report;
    double best[KINDS];
    if (spgemm_mtx_read_file(&A, path, NULL, &error) != SPGEMM_SUCCESS ||
        A.nrows != A.ncols || A.value_type != SPGEMM_FP64) {
        fprintf(stderr, "%s: left out: not a real square matrix\n", path);
        return;
    }
    for (int k = 0; k < KINDS; k++) {
        X[k] = convert(&A, kinds[k].type);
        best[k] = 1e9;
    }
    for (int t = 0; t < REPETITIONS; t++)
        for (int k = 0; k < KINDS; k++) {
            const double s = multiply(&X[k], &kinds[k], nthreads, &report);
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
    fflush(stdout);
    spgemm_csr_destroy(&A);
}

int main(int argc, char **argv)
{
    const int nthreads = argc > 2 ? atoi(argv[1]) : 0;
    if (nthreads < 1) {
        fprintf(stderr, "usage: bench_types THREADS FILE...\n");
        return 2;
    }
    steady_restart(argv);
    heading_print(stdout, "bench_types");
    printf("matrix,products,nnz,type,semiring,threads,seconds,speed\n");
    for (int t = 2; t < argc; t++)
        measure(argv[t], nthreads);
    return 0;
}
