/* SPDX-License-Identifier: BSD-3-Clause */
/* What the prediction of A*B*C is made of. */
#ifndef SPGEMM_SPGEMM_CHAIN_STEPS_H
#define SPGEMM_SPGEMM_CHAIN_STEPS_H

#include "alloc/memory.h"
#include "spgemm/chain.h"

/* The three are patterns that have been checked. */
typedef struct chain {
    spgemm_options options; /* of the products and predictions within */
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr C;
    memory m;
    double budget;        /* products that each of the two samples may count */
    int64_t first_budget; /* of each first product; 0: the default */
    spgemm_chain found;
} chain;

/** found.nnz and found.left.products, from rows of A; `right` are the products of
    each row of B with C. */
spgemm_status spgemm_chain_sample_left(chain *c, const double *right);

/** found.right.products, from rows of B. */
spgemm_status spgemm_chain_sample_right(chain *c, const double *right);

#endif
