/* SPDX-License-Identifier: BSD-3-Clause */
/* This library, as a peer of the others. */
#include <stdio.h>
#include <string.h>

#include "peer.h"

typedef spgemm_status multiply_fn(spgemm_csr *C, const spgemm_csr *A,
                                  const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report);

static multiply_fn *const variants[] = {spgemm_predicted, spgemm_precise,
                                        spgemm_upper_bound};
static int threads;
static spgemm_csr a;
static spgemm_csr b;
static const spgemm_csr *right;
static spgemm_csr c;

static bool open_ours(int nthreads, char version[PEER_VERSION_BYTES])
{
    threads = nthreads;
    snprintf(version, PEER_VERSION_BYTES, "spgemm %s, %s", spgemm_version(),
             spgemm_memory_name());
    return true;
}

static bool take_matrix(spgemm_csr *copy, const spgemm_csr *A)
{
    if (spgemm_csr_create(copy, A->nrows, A->ncols, A->nnz, A->index_type,
                          A->value_type, NULL) < 0)
        return false;
    memcpy(copy->rowptr, A->rowptr, ((size_t)A->nrows + 1) * sizeof(int64_t));
    memcpy(copy->colidx, A->colidx, (size_t)A->nnz * sizeof(int32_t));
    memcpy(copy->values, A->values, (size_t)A->nnz * sizeof(double));
    copy->flags |= A->flags & SPGEMM_SORTED_ROWS;
    return true;
}

static bool take(const spgemm_csr *A, const spgemm_csr *B)
{
    right = A == B ? &a : &b;
    return take_matrix(&a, A) && (A == B || take_matrix(&b, B));
}

static bool multiply(int method, spgemm_row_order order, spgemm_report *report)
{
    const spgemm_options options = {.resources.nthreads = threads,
                                    .product.row_order = order};
    return variants[method](&c, &a, right, &options, report) >= 0;
}

static int64_t count(void)
{
    return c.nnz;
}

static bool give(spgemm_csr *C)
{
    memcpy(C->rowptr, c.rowptr, ((size_t)c.nrows + 1) * sizeof(int64_t));
    memcpy(C->colidx, c.colidx, (size_t)c.nnz * sizeof(int32_t));
    memcpy(C->values, c.values, (size_t)c.nnz * sizeof(double));
    return true;
}

static void release(void)
{
    spgemm_csr_destroy(&c);
}

const peer *bench_peer(void)
{
    static const peer ours = {
        .methods = {{"predicted", PEER_SORTED | PEER_UNSORTED},
                    {"precise", PEER_SORTED},
                    {"upper_bound", PEER_SORTED}},
        .is_parallel = true,
        .open = open_ours,
        .take = take,
        .multiply = multiply,
        .count = count,
        .give = give,
        .release = release,
        .trim = spgemm_memory_trim,
    };
    return &ours;
}
