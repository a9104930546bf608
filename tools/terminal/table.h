/* SPDX-License-Identifier: BSD-3-Clause */
/* A table of text, its columns as wide as their widest cell. */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H

#include <stdio.h>

enum { TABLE_ROWS = 32, TABLE_COLUMNS = 12, TABLE_CELL_BYTES = 32 };

typedef struct table {
    int nrows;
    int ncols; /* of the row that is being filled */
    char cells[TABLE_ROWS][TABLE_COLUMNS][TABLE_CELL_BYTES];
} table;

/** Begin a row; the first is the head. */
void table_begin_row(table *t);

/** The next cell of the row. Beyond the table's size cells are left out. */
__attribute__((format(printf, 2, 3))) void table_cell(table *t,
                                                      const char *format, ...);

/** The first column left-aligned, the others right-aligned. */
void table_print(const table *t, FILE *stream);

#endif
