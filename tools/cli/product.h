/* SPDX-License-Identifier: BSD-3-Clause */
/* C = alpha op(A)(rows, :) op(B), under a mask, and what of it is kept: from the
   command line. */
#ifndef TOOLS_PRODUCT_H
#define TOOLS_PRODUCT_H

#include "arguments.h"
#include "input.h"
#include "json.h"
#include "spgemm/spgemm.h"

typedef struct product {
    input a;
    input b;
    input mask;
    const spgemm_csr *A;
    const spgemm_csr *B; /* A itself where the operands are the same */
    spgemm_options options;
    int64_t nrows; /* of C */
    int64_t ncols;
    int64_t *rows;
    double alpha[2]; /* a value of any type */
} product;

/** Read the operands and the mask, bring them to types that can be multiplied,
    give back to the system what reading took beyond them, and set the options
    of the product and of its filter, the threads and the seed. To be cleared
    whatever it returns: how the program ends otherwise, after a message. */
int product_read(product *p, const arguments *args);
void product_clear(product *p);

/** How the program ends after the library refused WHAT, and a message. */
int product_failure(const char *what, spgemm_status status);

/** Bytes of A's and B's arrays, each matrix once. */
int64_t product_input_bytes(const product *p);

/** Shapes and entries, as members of an object that is open. */
void product_print_json(json *j, const product *p);

/** Bytes of C with so many entries. */
double product_bytes(const product *p, double nnz);

#endif
