/* SPDX-License-Identifier: BSD-3-Clause */
/* All methods on one product with one number of threads, in turn. */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#include "bench_options.h"
#include "client.h"
#include "results.h"
#include "verify.h"

/** What a product is timed with. */
typedef struct rounds {
    const bench_options *options;
    client *clients; /* [nclients]; the first is this library */
    int nclients;
    product_files files;
    const reference *reference;
    results_product product;
    double operand_bytes; /* of A and B */
    int nthreads;
    FILE *output;
} rounds;

/**
 * Verify each method's C, then time those that are right. false: this library
 * was wrong. Peers whose processes would not fit into memory beside one
 * another are timed in batches.
 */
bool rounds_run(const rounds *r);

#endif
