/* SPDX-License-Identifier: BSD-3-Clause */
/* Text in columns. */
#include "table.h"

#include <stdarg.h>
#include <string.h>

void table_begin_row(table *t)
{
    if (t->nrows < TABLE_ROWS)
        memset(t->cells[t->nrows], 0, sizeof t->cells[0]);
    t->nrows++;
    t->ncols = 0;
}

void table_cell(table *t, const char *format, ...)
{
    if (t->nrows > TABLE_ROWS || t->ncols >= TABLE_COLUMNS)
        return;
    va_list list;
    va_start(list, format);
    vsnprintf(t->cells[t->nrows - 1][t->ncols++], TABLE_CELL_BYTES, format,
              list);
    va_end(list);
}

static int column_width(const table *t, int nrows, int column)
{
    int width = 0;
    for (int row = 0; row < nrows; row++) {
        const int length = (int)strlen(t->cells[row][column]);
        if (length > width)
            width = length;
    }
    return width;
}

void table_print(const table *t, FILE *stream)
{
    const int nrows = t->nrows < TABLE_ROWS ? t->nrows : TABLE_ROWS;
    int widths[TABLE_COLUMNS];
    for (int column = 0; column < TABLE_COLUMNS; column++)
        widths[column] = column_width(t, nrows, column);
    for (int row = 0; row < nrows; row++) {
        fprintf(stream, "%-*s", widths[0], t->cells[row][0]);
        for (int column = 1; column < TABLE_COLUMNS; column++)
            if (widths[column] > 0)
                fprintf(stream, "  %*s", widths[column], t->cells[row][column]);
        fputc('\n', stream);
    }
}
