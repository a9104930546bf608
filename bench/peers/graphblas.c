/* SPDX-License-Identifier: BSD-3-Clause */
/* SuiteSparse:GraphBLAS: GrB_mxm(), plus-times. Unsorted rows are its "jumbled"
   matrices, whose sort is pending; sorted, GrB_mxm() is told so (GxB_SORT), and
   what is left is finished by GrB_wait(). */
#include "copy.h"
#include "peer.h"

#include <GraphBLAS.h>
#include <stdio.h>

static GrB_Matrix operands[2];
static GrB_Matrix c;
static GrB_Descriptor sorts;

static bool open_graphblas(int nthreads, char version[PEER_VERSION_BYTES])
{
    if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS ||
        GxB_set(GxB_NTHREADS, nthreads) != GrB_SUCCESS ||
        GrB_Descriptor_new(&sorts) != GrB_SUCCESS ||
        GxB_set(sorts, GxB_SORT, 1) != GrB_SUCCESS)
        return false;
    int v[3];
    GxB_get(GxB_LIBRARY_VERSION, v);
    snprintf(version, PEER_VERSION_BYTES, "SuiteSparse:GraphBLAS %d.%d.%d",
             v[0], v[1], v[2]);
    return true;
}

static bool take(int which, const spgemm_csr *A)
{
    GrB_Index *columns = copy_room(A->nnz, sizeof *columns);
    const int32_t *colidx = A->colidx;
    for (int64_t p = 0; p < A->nnz; p++)
        columns[p] = (GrB_Index)colidx[p];
    const GrB_Info info = GrB_Matrix_import_FP64(
        &operands[which], GrB_FP64, (GrB_Index)A->nrows, (GrB_Index)A->ncols,
        (const GrB_Index *)A->rowptr, columns, A->values,
        (GrB_Index)A->nrows + 1, (GrB_Index)A->nnz, (GrB_Index)A->nnz,
        GrB_CSR_FORMAT);
    free(columns);
    return info == GrB_SUCCESS &&
           GrB_Matrix_wait(operands[which], GrB_MATERIALIZE) == GrB_SUCCESS;
}

static void release(void)
{
    GrB_Matrix_free(&c);
}

static bool multiply(const peer_product *p)
{
    const GrB_Matrix a = operands[0];
    const GrB_Matrix b = operands[p->right];
    const bool is_sorted = p->order == SPGEMM_ROWS_SORTED;
    GrB_Index nrows;
    GrB_Index ncols;
    GrB_Matrix_nrows(&nrows, a);
    GrB_Matrix_ncols(&ncols, b);
    const bool is_done =
        GrB_Matrix_new(&c, GrB_FP64, nrows, ncols) == GrB_SUCCESS &&
        GxB_set(c, GxB_SPARSITY_CONTROL, GxB_SPARSE) == GrB_SUCCESS &&
        GrB_mxm(c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, b,
                is_sorted ? sorts : NULL) == GrB_SUCCESS &&
        GrB_Matrix_wait(c, is_sorted ? GrB_MATERIALIZE : GrB_COMPLETE) ==
            GrB_SUCCESS;
    if (!is_done)
        release();
    return is_done;
}

static int64_t count(void)
{
    GrB_Index nnz;
    return GrB_Matrix_nvals(&nnz, c) == GrB_SUCCESS ? (int64_t)nnz : -1;
}

static bool give(spgemm_csr *C)
{
    GrB_Index *rowptr;
    GrB_Index *columns;
    double *values;
    GrB_Index sizes[3];
    bool is_iso;
    bool is_jumbled;
    if (GxB_Matrix_unpack_CSR(c, &rowptr, &columns, (void **)&values, &sizes[0],
                              &sizes[1], &sizes[2], &is_iso, &is_jumbled,
                              NULL) != GrB_SUCCESS)
        return false;
    int32_t *colidx = C->colidx;
    double *to = C->values;
    memcpy(C->rowptr, rowptr, ((size_t)C->nrows + 1) * sizeof *rowptr);
    for (int64_t p = 0; p < C->nnz; p++) {
        colidx[p] = (int32_t)columns[p];
        to[p] = values[is_iso ? 0 : p];
    }
    free(rowptr);
    free(columns);
    free(values);
    return true;
}

const peer *bench_peer(void)
{
    static const peer graphblas = {
        .methods = {{"graphblas", PEER_SORTED | PEER_UNSORTED}},
        .is_parallel = true,
        .open = open_graphblas,
        .take = take,
        .multiply = multiply,
        .count = count,
        .give = give,
        .release = release,
    };
    return &graphblas;
}
