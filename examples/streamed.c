/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A product larger than the memory it may take: C = A*A comes block by block,
 * is reduced to its row sums, and is never held as a whole.
 *
 * Usage: streamed [FILE.mtx [MEGABYTES]]
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <spgemm/mtx.h>
#include <spgemm/predict.h>
#include <spgemm/stream.h>

#define TRY(call)                                                              \
    do {                                                                       \
        status = (call);                                                       \
        if (status != SPGEMM_SUCCESS)                                          \
            goto cleanup;                                                      \
    } while (0)

/* What is kept of C. */
typedef struct reduction {
    double *row_sums; /* [rows of C] */
    int64_t nnz;
    int64_t longest_row;
    int blocks;
} reduction;

/* Takes one block of rows, which is gone afterwards. */
static int reduce(void *context, const spgemm_csr *rows, int64_t first_row)
{
    reduction *r = context;
    const double *values = rows->values;
    for (int64_t i = 0; i < rows->nrows; i++) {
        const int64_t begin = rows->rowptr[i];
        const int64_t end = rows->rowptr[i + 1];
        for (int64_t p = begin; p < end; p++)
            r->row_sums[first_row + i] += values[p];
        if (end - begin > r->longest_row)
            r->longest_row = end - begin;
    }
    r->nnz += rows->nnz;
    r->blocks++;
    return 0; /* go on */
}

/* 20 whole numbers in each of 20,000 rows, anywhere. */
static spgemm_status make_random(spgemm_csr *A)
{
    enum { ROWS = 20000, LENGTH = 20, ENTRIES = ROWS * LENGTH };
    static int32_t rows[ENTRIES];
    static int32_t columns[ENTRIES];
    static double values[ENTRIES];
    uint64_t random = 3;
    for (int t = 0; t < ENTRIES; t++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        rows[t] = t / LENGTH;
        columns[t] = (int32_t)((random >> 33) % ROWS);
        values[t] = (double)(random >> 61) - 3;
    }
    return spgemm_csr_from_coo(A, ROWS, ROWS, ENTRIES, rows, columns, values,
                               SPGEMM_I32, SPGEMM_FP64, NULL);
}

/* The sum of a row of C is that of all its products, up to rounding, which is
   proportional to `scale`, the sum of their magnitudes. */
static bool row_sums_are_right(const double *sums, const spgemm_csr *A)
{
    const int32_t *columns = A->colidx;
    const double *values = A->values;
    for (int64_t i = 0; i < A->nrows; i++) {
        double want = 0;
        double scale = 0;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int32_t k = columns[p];
            for (int64_t q = A->rowptr[k]; q < A->rowptr[k + 1]; q++) {
                want += values[p] * values[q];
                scale += fabs(values[p] * values[q]);
            }
        }
        if (!(fabs(sums[i] - want) <= 1e-12 * scale))
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    spgemm_status status;
    spgemm_csr A = {0};
    spgemm_prediction exact;
    spgemm_report report;
    reduction r = {0};
    spgemm_mtx_error error = {0};
    bool is_right = false;
    const size_t megabytes = argc > 2 ? strtoull(argv[2], NULL, 10) : 32;
    const size_t limit = megabytes << 20;

    TRY(argc > 1 ? spgemm_mtx_read_file(&A, argv[1], NULL, &error)
                 : make_random(&A));
    TRY(A.index_type == SPGEMM_I32 ? SPGEMM_SUCCESS : SPGEMM_ERROR_UNSUPPORTED);
    r.row_sums = calloc((size_t)A.nrows + 1, sizeof *r.row_sums);
    TRY(r.row_sums ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY);

    TRY(spgemm_stream(&A, &A,
                      &(spgemm_options){.resources.memory_limit_bytes = limit},
                      0, reduce, &r, &report));
    printf("%" PRId64 " entries in %d blocks, at most %" PRId64 " in a row\n",
           r.nnz, r.blocks, r.longest_row);
    printf("C is %.1f MB; no more than %.1f MB were held at one time\n",
           (double)r.nnz * (sizeof(int32_t) + sizeof(double)) / 1048576,
           (double)report.peak_bytes / 1048576);

    /* Counted without computing: the same number, from another path. */
    TRY(spgemm_predict(
        &exact, &A, &A,
        &(spgemm_options){.predict.method = SPGEMM_PREDICTOR_PRECISE}, NULL));
    is_right = (double)r.nnz == exact.nnz && report.peak_bytes <= limit &&
               row_sums_are_right(r.row_sums, &A);
    if (argc == 1)
        is_right = is_right && r.blocks > 1;
cleanup:
    if (status != SPGEMM_SUCCESS)
        fprintf(stderr, "streamed: %s%s%s\n", spgemm_status_string(status),
                error.text[0] ? ": " : "", error.text);
    else if (!is_right)
        fprintf(stderr, "streamed: wrong result\n");
    spgemm_csr_destroy(&A);
    free(r.row_sums);
    return status == SPGEMM_SUCCESS && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
