/* SPDX-License-Identifier: BSD-3-Clause */
/* One product by every variant, row order, number of threads and some
   predictors that lie, in guarded memory: bit for bit the reference, by the
   accumulators it was made for. */
#ifndef SPGEMM_TESTS_EVERY_WAY_H
#define SPGEMM_TESTS_EVERY_WAY_H

#include "spgemm/spgemm.h"

/** How many rows go to an accumulator: so many or, where `most` is more than
    `least`, at least that many by one thread that predicts honestly. */
typedef struct path {
    spgemm_accumulator accumulator;
    int64_t least;
    int64_t most;
    bool needs_avx512; /* and 32-bit columns: not checked elsewhere */
} path;

/** All rows of A, on any machine. */
path all_rows_by(spgemm_accumulator accumulator, const spgemm_csr *A);

/** Whether the leaves written for AVX-512 took this product. */
bool has_leaves(const spgemm_report *report, spgemm_index_type index_type);

/** C = A*B is the reference every way, and rows take `count` paths. `name`
    begins the message. B may be A. */
void expect_every_way(const spgemm_csr *A, const spgemm_csr *B,
                      const path *paths, int count, const char *name);

#endif
