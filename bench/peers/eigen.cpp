/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigen: C = A * B of row-major matrices, whose rows come out sorted. */
#include "copy.h"
#include "peer.h"

#include <Eigen/SparseCore>
#include <cstdio>
#include <new>

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, int>;

static Matrix operands[2];
static Matrix *c;

static bool open_eigen(int nthreads, char version[PEER_VERSION_BYTES])
{
    (void)nthreads;
    std::snprintf(version, PEER_VERSION_BYTES, "Eigen %d.%d.%d",
                  EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
                  EIGEN_MINOR_VERSION);
    return true;
}

static bool take(int which, const spgemm_csr *A)
{
    int *rowptr = copy_rowptr(A);
    operands[which] = Eigen::Map<const Matrix>(
        static_cast<int>(A->nrows), static_cast<int>(A->ncols),
        static_cast<int>(A->nnz), rowptr, static_cast<const int *>(A->colidx),
        static_cast<const double *>(A->values));
    std::free(rowptr);
    return true;
}

static void release()
{
    delete c;
    c = nullptr;
}

static bool multiply(const peer_product *p)
{
    try {
        c = new Matrix(operands[0] * operands[p->right]);
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
