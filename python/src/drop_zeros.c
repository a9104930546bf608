/* SPDX-License-Identifier: BSD-3-Clause */
/* C without its entries that are zero: few have any, so that C is multiplied with
   them, and looked through. */
#include <string.h>

#include "core.h"

enum { STRETCH = 4096 }; /* entries that are looked at at once */

/* Entries of C, and the bits of a value that are 0 in a zero: all but signs. */
typedef struct entries {
    char *columns;
    char *values;
    size_t width; /* of a column */
    size_t size;  /* of a value: 1, 4, 8, or two times 8 */
    uint64_t mask;
} entries;

static uint64_t mask_of(spgemm_value_type type)
{
    switch (type) {
    case SPGEMM_FP64:
    case SPGEMM_CFP64:
        return INT64_MAX;
    case SPGEMM_FP32:
        return INT32_MAX;
    case SPGEMM_CFP32:
        return (uint64_t)INT32_MAX << 32 | INT32_MAX;
    default:
        return UINT64_MAX;
    }
}

static entries entries_of(const spgemm_csr *C)
{
    return (entries){C->colidx, C->values, spgemm_python_index_bytes(C),
                     spgemm_value_bytes(C->value_type), mask_of(C->value_type)};
}

/* The functions below are compiled once for each size of values and columns, which
   are constants there. */
#define INLINE inline __attribute__((always_inline))

static INLINE bool is_zero(const char *x, size_t size, uint64_t mask)
{
    uint64_t bits = 0;
    uint64_t more = 0;
    memcpy(&bits, x, size < sizeof bits ? size : sizeof bits);
    if (size > sizeof bits)
        memcpy(&more, x + sizeof bits, sizeof more);
    return ((bits | more) & mask) == 0;
}

/* Whether some of entries [begin, end) are zero. */
static INLINE bool has_zero_of(const entries *e, size_t size, int64_t begin,
                               int64_t end)
{
    const uint64_t mask = e->mask;
    const char *x = e->values + (size_t)begin * size;
    uint64_t zeros = 0;
    for (int64_t p = 0; p < end - begin; p++)
        zeros |= is_zero(x + (size_t)p * size, size, mask);
    return zeros;
}

/* Moves those of entries [begin, end) that are not zero to places from n on, n <=
   begin. Returns where they end. */
static INLINE int64_t pack_of(const entries *e, size_t width, size_t size,
                              int64_t begin, int64_t end, int64_t n)
{
    char *const columns = e->columns;
    char *const values = e->values;
    for (int64_t p = begin; p < end; p++) {
        const char *value = values + (size_t)p * size;
        const bool is_kept = !is_zero(value, size, e->mask);
        memmove(columns + (size_t)n * width, columns + (size_t)p * width,
                width);
        memmove(values + (size_t)n * size, value, size);
        n += is_kept;
    }
    return n;
}

static bool has_zero(const entries *e, int64_t begin, int64_t end)
{
    switch (e->size) {
    case 16:
        return has_zero_of(e, 16, begin, end);
    case 8:
        return has_zero_of(e, 8, begin, end);
    case 4:
        return has_zero_of(e, 4, begin, end);
    default:
        return has_zero_of(e, 1, begin, end);
    }
}

static INLINE int64_t pack_values(const entries *e, size_t width, int64_t begin,
                                  int64_t end, int64_t n)
{
    switch (e->size) {
    case 16:
        return pack_of(e, width, 16, begin, end, n);
    case 8:
        return pack_of(e, width, 8, begin, end, n);
    case 4:
        return pack_of(e, width, 4, begin, end, n);
    default:
        return pack_of(e, width, 1, begin, end, n);
    }
}

static int64_t pack(const entries *e, int64_t begin, int64_t end, int64_t n)
{
    return e->width == sizeof(int64_t) ? pack_values(e, 8, begin, end, n)
                                       : pack_values(e, 4, begin, end, n);
}

/* The stretch with the first zero begins here; nnz: there is none. */
static int64_t find_zero(const entries *e, int64_t nnz)
{
    for (int64_t p = 0; p < nnz; p += STRETCH) {
        const int64_t end = p + STRETCH < nnz ? p + STRETCH : nnz;
        if (has_zero(e, p, end))
            return p;
    }
    return nnz;
}

void spgemm_python_drop_zeros(spgemm_csr *C)
{
    const entries e = entries_of(C);
    const int64_t first = find_zero(&e, C->nnz);
    int64_t n = first;
    int64_t begin = 0;
    if (first == C->nnz)
        return;
    for (int64_t i = 0; i < C->nrows; i++) {
        const int64_t end = C->rowptr[i + 1];
        if (end > first) {
            n = pack(&e, begin > first ? begin : first, end, n);
            C->rowptr[i + 1] = n;
        }
        begin = end;
    }
    C->nnz = n;
}
