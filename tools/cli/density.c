/* SPDX-License-Identifier: BSD-3-Clause */
/* The products of a cell of C are the entries of a small product by the
   semiring plus_pair: rows of A that share a cell are one row, columns of B
   that share one are one column. Thrown at random, n products meet
   1 - exp(-n / places) of a cell's places; this is scaled to what is predicted
   of the rows. Of many products only some rows of each cell are looked at. */
#include "density.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/checked.h"
#include "entries.h"
#include "spgemm/predict.h"

/* Products that are counted, about. */
#define MOST_PRODUCTS 3e8

/* Decades of density from the lightest to the darkest. */
#define DECADES     3.0
#define LEAST_SHADE 0.15

spgemm_status density_begin(density *d, int64_t nrows, int64_t ncols,
                            int height, int width)
{
    *d = (density){.nrows = nrows,
                   .ncols = ncols,
                   .height = (int)min_i64(height, nrows),
                   .width = (int)min_i64(width, ncols)};
    d->cells =
        calloc((size_t)d->height * (size_t)d->width + 1, sizeof *d->cells);
    return d->cells ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY;
}

void density_clear(density *d)
{
    free(d->cells);
    d->cells = NULL;
}

/* n rows or columns in `count` cells, the first of which have one more: where
   cell k begins, and in which cell i is. */
static int64_t first_of(int64_t n, int count, int k)
{
    return n / count * k + min_i64(k, n % count);
}

static int cell_of(int64_t n, int count, int64_t i)
{
    const int64_t size = n / count;
    const int64_t longer = n % count;
    const int64_t in_longer = longer * (size + 1);
    return (int)(i < in_longer ? i / (size + 1)
                               : longer + (i - in_longer) / size);
}

static double *cell(const density *d, int i, int j)
{
    return &d->cells[(int64_t)i * d->width + j];
}

static double places(const density *d, int i, int j)
{
    const int64_t rows =
        first_of(d->nrows, d->height, i + 1) - first_of(d->nrows, d->height, i);
    const int64_t cols =
        first_of(d->ncols, d->width, j + 1) - first_of(d->ncols, d->width, j);
    return (double)rows * (double)cols;
}

/* Entries become shares. */
static void divide(density *d)
{
    for (int i = 0; i < d->height; i++)
        for (int j = 0; j < d->width; j++)
            *cell(d, i, j) = fmin(1, *cell(d, i, j) / places(d, i, j));
}

void density_of_matrix(density *d, const spgemm_csr *A)
{
    d->nnz = (double)A->nnz;
    for (int i = 0; i < d->height; i++) {
        const int64_t end = A->rowptr[first_of(d->nrows, d->height, i + 1)];
        for (int64_t p = A->rowptr[first_of(d->nrows, d->height, i)]; p < end;
             p++)
            *cell(d, i, cell_of(d->ncols, d->width, entry_column(A, p))) += 1;
    }
    divide(d);
}

/* ---- Products -------------------------------------------------------------- */

/* One row for each cell: every step-th row of A's that is in it. */
static spgemm_status gather_rows(spgemm_csr *gathered, const density *d,
                                 const spgemm_csr *A, int64_t step)
{
    const size_t size = index_bytes(A->index_type);
    spgemm_csr made;
    const spgemm_status status = spgemm_csr_create(
        &made, d->height, A->ncols, A->nnz, A->index_type, SPGEMM_INT64, NULL);
    if (status < 0)
        return status;
    int64_t used = 0;
    for (int i = 0; i < d->height; i++) {
        const int64_t end = first_of(d->nrows, d->height, i + 1);
        for (int64_t row = first_of(d->nrows, d->height, i); row < end;
             row += step) {
            const int64_t length = A->rowptr[row + 1] - A->rowptr[row];
            memcpy((char *)made.colidx + (size_t)used * size,
                   (const char *)A->colidx + (size_t)A->rowptr[row] * size,
                   (size_t)length * size);
            used += length;
        }
        made.rowptr[i + 1] = used;
    }
    made.nnz = used;
    *gathered = made;
    return SPGEMM_SUCCESS;
}

/* B, its columns the cells that they are in. */
static spgemm_status gather_columns(spgemm_csr *gathered, const density *d,
                                    const spgemm_csr *B)
{
    spgemm_csr made;
    const spgemm_status status = spgemm_csr_create(
        &made, B->nrows, d->width, B->nnz, B->index_type, SPGEMM_INT64, NULL);
    if (status < 0)
        return status;
    memcpy(made.rowptr, B->rowptr,
           ((size_t)B->nrows + 1) * sizeof *made.rowptr);
    for (int64_t p = 0; p < B->nnz; p++) {
        const int j = cell_of(d->ncols, d->width, entry_column(B, p));
        set_column(&made, p, j);
    }
    *gathered = made;
    return SPGEMM_SUCCESS;
}

/* Products of each cell into it, `step` for each that was looked at. */
static spgemm_status count_products(density *d, const spgemm_csr *A,
                                    const spgemm_csr *B, int64_t step)
{
    const spgemm_options options = {.product.semiring = SPGEMM_PLUS_PAIR};
    spgemm_csr rows = {0};
    spgemm_csr columns = {0};
    spgemm_csr counts = {0};
    spgemm_status status = gather_rows(&rows, d, A, step);
    if (status == SPGEMM_SUCCESS)
        status = gather_columns(&columns, d, B);
    if (status == SPGEMM_SUCCESS)
        status = spgemm_predicted(&counts, &rows, &columns, &options, NULL);
    for (int i = 0; status == SPGEMM_SUCCESS && i < d->height; i++)
        for (int64_t p = counts.rowptr[i]; p < counts.rowptr[i + 1]; p++)
            *cell(d, i, (int)entry_column(&counts, p)) =
                (double)step * (double)((const int64_t *)counts.values)[p];
    spgemm_csr_destroy(&counts);
    spgemm_csr_destroy(&columns);
    spgemm_csr_destroy(&rows);
    return status;
}

/* Products of row i of the grid become entries, `predicted` in all. */
static void meet(density *d, int i, double predicted)
{
    double sum = 0;
    for (int j = 0; j < d->width; j++) {
        const double all = places(d, i, j);
        *cell(d, i, j) = -all * expm1(-*cell(d, i, j) / all);
        sum += *cell(d, i, j);
    }
    for (int j = 0; j < d->width && sum > 0; j++)
        *cell(d, i, j) *= predicted / sum;
}

spgemm_status density_of_product(density *d, const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 const spgemm_options *options)
{
    spgemm_prediction found;
    double *row_nnz = malloc(((size_t)d->nrows + 1) * sizeof *row_nnz);
    if (!row_nnz)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    spgemm_status status = spgemm_predict(&found, A, B, options, row_nnz);
    if (status == SPGEMM_SUCCESS) {
        const double share = (double)found.products / MOST_PRODUCTS;
        d->nnz = found.nnz;
        status = count_products(d, A, B, 1 + (int64_t)share);
    }
    for (int i = 0; status == SPGEMM_SUCCESS && i < d->height; i++) {
        double predicted = 0;
        for (int64_t row = first_of(d->nrows, d->height, i);
             row < first_of(d->nrows, d->height, i + 1); row++)
            predicted += row_nnz[row];
        meet(d, i, predicted);
    }
    divide(d);
    free(row_nnz);
    return status;
}

/* ---- Shades ---------------------------------------------------------------- */

double density_most(const density *d)
{
    double most = 0;
    for (int64_t k = 0; k < (int64_t)d->height * d->width; k++)
        most = fmax(most, d->cells[k]);
    return most;
}

double density_shade(const density *d, double most, int i, int j)
{
    const double share = *cell(d, i, j);
    return share > 0 ? fmax(LEAST_SHADE, 1 + log10(share / most) / DECADES) : 0;
}
