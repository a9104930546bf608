/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices from files. */
#ifndef TOOLS_INPUT_H
#define TOOLS_INPUT_H

#include "arguments.h"
#include "spgemm/spgemm.h"

typedef struct input {
    const char *name;
    spgemm_csr matrix;
    char field[16]; /* words of the banner */
    char symmetry[16];
    const char *content; /* "text" or "arrays" */
    int64_t text_bytes;  /* of it, once unpacked */
    double seconds;
} input;

/** Read a matrix, by --threads and --memory-limit; how the program ends
    otherwise, after a message. */
int input_read(input *in, const char *path, const arguments *args);

/** A and B of a product: operands of a command. */
typedef struct input_pair {
    input a;
    input b;
    const spgemm_csr *A;
    const spgemm_csr *B; /* A itself where the operands are the same */
} input_pair;

/** Read both, check that they can be multiplied, and give back to the system
    what reading took beyond them. To be cleared whatever it returns. */
int input_read_pair(input_pair *pair, const arguments *args);
void input_clear_pair(input_pair *pair);

/** Bytes of a matrix's arrays. */
int64_t input_bytes(const spgemm_csr *A);

/** Bytes of A's and B's arrays, each matrix once. */
int64_t input_pair_bytes(const input_pair *pair);

#endif
