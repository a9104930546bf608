/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys in order: one more at a time. */
#ifndef SPGEMM_KERNELS_SIMD_INSERT_KEY_H
#define SPGEMM_KERNELS_SIMD_INSERT_KEY_H

#include <stdint.h>

#include "common/compiler.h"

/* Insertion of the next key into keys[0 .. n): rows of B come sorted, so the
   keys are some ascending runs. */
static ALWAYS_INLINE void insert_key(uint64_t *keys, int64_t n, uint64_t key)
{
    int64_t p = n;
    for (; p > 0 && keys[p - 1] > key; p--)
        keys[p] = keys[p - 1];
    keys[p] = key;
}

#endif
