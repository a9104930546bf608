/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of products, read from a file: name, left and right operand a line. */
#ifndef BENCH_SUITE_H
#define BENCH_SUITE_H

#include <stdbool.h>

#include "matrix_file.h"

enum { SUITE_PRODUCTS = 512, SUITE_TEXT_BYTES = 192 };

typedef struct suite_product {
    char name[SUITE_TEXT_BYTES];
    char left[SUITE_TEXT_BYTES];
    char right[SUITE_TEXT_BYTES]; /* as left: B is A */
} suite_product;

typedef struct suite {
    suite_product products[SUITE_PRODUCTS];
    int count;
    const char *folder; /* of relative paths; NULL: the current one */
    char why[MATRIX_FILE_WHY_BYTES]; /* what was wrong */
} suite;

/** Add the products of a file NAME.tsv, or the square of the matrix of any other;
    false: why says what is wrong with it. */
bool suite_add(suite *s, const char *path);

/** The operands of a product. */
typedef struct suite_operands {
    spgemm_csr a;
    spgemm_csr b;        /* zeroed: B is A */
    const spgemm_csr *A; /* &a */
    const spgemm_csr *B; /* &a or &b */
} suite_operands;

/** Read or make them; to be cleared whatever it returns. */
bool suite_load(suite *s, int k, suite_operands *o);
void suite_clear(suite_operands *o);

#endif
