/* SPDX-License-Identifier: BSD-3-Clause */
/* hypre: hypre_CSRMatrixMultiply(). It has no function that sorts rows; two
   transpositions do. */
#include "copy.h"
#include "peer.h"

#include <_hypre_utilities.h>
#include <seq_mv.h>
#include <stdio.h>

static hypre_CSRMatrix *operands[2];
static hypre_CSRMatrix *c;

static bool open_hypre(int nthreads, char version[PEER_VERSION_BYTES])
{
    (void)nthreads;
    int is_there = 0;
    MPI_Initialized(&is_there);
    if (!is_there && MPI_Init(NULL, NULL) != MPI_SUCCESS)
        return false;
    snprintf(version, PEER_VERSION_BYTES, "hypre %s", HYPRE_RELEASE_VERSION);
    return HYPRE_Init() == 0;
}

static bool take(int which, const spgemm_csr *A)
{
    hypre_CSRMatrix *matrix = hypre_CSRMatrixCreate(
        (HYPRE_Int)A->nrows, (HYPRE_Int)A->ncols, (HYPRE_Int)A->nnz);
    hypre_CSRMatrixI(matrix) = copy_rowptr(A);
    hypre_CSRMatrixJ(matrix) = copy_colidx(A);
    hypre_CSRMatrixData(matrix) = copy_values(A);
    hypre_CSRMatrixMemoryLocation(matrix) = HYPRE_MEMORY_HOST;
    hypre_CSRMatrixSetRownnz(matrix);
    operands[which] = matrix;
    return matrix;
}

static void release(void)
{
    hypre_CSRMatrixDestroy(c);
    c = NULL;
}

static bool sort_rows(void)
{
    hypre_CSRMatrix *transposed = NULL;
    hypre_CSRMatrixTranspose(c, &transposed, 1);
    release();
    if (!transposed)
        return false;
    hypre_CSRMatrixTranspose(transposed, &c, 1);
    hypre_CSRMatrixDestroy(transposed);
    return c;
}

static bool multiply(const peer_product *p)
{
    c = hypre_CSRMatrixMultiply(operands[0], operands[p->right]);
    return c && (p->order == SPGEMM_ROWS_UNSORTED || sort_rows());
}

static int64_t count(void)
{
    return hypre_CSRMatrixI(c)[hypre_CSRMatrixNumRows(c)];
}

static bool give(spgemm_csr *C)
{
    copy_out(C, hypre_CSRMatrixI(c), hypre_CSRMatrixJ(c),
             hypre_CSRMatrixData(c));
    return true;
}

const peer *bench_peer(void)
{
    static const peer hypre = {
        .methods = {{"hypre", PEER_SORTED | PEER_UNSORTED}},
        .open = open_hypre,
        .take = take,
        .multiply = multiply,
        .count = count,
        .give = give,
        .release = release,
    };
    return &hypre;
}
