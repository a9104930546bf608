/* SPDX-License-Identifier: BSD-3-Clause */
/* Kokkos Kernels: KokkosSparse's symbolic and numeric products, by two of its
   algorithms; sorted by its sort_crs_matrix(). */
#include "copy.h"
#include "peer.h"

#include <KokkosKernels_SparseUtils.hpp>
#include <KokkosSparse_CrsMatrix.hpp>
#include <KokkosSparse_spgemm.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>
#include <exception>

using Space = Kokkos::DefaultHostExecutionSpace;
using Memory = Space::memory_space;
using Matrix = KokkosSparse::CrsMatrix<double, int, Space, void, int>;
using Handle =
    KokkosKernels::Experimental::KokkosKernelsHandle<int, int, double, Space,
                                                     Memory, Memory>;

static const KokkosSparse::SPGEMMAlgorithm algorithms[] = {
    KokkosSparse::SPGEMM_KK, KokkosSparse::SPGEMM_KK_SPEED};
static Matrix *operands[2];
static Matrix *c;

static bool open_kokkos(int nthreads, char version[PEER_VERSION_BYTES])
{
    Kokkos::InitArguments arguments;
    arguments.num_threads = nthreads;
    arguments.disable_warnings = true;
    Kokkos::initialize(arguments);
    std::snprintf(version, PEER_VERSION_BYTES,
                  "Kokkos Kernels with Kokkos %d.%d.%d, %s",
                  KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                  KOKKOS_VERSION % 100, typeid(Space).name());
    return true;
}

static bool take(int which, const spgemm_csr *A)
{
    int *rowptr = copy_rowptr(A);
    const size_t nnz = static_cast<size_t>(A->nnz);
    Kokkos::View<int *, Space> rows("rows", static_cast<size_t>(A->nrows) + 1);
    Kokkos::View<int *, Space> columns("columns", nnz);
    Kokkos::View<double *, Space> values("values", nnz);
    std::memcpy(rows.data(), rowptr, rows.size() * sizeof(int));
    std::memcpy(columns.data(), A->colidx, nnz * sizeof(int));
    std::memcpy(values.data(), A->values, nnz * sizeof(double));
    std::free(rowptr);
    operands[which] =
        new Matrix("A", static_cast<int>(A->nrows), static_cast<int>(A->ncols),
                   static_cast<int>(A->nnz), values, rows, columns);
    return true;
}

static void release()
{
    delete c;
    c = nullptr;
}

static bool multiply(const peer_product *p)
{
    const Matrix &a = *operands[0];
    const Matrix &b = *operands[p->right];
    try {
        Handle handle;
        c = new Matrix;
        handle.set_team_work_size(16);
        handle.set_dynamic_scheduling(true);
        handle.create_spgemm_handle(algorithms[p->method]);
        KokkosSparse::spgemm_symbolic(handle, a, false, b, false, *c);
        KokkosSparse::spgemm_numeric(handle, a, false, b, false, *c);
        if (p->order == SPGEMM_ROWS_SORTED)
            KokkosKernels::Impl::sort_crs_matrix(*c);
    } catch (const std::exception &) {
        release();
    }
    return c;
}

static int64_t count()
{
    return c->nnz();
}

static bool give(spgemm_csr *C)
{
    copy_out(C, c->graph.row_map.data(), c->graph.entries.data(),
             c->values.data());
    return true;
}

const peer *bench_peer()
{
    static const peer kokkos = {
        {{"kokkos_kk", PEER_SORTED | PEER_UNSORTED},
         {"kokkos_speed", PEER_SORTED | PEER_UNSORTED}},
        Space::concurrency() > 1,
        open_kokkos,
        take,
        multiply,
        count,
        give,
        release,
        nullptr,
    };
    return &kokkos;
}
