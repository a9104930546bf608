/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes that an array takes: an empty one takes one, since hooks give no less. */
#ifndef SPGEMM_ALLOC_ARRAY_BYTES_H
#define SPGEMM_ALLOC_ARRAY_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/checked.h"

/* Of a size that is known to fit. */
static inline size_t array_bytes(int64_t count, size_t size)
{
    const size_t bytes = (size_t)count * size;
    return bytes + (bytes == 0);
}

/* false: they do not fit. */
static inline bool checked_array_bytes(int64_t count, size_t size,
                                       size_t *bytes)
{
    if (!checked_bytes(count, size, bytes))
        return false;
    *bytes += *bytes == 0;
    return true;
}

#endif
