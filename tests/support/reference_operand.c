/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference_operand.h"

#include <stdlib.h>
#include <string.h>

#include "column_numbers.h"

static operand begin_operand(int64_t nrows, int64_t ncols, int64_t nnz)
{
    operand o = {.nrows = nrows, .ncols = ncols, .nnz = nnz};
    o.rowptr = must_allocate(nrows + 1, sizeof *o.rowptr);
    o.columns = must_allocate(nnz, sizeof *o.columns);
    o.values = must_allocate(nnz, sizeof *o.values);
    o.rowptr[0] = 0;
    return o;
}

operand empty_operand(int64_t nrows, int64_t ncols)
{
    operand o = begin_operand(nrows, ncols, 0);
    memset(o.rowptr, 0, ((size_t)nrows + 1) * sizeof *o.rowptr);
    return o;
}

void free_operand(operand *o)
{
    free(o->rowptr);
    free(o->columns);
    free(o->values);
    free(o->conjugates);
    *o = (operand){0};
}

static operand as_it_is(const spgemm_csr *A)
{
    const size_t bytes = bytes_of_type(A->value_type);
    operand o = begin_operand(A->nrows, A->ncols, A->nnz);
    memcpy(o.rowptr, A->rowptr, ((size_t)A->nrows + 1) * sizeof *o.rowptr);
    for (int64_t p = 0; p < A->nnz; p++) {
        o.columns[p] = column_of(A, p);
        o.values[p] =
            A->values ? (const char *)A->values + (size_t)p * bytes : NULL;
    }
    return o;
}

static void conjugate(operand *o, spgemm_value_type type)
{
    const size_t bytes = bytes_of_type(type);
    o->conjugates = must_allocate(o->nnz, bytes);
    for (int64_t p = 0; p < o->nnz; p++) {
        char *value = o->conjugates + (size_t)p * bytes;
        scalar x = read_scalar(type, o->values[p], 0);
        x.im = -x.im;
        write_scalar(type, value, 0, x);
        o->values[p] = value;
    }
}

static operand transposed(const operand *o)
{
    operand t = begin_operand(o->ncols, o->nrows, o->nnz);
    int64_t *next = must_allocate(o->ncols + 1, sizeof *next);
    memset(next, 0, ((size_t)o->ncols + 1) * sizeof *next);
    for (int64_t p = 0; p < o->nnz; p++)
        next[o->columns[p] + 1]++;
    for (int64_t k = 0; k < o->ncols; k++)
        next[k + 1] += next[k];
    memcpy(t.rowptr, next, ((size_t)o->ncols + 1) * sizeof *next);
    for (int64_t i = 0; i < o->nrows; i++)
        for (int64_t p = o->rowptr[i]; p < o->rowptr[i + 1]; p++) {
            const int64_t at = next[o->columns[p]]++;
            t.columns[at] = i;
            t.values[at] = o->values[p];
        }
    free(next);
    return t;
}

operand take_operand(const spgemm_csr *A, spgemm_operation operation)
{
    operand o = as_it_is(A);
    if (operation == SPGEMM_OP_NONE)
        return o;
    operand t = transposed(&o);
    free_operand(&o);
    if (operation == SPGEMM_OP_CONJUGATE_TRANSPOSE && A->values &&
        is_complex(A->value_type))
        conjugate(&t, A->value_type);
    return t;
}

void take_rows(operand *o, const int64_t *rows, int64_t nrows)
{
    int64_t nnz = 0;
    for (int64_t i = 0; i < nrows; i++)
        nnz += o->rowptr[rows[i] + 1] - o->rowptr[rows[i]];
    operand t = begin_operand(nrows, o->ncols, nnz);
    nnz = 0;
    for (int64_t i = 0; i < nrows; i++) {
        for (int64_t p = o->rowptr[rows[i]]; p < o->rowptr[rows[i] + 1]; p++) {
            t.columns[nnz] = o->columns[p];
            t.values[nnz++] = o->values[p];
        }
        t.rowptr[i + 1] = nnz;
    }
    t.conjugates = o->conjugates;
    o->conjugates = NULL;
    free_operand(o);
    *o = t;
}

void take_columns(operand *o, const int64_t *cols, int64_t ncols)
{
    int64_t nnz = 0;
    int64_t p = 0;
    for (int64_t i = 0; i < o->nrows; i++) {
        for (; p < o->rowptr[i + 1]; p++) {
            const int64_t j = find_number(o->columns[p], cols, ncols);
            if (j >= 0) {
                o->columns[nnz] = j;
                o->values[nnz++] = o->values[p];
            }
        }
        o->rowptr[i + 1] = nnz;
    }
    o->ncols = ncols;
    o->nnz = nnz;
}
