/* SPDX-License-Identifier: BSD-3-Clause */
/* values[0 .. count), increasing: for random bits. */
#ifndef SPGEMM_COMMON_SORT_HASHES_H
#define SPGEMM_COMMON_SORT_HASHES_H

#include <stdint.h>

/**
 * In place. Time O(count log(count)) where the values are random or repeat,
 * 64 count at worst; no memory but 64 frames of the stack.
 */
void spgemm_sort_hashes(uint64_t *values, int64_t count);

#endif
