/* SPDX-License-Identifier: BSD-3-Clause */
/* C<A> = A*A by plus_pair: the triangles at each edge, by this library and by
   SuiteSparse:GraphBLAS, in turn, on the same threads; CSV.

       bench_triangles THREADS FILE...

   Best CPU time of REPETITIONS calls of each, C's allocation included. Of
   GraphBLAS both ways of asking: A*A, and A*A' of an A that is symmetric. */
#include <GraphBLAS.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "clocks.h"
#include "per_file.h"

enum { REPETITIONS = 5, WAYS = 3 };

static void must(bool is_well, const char *what)
{
    if (!is_well) {
        fprintf(stderr, "bench_triangles: %s\n", what);
        exit(1);
    }
}

static GrB_Matrix to_graphblas(const spgemm_csr *A)
{
    GrB_Matrix G;
    GrB_Index *rows = malloc((size_t)A->nnz * sizeof *rows + 1);
    GrB_Index *cols = malloc((size_t)A->nnz * sizeof *cols + 1);
    int64_t *ones = malloc((size_t)A->nnz * sizeof *ones + 1);
    must(rows && cols && ones, "out of memory");
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            rows[p] = (GrB_Index)i;
            cols[p] = (GrB_Index)((const int32_t *)A->colidx)[p];
            ones[p] = 1;
        }
    must(GrB_Matrix_new(&G, GrB_INT64, (GrB_Index)A->nrows,
                        (GrB_Index)A->ncols) == GrB_SUCCESS &&
             GrB_Matrix_build_INT64(G, rows, cols, ones, (GrB_Index)A->nnz,
                                    GrB_FIRST_INT64) == GrB_SUCCESS &&
             GrB_wait(G, GrB_MATERIALIZE) == GrB_SUCCESS,
         "GraphBLAS could not be given the matrix");
    free(rows);
    free(cols);
    free(ones);
    return G;
}

/* Seconds; *sum is that of C's entries. */
static double by_graphblas(GrB_Matrix G, GrB_Descriptor how, int64_t *sum)
{
    GrB_Matrix C;
    GrB_Index n;
    GrB_Matrix_nrows(&n, G);
    const double start = cpu_clock();
    must(GrB_Matrix_new(&C, GrB_INT64, n, n) == GrB_SUCCESS &&
             GrB_mxm(C, G, NULL, GxB_PLUS_PAIR_INT64, G, G, how) ==
                 GrB_SUCCESS &&
             GrB_wait(C, GrB_MATERIALIZE) == GrB_SUCCESS,
         "GraphBLAS failed");
    const double seconds = cpu_clock() - start;
    GrB_Matrix_reduce_INT64(sum, NULL, GrB_PLUS_MONOID_INT64, C, NULL);
    GrB_Matrix_free(&C);
    return seconds;
}

static double by_us(const spgemm_csr *A, int nthreads, int64_t *sum)
{
    spgemm_csr C;
    const spgemm_options options = {.resources.nthreads = nthreads,
                                    .product.semiring = SPGEMM_PLUS_PAIR,
                                    .filter.mask = A};
    const double start = cpu_clock();
    must(spgemm_predicted(&C, A, A, &options, NULL) == SPGEMM_SUCCESS,
         "spgemm_predicted() failed");
    const double seconds = cpu_clock() - start;
    *sum = 0;
    for (int64_t p = 0; p < C.nnz; p++)
        *sum += ((const int64_t *)C.values)[p];
    spgemm_csr_destroy(&C);
    return seconds;
}

static void measure(const char *path, const spgemm_csr *A, int nthreads)
{
    /* Its pattern, and counts of 64 bits. */
    spgemm_csr P =
        spgemm_csr_view(A->nrows, A->ncols, A->nnz, A->rowptr, A->colidx, NULL,
                        A->index_type, SPGEMM_INT64);
    P.flags |= A->flags & SPGEMM_SORTED_ROWS;
    GrB_Matrix G = to_graphblas(A);
    double best[WAYS] = {1e9, 1e9, 1e9};
    int64_t sum[WAYS];
    for (int k = 0; k < REPETITIONS; k++) {
        const double seconds[WAYS] = {
            by_us(&P, nthreads, &sum[0]),
            by_graphblas(G, GrB_DESC_S, &sum[1]),
            by_graphblas(G, GrB_DESC_ST1, &sum[2]),
        };
        must(sum[0] == sum[1], "the results differ");
        for (int w = 0; w < WAYS; w++)
            best[w] = seconds[w] < best[w] ? seconds[w] : best[w];
    }
    printf("%s,%" PRId64 ",%" PRId64 ",%d,%.6f,%.6f,%.6f\n", path, A->nnz,
           sum[0], nthreads, best[0], best[1], best[2]);
    GrB_Matrix_free(&G);
}

static void begin(int nthreads)
{
    must(GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS, "GraphBLAS does not start");
    GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, nthreads);
    GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW);
}

int main(int argc, char **argv)
{
    const per_file program = {
        .columns = "matrix,nnz,sum,threads,ours,graphblas,graphblas_transposed",
        .measure = measure,
        .begin = begin,
    };
    const int status = per_file_main(&program, argc, argv);
    GrB_finalize();
    return status;
}
