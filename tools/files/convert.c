/* SPDX-License-Identifier: BSD-3-Clause */
/* A copy whose columns and values are of another type. */
#include "convert.h"

#include <string.h>

#include "entries.h"

bool convert_is_complex(spgemm_value_type type)
{
    return type == SPGEMM_CFP64 || type == SPGEMM_CFP32;
}

bool convert_is_integer(spgemm_value_type type)
{
    return type == SPGEMM_INT64 || type == SPGEMM_INT32;
}

bool convert_is_single(spgemm_value_type type)
{
    return type == SPGEMM_FP32 || type == SPGEMM_CFP32;
}

spgemm_value_type convert_common_type(spgemm_value_type a, spgemm_value_type b)
{
    if (a == b || b == SPGEMM_BOOL)
        return a;
    if (a == SPGEMM_BOOL)
        return b;
    if (convert_is_integer(a) && convert_is_integer(b))
        return SPGEMM_INT64;
    if (!convert_is_complex(a) && !convert_is_complex(b))
        return SPGEMM_FP64;
    return convert_is_single(a) && convert_is_single(b) ? SPGEMM_CFP32
                                                        : SPGEMM_CFP64;
}

static number get(const void *values, spgemm_value_type type, int64_t p)
{
    const double *doubles = values;
    const float *floats = values;
    number n = {0};
    switch (type) {
    case SPGEMM_FP64:
        return (number){.real = doubles[p]};
    case SPGEMM_FP32:
        return (number){.real = (double)floats[p]};
    case SPGEMM_CFP64:
        return (number){.real = doubles[2 * p],
                        .imaginary = doubles[2 * p + 1]};
    case SPGEMM_CFP32:
        return (number){.real = (double)floats[2 * p],
                        .imaginary = (double)floats[2 * p + 1]};
    case SPGEMM_INT64:
        n.integer = ((const int64_t *)values)[p];
        break;
    case SPGEMM_INT32:
        n.integer = ((const int32_t *)values)[p];
        break;
    case SPGEMM_BOOL:
        n.integer = ((const uint8_t *)values)[p];
        break;
    case SPGEMM_ELEMENTS_BASE: /* of no file */
        break;
    }
    n.real = (double)n.integer;
    return n;
}

void convert_put(void *values, spgemm_value_type type, int64_t p, number n)
{
    double *doubles = values;
    float *floats = values;
    switch (type) {
    case SPGEMM_FP64:
        doubles[p] = n.real;
        break;
    case SPGEMM_FP32:
        floats[p] = (float)n.real;
        break;
    case SPGEMM_CFP64:
        doubles[2 * p] = n.real;
        doubles[2 * p + 1] = n.imaginary;
        break;
    case SPGEMM_CFP32:
        floats[2 * p] = (float)n.real;
        floats[2 * p + 1] = (float)n.imaginary;
        break;
    case SPGEMM_INT64:
        ((int64_t *)values)[p] = n.integer;
        break;
    case SPGEMM_INT32:
        ((int32_t *)values)[p] = (int32_t)n.integer;
        break;
    case SPGEMM_BOOL:
        ((uint8_t *)values)[p] = (uint8_t)n.integer;
        break;
    case SPGEMM_ELEMENTS_BASE:
        break;
    }
}

static void copy_columns(spgemm_csr *to, const spgemm_csr *from)
{
    if (to->index_type == from->index_type) {
        memcpy(to->colidx, from->colidx,
               (size_t)from->nnz * index_bytes(from->index_type));
        return;
    }
    const int32_t *narrow = from->colidx;
    int64_t *wide = to->colidx;
    for (int64_t p = 0; p < from->nnz; p++)
        wide[p] = narrow[p];
}

static void copy_values(spgemm_csr *to, const spgemm_csr *from)
{
    if (to->value_type == from->value_type)
        memcpy(to->values, from->values,
               (size_t)from->nnz * spgemm_value_bytes(from->value_type));
    else
        for (int64_t p = 0; p < from->nnz; p++)
            convert_put(to->values, to->value_type, p,
                        get(from->values, from->value_type, p));
}

spgemm_status convert_matrix(spgemm_csr *A, spgemm_index_type index_type,
                             spgemm_value_type value_type)
{
    spgemm_csr made;
    if (A->index_type == index_type && A->value_type == value_type)
        return SPGEMM_SUCCESS;
    const spgemm_status status = spgemm_csr_create(
        &made, A->nrows, A->ncols, A->nnz, index_type, value_type, NULL);
    if (status < 0)
        return status;
    memcpy(made.rowptr, A->rowptr,
           ((size_t)A->nrows + 1) * sizeof *made.rowptr);
    copy_columns(&made, A);
    copy_values(&made, A);
    made.flags |= A->flags & SPGEMM_SORTED_ROWS;
    spgemm_csr_destroy(A);
    *A = made;
    return SPGEMM_SUCCESS;
}

spgemm_status convert_merge_truths(spgemm_csr *A)
{
    uint8_t *truths = A->values;
    if (A->value_type != SPGEMM_BOOL || A->flags & SPGEMM_SORTED_ROWS)
        return SPGEMM_SUCCESS;
    const spgemm_status status = spgemm_csr_sort_rows(A);
    if (status < 0)
        return status;
    int64_t used = 0;
    int64_t begin = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t first = used;
        for (int64_t p = begin; p < A->rowptr[i + 1]; p++) {
            const int64_t column = entry_column(A, p);
            if (used > first && entry_column(A, used - 1) == column) {
                truths[used - 1] |= truths[p];
                continue;
            }
            set_column(A, used, column);
            truths[used++] = truths[p];
        }
        begin = A->rowptr[i + 1];
        A->rowptr[i + 1] = used;
    }
    A->nnz = used;
    A->flags |= SPGEMM_SORTED_ROWS;
    return SPGEMM_SUCCESS;
}
