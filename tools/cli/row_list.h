/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of rows: 0-99,200. */
#ifndef TOOLS_ROW_LIST_H
#define TOOLS_ROW_LIST_H

#include <stdbool.h>
#include <stdint.h>

/** How many rows a list names, a range as far as the first that is not below
    nrows; -1: the text is no list. */
int64_t row_list_count(const char *text, int64_t nrows);

/** Those rows. */
void row_list_fill(int64_t *rows, const char *text, int64_t nrows);

#endif
