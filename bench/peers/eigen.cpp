/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigen: C = A * B of row-major matrices, whose rows come out sorted. */
#include "copy.h"
#include "peer.h"

#include <Eigen/SparseCore>
#include <cstdio>
#include <new>

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

static Matrix a;
static Matrix b;
static Matrix *c;
static const Matrix *right;

static bool open_eigen(int nthreads, char version[PEER_VERSION_BYTES])
{
    (void)nthreads;
    std::snprintf(version, PEER_VERSION_BYTES, "Eigen %d.%d.%d",
                  EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                  EIGEN_MINOR_VERSION);
    return true;
}

static void take_matrix(Matrix &matrix, const spgemm_csr *A)
{
    int *rowptr = copy_rowptr(A);
    matrix = Eigen::Map<const Matrix>(
        static_cast<int>(A->nrows), static_cast<int>(A->ncols),
        static_cast<int>(A->nnz), rowptr, static_cast<const int *>(A->colidx),
        static_cast<const double *>(A->values));
    std::free(rowptr);
}

static bool take(const spgemm_csr *A, const spgemm_csr *B)
{
    take_matrix(a, A);
    if (A != B)
        take_matrix(b, B);
    right = A == B ? &a : &b;
    return true;
}

static void release()
{
    delete c;
    c = nullptr;
}

static bool multiply(int method, spgemm_row_order order, spgemm_report *report)
{
    (void)method;
    (void)order;
    (void)report;
    try {
        c = new Matrix(a * *right);
    } catch (const std::bad_alloc &) {
        return false;
    }
    return true;
}

static int64_t count()
{
    return c->nonZeros();
}

static bool give(spgemm_csr *C)
{
    c->makeCompressed();
    copy_out(C, c->outerIndexPtr(), c->innerIndexPtr(), c->valuePtr());
    return true;
}

const peer *bench_peer()
{
    static const peer eigen = {
        {{"eigen", PEER_SORTED}},
        false,
        open_eigen,
        take,
        multiply,
        count,
        give,
        release,
        nullptr,
    };
    return &eigen;
}
