/* SPDX-License-Identifier: BSD-3-Clause */
/* From any bytes to a small matrix, well formed or not. */
#ifndef SPGEMM_TESTS_FUZZ_BYTES_H
#define SPGEMM_TESTS_FUZZ_BYTES_H

#include <stdio.h>
#include <stdlib.h>

#include "build_csr.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** What is left of the input. */
typedef struct fuzz_bytes {
    const uint8_t *data;
    size_t size;
} fuzz_bytes;

/** The next byte; 0 at the end. */
static inline uint8_t next_byte(fuzz_bytes *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->data++;
}

enum { FUZZ_LARGEST = 24 };

/* Mostly the number itself, now and then one that no matrix should hold. */
static inline int64_t distort(int64_t number, uint8_t how)
{
    switch (how) {
    case 251:
        return -number - 1;
    case 252:
        return INT64_MAX;
    case 253:
        return INT32_MIN;
    case 254:
        return number + FUZZ_LARGEST;
    case 255:
        return ((int64_t)1 << 32) + number;
    default:
        return number;
    }
}

static inline double value_from(uint8_t byte)
{
    static const double rare[] = {0.0,       -0.0,    1e308,    -1e308,
                                  0x1p-1074, 1.0 / 3, 0x1p-600, -0x1p600};
    return byte >= 248 ? rare[byte - 248] : (double)byte - 100;
}

/**
 * An nrows x ncols matrix of at most FUZZ_LARGEST rows and entries a row. Its
 * arrays are as long as its header says, whatever stands in them. Free with
 * free_csr().
 */
static inline spgemm_csr fuzz_matrix(fuzz_bytes *in, int64_t nrows,
                                     int64_t ncols,
                                     spgemm_index_type index_type)
{
    csr_builder b = build_begin(nrows, ncols);
    while (b.row < nrows) {
        for (int length = next_byte(in) % FUZZ_LARGEST; length > 0; length--) {
            const uint8_t column = next_byte(in);
            const int64_t inside = ncols > 0 ? column % ncols : 0;
            build_add(&b, distort(inside, column), value_from(next_byte(in)));
        }
        build_end_row(&b);
        b.rowptr[b.row] = distort(b.rowptr[b.row], next_byte(in));
    }
    const uint8_t trailer = next_byte(in);
    spgemm_csr M = build_finish(&b, index_type);
    if (trailer >= 252)
        M.flags = trailer - 252u;
    return M;
}

/** Say what went wrong and abort: libFuzzer and ctest both see it. */
static inline void fail_fuzz(const char *what, const char *detail)
{
    fprintf(stderr, "%s: %s\n", what, detail);
    abort();
}

#endif
