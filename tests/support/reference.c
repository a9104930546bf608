/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row of C is summed in a dense array over the columns that occur in B. */
#include "reference.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_csr.h"
#include "column_numbers.h"

static column_numbers list_columns(const spgemm_csr *B)
{
    int64_t *columns = must_allocate(B->nnz, sizeof *columns);
    for (int64_t q = 0; q < B->nnz; q++)
        columns[q] = column_of(B, q);
    return number_columns(columns, B->nnz, B->ncols);
}

/* The number of each entry's column. */
static int64_t *number_entries(const spgemm_csr *B, const column_numbers *c)
{
    int64_t *numbers = must_allocate(B->nnz, sizeof *numbers);
    for (int64_t q = 0; q < B->nnz; q++)
        numbers[q] = number_of_column(c, column_of(B, q));
    return numbers;
}

spgemm_csr reference_multiply(const spgemm_csr *A, const spgemm_csr *B)
{
    column_numbers c = list_columns(B);
    int64_t *numbers = number_entries(B, &c);
    double *sums = must_allocate(c.count, sizeof *sums);
    int64_t *touched = must_allocate(c.count, sizeof *touched);
    bool *is_touched = must_allocate(c.count, sizeof *is_touched);
    memset(is_touched, 0, (size_t)c.count * sizeof *is_touched);

    csr_builder C = build_begin(A->nrows, B->ncols);
    for (int64_t i = 0; i < A->nrows; i++) {
        int64_t ntouched = 0;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int64_t k = column_of(A, p);
            for (int64_t q = B->rowptr[k]; q < B->rowptr[k + 1]; q++) {
                const int64_t number = numbers[q];
                if (!is_touched[number]) {
                    is_touched[number] = true;
                    touched[ntouched++] = number;
                    sums[number] = 0.0;
                }
                const double product = value_of(A, p) * value_of(B, q);
                sums[number] = sums[number] + product;
            }
        }
        order_numbers(&c, is_touched, touched, ntouched);
        for (int64_t t = 0; t < ntouched; t++) {
            build_add(&C, c.columns[touched[t]], sums[touched[t]]);
            is_touched[touched[t]] = false;
        }
        build_end_row(&C);
    }
    free_numbers(&c);
    free(numbers);
    free(sums);
    free(touched);
    free(is_touched);
    return build_finish(&C, A->index_type);
}

static bool same_value(double x, double y)
{
    return (isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0;
}

static bool same_header(const spgemm_csr *got, const spgemm_csr *want,
                        char *text, size_t size)
{
    snprintf(text, size,
             "%" PRId64 " x %" PRId64 ", %" PRId64 " entries, types %d %d; "
             "wanted %" PRId64 " x %" PRId64 ", %" PRId64 ", %d %d",
             got->nrows, got->ncols, got->nnz, (int)got->index_type,
             (int)got->value_type, want->nrows, want->ncols, want->nnz,
             (int)want->index_type, (int)want->value_type);
    return got->nrows == want->nrows && got->ncols == want->ncols &&
           got->index_type == want->index_type &&
           got->value_type == want->value_type;
}

static bool same_row(const spgemm_csr *got, const spgemm_csr *want, int64_t i,
                     char *text, size_t size)
{
    for (int64_t p = want->rowptr[i]; p < want->rowptr[i + 1]; p++)
        if (column_of(got, p) != column_of(want, p) ||
            !same_value(value_of(got, p), value_of(want, p))) {
            snprintf(text, size,
                     "row %" PRId64 ", entry %" PRId64 ": (%" PRId64
                     ", %a), wanted (%" PRId64 ", %a)",
                     i, p, column_of(got, p), value_of(got, p),
                     column_of(want, p), value_of(want, p));
            return false;
        }
    return true;
}

bool matrices_agree(const spgemm_csr *got, const spgemm_csr *want, char *text,
                    size_t size)
{
    if (!same_header(got, want, text, size))
        return false;
    for (int64_t i = 0; i <= want->nrows; i++)
        if (got->rowptr[i] != want->rowptr[i]) {
            snprintf(text, size,
                     "rowptr[%" PRId64 "] = %" PRId64 ", wanted %" PRId64, i,
                     got->rowptr[i], want->rowptr[i]);
            return false;
        }
    if (got->nnz != want->nnz)
        return false;
    for (int64_t i = 0; i < want->nrows; i++)
        if (!same_row(got, want, i, text, size))
            return false;
    text[0] = '\0';
    return true;
}
