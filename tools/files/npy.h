/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of NumPy's .npy: what an array's elements are, and how many. */
#ifndef TOOLS_NPY_H
#define TOOLS_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spgemm/spgemm.h"

enum {
    NPY_PREFIX_BYTES = 12,          /* tell how long the header is */
    NPY_LONGEST_HEADER = 64 * 1024, /* that is read */
    NPY_WRITTEN_BYTES = 128,        /* of a header that is written here */
    NPY_MOST_DIMENSIONS = 32,
    NPY_DTYPE_BYTES = 24
};

typedef struct npy_header {
    char dtype[NPY_DTYPE_BYTES]; /* as the file has it: "<f8" */
    char order;                  /* '<', '>', '|' or '=' */
    char kind;                   /* 'f', 'c', 'i', 'u', 'b', 'S', 'U', ... */
    int64_t item_bytes;
    int ndims;
    int64_t shape[NPY_MOST_DIMENSIONS];
} npy_header;

/** Bytes of the whole header, the prefix included; 0: it is none. */
size_t npy_header_bytes(const unsigned char prefix[NPY_PREFIX_BYTES]);

/** Parse a header of so many bytes; NULL, or what is wrong with it. */
const char *npy_parse(npy_header *h, const char *header, size_t length);

/** NULL, or why numbers of this type cannot be read at all. */
const char *npy_refusal(const npy_header *h);

/** Whether it is int32 or int64, and which. */
bool npy_is_index(const npy_header *h, spgemm_index_type *type);

/** Whether its numbers fit a type of the library: the smallest that holds all
    of them. */
bool npy_is_value(const npy_header *h, spgemm_value_type *type);

/** The dtype of a value; NULL: no type of the table. */
const char *npy_value_dtype(spgemm_value_type type);

/** A header of NPY_WRITTEN_BYTES for a single element (count < 0) or an array
    of one dimension. */
void npy_format(char header[NPY_WRITTEN_BYTES], const char *dtype,
                int64_t count);

#endif
