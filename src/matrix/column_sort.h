/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of a row by increasing column, those of one column in their order. */
#ifndef SPGEMM_MATRIX_COLUMN_SORT_H
#define SPGEMM_MATRIX_COLUMN_SORT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct column_entry {
    int64_t column;
    int64_t place; /* in the row */
} column_entry;

/** Sorts row[0 .. n) with spare[0 .. n); returns the one that holds the result.
    Nearly in order: the next is seldom less, which changes the time alone. */
const column_entry *spgemm_sort_columns(column_entry *row, column_entry *spare,
                                        int64_t n, bool is_nearly_sorted);

#endif
