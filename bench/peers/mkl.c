/* SPDX-License-Identifier: BSD-3-Clause */
/* oneMKL: mkl_sparse_spmm(), sorted by mkl_sparse_order(). */
#include "copy.h"
#include "peer.h"

#include <mkl.h>
#include <stdio.h>

static sparse_matrix_t operands[2];
static sparse_matrix_t c;

static bool open_mkl(int nthreads, char version[PEER_VERSION_BYTES])
{
    mkl_set_dynamic(0);
    mkl_set_num_threads(nthreads);
    MKLVersion v;
    mkl_get_version(&v);
    snprintf(version, PEER_VERSION_BYTES, "%d.%d.%d, build %s, %s",
             v.MajorVersion, v.MinorVersion, v.UpdateVersion, v.Build,
             v.Processor);
    return true;
}

static bool take(int which, const spgemm_csr *A)
{
    int *rowptr = copy_rowptr(A);
    return mkl_sparse_d_create_csr(&operands[which], SPARSE_INDEX_BASE_ZERO,
                                   (int)A->nrows, (int)A->ncols, rowptr,
                                   rowptr + 1, copy_colidx(A),
                                   copy_values(A)) == SPARSE_STATUS_SUCCESS;
}

static void release(void)
{
    if (c)
        mkl_sparse_destroy(c);
    c = NULL;
}

static bool multiply(const peer_product *p)
{
    sparse_status_t status = mkl_sparse_spmm(
        SPARSE_OPERATION_NON_TRANSPOSE, operands[0], operands[p->right], &c);
    if (status == SPARSE_STATUS_SUCCESS && p->order == SPGEMM_ROWS_SORTED)
        status = mkl_sparse_order(c);
    if (status != SPARSE_STATUS_SUCCESS)
        release();
    return status == SPARSE_STATUS_SUCCESS;
}

static bool arrays(int *nrows, int **rowptr, int **colidx, double **values)
{
    sparse_index_base_t base;
    int ncols;
    int *ends;
    return mkl_sparse_d_export_csr(c, &base, nrows, &ncols, rowptr, &ends,
                                   colidx, values) == SPARSE_STATUS_SUCCESS &&
           base == SPARSE_INDEX_BASE_ZERO && ends == *rowptr + 1;
}

static int64_t count(void)
{
    int nrows;
    int *rowptr;
    int *colidx;
    double *values;
    return arrays(&nrows, &rowptr, &colidx, &values) ? rowptr[nrows] : -1;
}

static bool give(spgemm_csr *C)
{
    int nrows;
    int *rowptr;
    int *colidx;
    double *values;
    if (!arrays(&nrows, &rowptr, &colidx, &values) || nrows != C->nrows)
        return false;
    copy_out(C, rowptr, colidx, values);
    return true;
}

const peer *bench_peer(void)
{
    static const peer mkl = {
        .methods = {{PEER_NAME, PEER_SORTED | PEER_UNSORTED}},
        .is_parallel = true,
        .open = open_mkl,
        .take = take,
        .multiply = multiply,
        .count = count,
        .give = give,
        .release = release,
        .trim = mkl_free_buffers,
    };
    return &mkl;
}
