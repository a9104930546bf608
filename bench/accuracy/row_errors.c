/* SPDX-License-Identifier: BSD-3-Clause */
/* How far off the predicted nnz of the rows of C is: the distribution of
   (z* - z) / z over the rows that have products. */
#include "row_errors.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "doubles.h"

static const double shares[ROW_QUANTILES] = {0,    0.01, 0.05, 0.25, 0.5,
                                             0.75, 0.95, 0.99, 1};

spgemm_status row_errors_count(row_errors_exact *exact, const spgemm_csr *A,
                               const spgemm_csr *B, int nthreads)
{
    const spgemm_options options = {.resources.nthreads = nthreads,
                                    .predict.method = SPGEMM_PREDICTOR_PRECISE};
    const size_t rows = (size_t)A->nrows;
    spgemm_prediction p;
    *exact = (row_errors_exact){.nrows = A->nrows};
    exact->nnz = calloc(rows + 1, sizeof *exact->nnz);
    exact->predicted = calloc(rows + 1, sizeof *exact->predicted);
    if (!exact->nnz || !exact->predicted)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    return spgemm_predict(&p, A, B, &options, exact->nnz);
}

void row_errors_clear(row_errors_exact *exact)
{
    free(exact->nnz);
    free(exact->predicted);
    *exact = (row_errors_exact){0};
}

/* Sums, and the relative errors in place of the predictions. */
static void sum_rows(row_errors *e, const row_errors_exact *exact)
{
    double *errors = exact->predicted;
    double nnz = 0;
    *e = (row_errors){0};
    for (int64_t i = 0; i < exact->nrows; i++) {
        const double z = exact->nnz[i];
        const double d = exact->predicted[i] - z;
        if (z == 0)
            continue;
        nnz += z;
        e->mean_error += fabs(d) / z;
        e->shortfall += fmax(0, -d);
        e->excess += fmax(0, d);
        errors[e->rows++] = d / z;
    }
    if (e->rows == 0)
        return;
    e->mean_error /= (double)e->rows;
    e->shortfall /= nnz;
    e->excess /= nnz;
}

spgemm_status row_errors_measure(row_errors *e, spgemm_prediction *p,
                                 const row_errors_exact *exact,
                                 const spgemm_csr *A, const spgemm_csr *B,
                                 const spgemm_options *options)
{
    const spgemm_status status =
        spgemm_predict(p, A, B, options, exact->predicted);
    if (status < 0)
        return status;
    sum_rows(e, exact);
    doubles_sort(exact->predicted, (size_t)e->rows);
    for (int k = 0; k < ROW_QUANTILES && e->rows > 0; k++)
        e->quantiles[k] =
            exact->predicted[llround(shares[k] * (double)(e->rows - 1))];
    return SPGEMM_SUCCESS;
}

void row_errors_write(FILE *file, const row_errors *e)
{
    fprintf(file, ",%" PRId64 ",%.9g,%.9g,%.9g", e->rows, e->mean_error,
            e->shortfall, e->excess);
    for (int k = 0; k < ROW_QUANTILES; k++)
        fprintf(file, ",%.9g", e->quantiles[k]);
    fputc('\n', file);
}
