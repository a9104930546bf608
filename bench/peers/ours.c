/* SPDX-License-Identifier: BSD-3-Clause */
/* This library, as a peer of the others. */
#include <stdio.h>

#include "copy.h"
#include "peer.h"

typedef spgemm_status multiply_fn(spgemm_csr *C, const spgemm_csr *A,
                                  const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report);

static multiply_fn *const variants[] = {spgemm_predicted, spgemm_precise,
                                        spgemm_upper_bound};
static int threads;
static spgemm_csr operands[2];
static spgemm_csr c;

static bool open_ours(int nthreads, char version[PEER_VERSION_BYTES])
{
    threads = nthreads;
    snprintf(version, PEER_VERSION_BYTES, "spgemm %s, %s", spgemm_version(),
             spgemm_memory_name());
    return true;
}

static bool take(int which, const spgemm_csr *A)
{
    spgemm_csr *copy = &operands[which];
    if (spgemm_csr_create(copy, A->nrows, A->ncols, A->nnz, A->index_type,
                          A->value_type, NULL) < 0)
        return false;
    copy_matrix(copy, A);
    copy->flags |= A->flags & SPGEMM_SORTED_ROWS;
    return true;
}

static bool multiply(const peer_product *p)
{
    const spgemm_options options = {.resources.nthreads = threads,
                                    .product.row_order = p->order};
    return variants[p->method](&c, &operands[0], &operands[p->right], &options,
                               p->report) >= 0;
}

static int64_t count(void)
{
    return c.nnz;
}

static bool give(spgemm_csr *C)
{
    copy_matrix(C, &c);
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
