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

/** Bytes of an entry of a matrix, and of its arrays. */
int64_t input_entry_bytes(const spgemm_csr *A);
int64_t input_bytes(const spgemm_csr *A);

#endif
