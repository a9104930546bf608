/* SPDX-License-Identifier: BSD-3-Clause */
#include "graphblas_objects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scalars.h"

void must(GrB_Info info, const char *what)
{
    if (info != GrB_SUCCESS) {
        fprintf(stderr, "GraphBLAS: %s: %d\n", what, (int)info);
        exit(2);
    }
}

GrB_Type graphblas_type(spgemm_value_type type)
{
    const GrB_Type types[SPGEMM_VALUE_TYPE_COUNT] = {
        GrB_FP64, GrB_FP32, GxB_FC64, GxB_FC32, GrB_INT64, GrB_INT32, GrB_BOOL};
    return types[type];
}

/* In the order of spgemm_semiring. */
#define ORDERED_SEMIRINGS(T)                                                   \
    {                                                                          \
        GxB_PLUS_TIMES_##T, GxB_PLUS_PAIR_##T, GxB_PLUS_FIRST_##T,             \
            GxB_PLUS_SECOND_##T, GxB_PLUS_MIN_##T, GxB_MIN_PLUS_##T,           \
            GxB_MAX_PLUS_##T, GxB_MIN_MAX_##T, GxB_MAX_MIN_##T,                \
            GxB_LOR_LAND_BOOL, GxB_ANY_PAIR_##T                                \
    }
#define COMPLEX_SEMIRINGS(T)                                                   \
    {                                                                          \
        [SPGEMM_PLUS_TIMES] = GxB_PLUS_TIMES_##T,                              \
        [SPGEMM_PLUS_PAIR] = GxB_PLUS_PAIR_##T,                                \
        [SPGEMM_PLUS_FIRST] = GxB_PLUS_FIRST_##T,                              \
        [SPGEMM_PLUS_SECOND] = GxB_PLUS_SECOND_##T,                            \
        [SPGEMM_ANY_PAIR] = GxB_ANY_PAIR_##T                                   \
    }

GrB_Semiring graphblas_semiring(spgemm_semiring semiring,
                                spgemm_value_type type)
{
    const GrB_Semiring semirings[SPGEMM_VALUE_TYPE_COUNT][SPGEMM_USER] = {
        [SPGEMM_FP64] = ORDERED_SEMIRINGS(FP64),
        [SPGEMM_FP32] = ORDERED_SEMIRINGS(FP32),
        [SPGEMM_CFP64] = COMPLEX_SEMIRINGS(FC64),
        [SPGEMM_CFP32] = COMPLEX_SEMIRINGS(FC32),
        [SPGEMM_INT64] = ORDERED_SEMIRINGS(INT64),
        [SPGEMM_INT32] = ORDERED_SEMIRINGS(INT32),
        [SPGEMM_BOOL] =
            {
                [SPGEMM_PLUS_TIMES] = GxB_LOR_LAND_BOOL,
                [SPGEMM_PLUS_PAIR] = GxB_LOR_PAIR_BOOL,
                [SPGEMM_PLUS_FIRST] = GxB_LOR_FIRST_BOOL,
                [SPGEMM_PLUS_SECOND] = GxB_LOR_SECOND_BOOL,
                [SPGEMM_PLUS_MIN] = GxB_LOR_LAND_BOOL,
                [SPGEMM_MIN_PLUS] = GxB_LAND_LOR_BOOL,
                [SPGEMM_MAX_PLUS] = GxB_LOR_LOR_BOOL,
                [SPGEMM_MIN_MAX] = GxB_LAND_LOR_BOOL,
                [SPGEMM_MAX_MIN] = GxB_LOR_LAND_BOOL,
                [SPGEMM_OR_AND] = GxB_LOR_LAND_BOOL,
                [SPGEMM_ANY_PAIR] = GxB_ANY_PAIR_BOOL,
            },
    };
    return semirings[type][semiring];
}

GrB_BinaryOp graphblas_addition(spgemm_semiring semiring,
                                spgemm_value_type type)
{
    enum { PLUS, MIN, MAX, ANY, ADDITIONS };
    const GrB_BinaryOp additions[SPGEMM_VALUE_TYPE_COUNT][ADDITIONS] = {
        {GrB_PLUS_FP64, GrB_MIN_FP64, GrB_MAX_FP64, GxB_ANY_FP64},
        {GrB_PLUS_FP32, GrB_MIN_FP32, GrB_MAX_FP32, GxB_ANY_FP32},
        {GxB_PLUS_FC64, NULL, NULL, GxB_ANY_FC64},
        {GxB_PLUS_FC32, NULL, NULL, GxB_ANY_FC32},
        {GrB_PLUS_INT64, GrB_MIN_INT64, GrB_MAX_INT64, GxB_ANY_INT64},
        {GrB_PLUS_INT32, GrB_MIN_INT32, GrB_MAX_INT32, GxB_ANY_INT32},
        {GrB_LOR, GrB_LAND, GrB_LOR, GxB_ANY_BOOL},
    };
    switch (semiring) {
    case SPGEMM_MIN_PLUS:
    case SPGEMM_MIN_MAX:
        return additions[type][MIN];
    case SPGEMM_MAX_PLUS:
    case SPGEMM_MAX_MIN:
        return additions[type][MAX];
    case SPGEMM_OR_AND:
        return GrB_LOR;
    case SPGEMM_ANY_PAIR:
        return additions[type][ANY];
    default:
        return additions[type][PLUS];
    }
}

GrB_Matrix to_graphblas(const spgemm_csr *A)
{
    const size_t bytes = bytes_of_type(A->value_type);
    const GrB_Index rows = (GrB_Index)A->nrows + 1;
    const GrB_Index nnz = (GrB_Index)A->nnz;
    GrB_Matrix matrix = NULL;
    GrB_Index *rowptr = must_allocate(A->nrows + 1, sizeof *rowptr);
    GrB_Index *colidx = must_allocate(A->nnz, sizeof *colidx);
    void *values = must_allocate(A->nnz, bytes);
    memcpy(rowptr, A->rowptr, rows * sizeof *rowptr);
    for (int64_t p = 0; p < A->nnz; p++) {
        colidx[p] = (GrB_Index)column_of(A, p);
        write_scalar(A->value_type, values, p,
                     read_scalar(A->value_type, A->values, p));
    }
    must(GxB_Matrix_import_CSR(&matrix, graphblas_type(A->value_type),
                               (GrB_Index)A->nrows, (GrB_Index)A->ncols,
                               &rowptr, &colidx, &values, rows * sizeof *rowptr,
                               (nnz ? nnz : 1) * sizeof *colidx,
                               nnz ? nnz * bytes : 1, false, true, NULL),
         "import");
    return matrix;
}

/* Values of a matrix whose entries are all one, as each entry's. */
static void *expand(void *values, int64_t nnz, size_t bytes)
{
    char *all = must_allocate(nnz, bytes);
    for (int64_t p = 0; p < nnz; p++)
        memcpy(all + (size_t)p * bytes, values, bytes);
    free(values);
    return all;
}

static spgemm_value_type our_type(GrB_Type type)
{
    int found = 0;
    while (graphblas_type((spgemm_value_type)found) != type)
        found++;
    return (spgemm_value_type)found;
}

spgemm_csr from_graphblas(GrB_Matrix *C, spgemm_index_type index_type)
{
    GrB_Type type;
    GrB_Index nrows, ncols, *rowptr, *colidx, sizes[3];
    void *values;
    bool is_iso = false;
    must(GrB_Matrix_wait(*C, GrB_MATERIALIZE), "wait");
    must(GxB_Matrix_export_CSR(C, &type, &nrows, &ncols, &rowptr, &colidx,
                               &values, &sizes[0], &sizes[1], &sizes[2],
                               &is_iso, NULL, NULL),
         "export");
    csr_builder b = build_begin((int64_t)nrows, (int64_t)ncols);
    for (GrB_Index i = 0; i < nrows; i++) {
        for (GrB_Index p = rowptr[i]; p < rowptr[i + 1]; p++)
            build_add(&b, (int64_t)colidx[p], 0);
        build_end_row(&b);
    }
    spgemm_csr ours = build_finish(&b, index_type);
    free(ours.values);
    free(rowptr);
    free(colidx);
    ours.value_type = our_type(type);
    ours.values = values;
    if (is_iso)
        ours.values = expand(values, ours.nnz, bytes_of_type(ours.value_type));
    if (!ours.values)
        ours.values = must_allocate(0, 1);
    sort_typed(&ours);
    return ours;
}
