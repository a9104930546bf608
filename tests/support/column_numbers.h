/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns that occur, numbered in order: 0, 1, 2, ... So a row of C is summed in
   an array over these numbers, and may be as wide as its type allows. */
#ifndef SPGEMM_TESTS_COLUMN_NUMBERS_H
#define SPGEMM_TESTS_COLUMN_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct column_numbers {
    int64_t count;
    int64_t *columns;   /* [count], in order */
    int64_t *of_column; /* [columns of C]: the number, or -1; or NULL */
} column_numbers;

/** Of `n` columns below `ncols`, in any order, at columns[0 .. n), which malloc()
    made, and which it keeps and overwrites. */
column_numbers number_columns(int64_t *columns, int64_t n, int64_t ncols);
void free_numbers(column_numbers *c);

/** The number of column j, which is one of them. */
int64_t number_of_column(const column_numbers *c, int64_t j);

/** Numbers for which is_set[number], in order, to list[0 .. n): the n that are listed
    there in any order. */
void order_numbers(const column_numbers *c, const bool *is_set, int64_t *list,
                   int64_t n);

/** Where j is among `count` increasing numbers; -1: nowhere. */
int64_t find_number(int64_t j, const int64_t *numbers, int64_t count);

#endif
