/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns on their way into C, which are computed in 32 bits and may have 64
   there. */
#ifndef SPGEMM_SPGEMM_EXECUTE_MOVE_COLUMNS_H
#define SPGEMM_SPGEMM_EXECUTE_MOVE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** to[0 .. n) = from[0 .. n), of so many bytes each, those of `to` the same or
    wider; past the caches if `streams`. */
void spgemm_move_columns(void *to, size_t to_size, const void *from,
                         size_t from_size, int64_t n, bool streams);

/** n columns of from_size bytes at the begin of an array of those of to_size
    become as many of those. */
void spgemm_widen_columns(void *columns, size_t to_size, size_t from_size,
                          int64_t n);

#endif
