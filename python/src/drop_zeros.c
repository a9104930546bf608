/* SPDX-License-Identifier: BSD-3-Clause */
/* C without its entries that are zero: few have any, so that C is multiplied with
   them, and looked through. */
#include <string.h>

#include "core.h"

enum { STRETCH = 4096 }; /* entries that are looked at at once */

/* Of entries of 8 bytes, or of two of them (complex): zeros among n. shift: 1 of
   floating point, whose sign does not matter. */
static int64_t count_zeros_64(const uint64_t *x, int64_t n, int words,
                              int shift)
{
    int64_t zeros = 0;
    if (words == 2)
        for (int64_t p = 0; p < n; p++)
            zeros += ((x[2 * p] | x[2 * p + 1]) << shift) == 0;
    else
        for (int64_t p = 0; p < n; p++)
            zeros += x[p] << shift == 0;
    return zeros;
}

/* The same of 4 bytes. */
static int64_t count_zeros_32(const uint32_t *x, int64_t n, int words,
                              int shift)
{
    int64_t zeros = 0;
    if (words == 2)
        for (int64_t p = 0; p < n; p++)
            zeros += ((x[2 * p] | x[2 * p + 1]) << shift) == 0;
    else
        for (int64_t p = 0; p < n; p++)
            zeros += x[p] << shift == 0;
    return zeros;
}

static int64_t count_zeros_8(const uint8_t *x, int64_t n)
{
    int64_t zeros = 0;
    for (int64_t p = 0; p < n; p++)
        zeros += x[p] == 0;
    return zeros;
}

/* Zeros among entries [begin, end). */
static int64_t count_zeros(const spgemm_csr *C, int64_t begin, int64_t end)
{
    const spgemm_value_type type = C->value_type;
    const bool is_complex = type == SPGEMM_CFP64 || type == SPGEMM_CFP32;
    const int words = is_complex ? 2 : 1;
    const int shift =
        is_complex || type == SPGEMM_FP64 || type == SPGEMM_FP32 ? 1 : 0;
    const size_t size = spgemm_value_bytes(type);
    const char *at = (const char *)C->values + (size_t)begin * size;
    switch (size / (size_t)words) {
    case sizeof(uint64_t):
        return count_zeros_64((const uint64_t *)(const void *)at, end - begin,
                              words, shift);
    case sizeof(uint32_t):
        return count_zeros_32((const uint32_t *)(const void *)at, end - begin,
                              words, shift);
    default:
        return count_zeros_8((const uint8_t *)at, end - begin);
    }
}

/* The stretch with the first zero begins here; nnz: there is none. */
static int64_t find_zero(const spgemm_csr *C)
{
    for (int64_t p = 0; p < C->nnz; p += STRETCH) {
        const int64_t end = p + STRETCH < C->nnz ? p + STRETCH : C->nnz;
        if (count_zeros(C, p, end) > 0)
            return p;
    }
    return C->nnz;
}

void spgemm_python_drop_zeros(spgemm_csr *C)
{
    const int64_t first = find_zero(C);
    const size_t width =
        C->index_type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
    const size_t size = spgemm_value_bytes(C->value_type);
    char *columns = C->colidx;
    char *values = C->values;
    int64_t n = first;
    int64_t begin = 0;
    if (first == C->nnz)
        return;
    for (int64_t i = 0; i < C->nrows; i++) {
        const int64_t end = C->rowptr[i + 1];
        for (int64_t p = begin > first ? begin : first; p < end; p++) {
            if (count_zeros(C, p, p + 1) > 0)
                continue;
            memmove(columns + (size_t)n * width, columns + (size_t)p * width,
                    width);
            memmove(values + (size_t)n * size, values + (size_t)p * size, size);
            n++;
        }
        begin = end;
        if (end > first)
            C->rowptr[i + 1] = n;
    }
    C->nnz = n;
}
