/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Triangles of an undirected graph: C<A> = A*A counts, for each edge (i, j),
 * the nodes that i and j both know; the sum over C is 6 times the triangles.
 *
 * Usage: triangles [FILE.mtx]    (without a file: the complete graph K_60)
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <spgemm/mtx.h>
#include <spgemm/spgemm.h>

#define TRY(call)                                                              \
    do {                                                                       \
        status = (call);                                                       \
        if (status != SPGEMM_SUCCESS)                                          \
            goto cleanup;                                                      \
    } while (0)

/* The graph of a square matrix: both directions of each edge, no loops. It has
   no values: plus_pair reads none, but counts in the type that is named. */
static spgemm_status make_graph(spgemm_csr *graph, const spgemm_csr *matrix)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const size_t size = sizeof(int32_t) * (2 * (size_t)matrix->nnz + 1);
    int32_t *from = malloc(size);
    int32_t *to = malloc(size);
    const int32_t *columns = matrix->colidx;
    int64_t n = 0;

    TRY(from && to ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY);
    TRY(matrix->index_type == SPGEMM_I32 ? SPGEMM_SUCCESS
                                         : SPGEMM_ERROR_UNSUPPORTED);
    TRY(matrix->nrows == matrix->ncols ? SPGEMM_SUCCESS : SPGEMM_ERROR_SHAPE);
    for (int64_t i = 0; i < matrix->nrows; i++)
        for (int64_t p = matrix->rowptr[i]; p < matrix->rowptr[i + 1]; p++)
            if (columns[p] != i) {
                from[n] = to[n + 1] = (int32_t)i;
                to[n] = from[n + 1] = columns[p];
                n += 2;
            }
    TRY(spgemm_csr_from_coo(graph, matrix->nrows, matrix->nrows, n, from, to,
                            NULL, SPGEMM_I32, SPGEMM_INT64, NULL));
cleanup:
    free(from);
    free(to);
    return status;
}

/* The same by hand, to check: for each edge i < j, what rows i and j share
   beyond j. */
static int64_t count_by_merging(const spgemm_csr *graph)
{
    const int64_t *start = graph->rowptr;
    const int32_t *columns = graph->colidx;
    int64_t triangles = 0;
    for (int64_t i = 0; i < graph->nrows; i++)
        for (int64_t e = start[i]; e < start[i + 1]; e++) {
            const int32_t j = columns[e];
            int64_t p = e + 1;
            int64_t q = start[j];
            while (j > i && p < start[i + 1] && q < start[j + 1]) {
                const int32_t a = columns[p];
                const int32_t b = columns[q];
                triangles += a == b && a > j;
                p += a <= b;
                q += b <= a;
            }
        }
    return triangles;
}

static spgemm_status make_complete(spgemm_csr *matrix, int32_t n)
{
    spgemm_csr full;
    const spgemm_status status = spgemm_csr_create(
        &full, n, n, (int64_t)n * n, SPGEMM_I32, SPGEMM_FP64, NULL);
    if (status != SPGEMM_SUCCESS)
        return status;
    int64_t p = 0;
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++, p++) {
            ((int32_t *)full.colidx)[p] = j;
            ((double *)full.values)[p] = 1;
        }
        full.rowptr[i + 1] = p;
    }
    *matrix = full;
    return status;
}

int main(int argc, char **argv)
{
    spgemm_status status;
    spgemm_csr matrix = {0};
    spgemm_csr A = {0};
    spgemm_csr C = {0};
    spgemm_report report;
    spgemm_mtx_error error = {0};
    bool is_right = false;
    const int32_t n = 60;

    TRY(argc > 1 ? spgemm_mtx_read_file(&matrix, argv[1], NULL, &error)
                 : make_complete(&matrix, n));
    TRY(make_graph(&A, &matrix));

    /* The mask keeps C as small as A: without it, all pairs of nodes at
       distance two would be stored. */
    TRY(spgemm_predicted(&C, &A, &A,
                         &(spgemm_options){.product.semiring = SPGEMM_PLUS_PAIR,
                                           .filter.mask = &A},
                         &report));
    int64_t sum = 0;
    for (int64_t p = 0; p < C.nnz; p++)
        sum += ((const int64_t *)C.values)[p];

    printf("%" PRId64 " nodes, %" PRId64 " edges, %" PRId64 " products\n",
           A.nrows, A.nnz / 2, report.products);
    printf("%" PRId64 " triangles\n", sum / 6);
    is_right = sum == 6 * count_by_merging(&A);
    if (argc == 1)
        is_right = is_right && sum / 6 == n * (n - 1) * (n - 2) / 6;
cleanup:
    if (status != SPGEMM_SUCCESS)
        fprintf(stderr, "triangles: %s%s%s\n", spgemm_status_string(status),
                error.text[0] ? ": " : "", error.text);
    else if (!is_right)
        fprintf(stderr, "triangles: wrong result\n");
    spgemm_csr_destroy(&matrix);
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&C);
    return status == SPGEMM_SUCCESS && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
