/* SPDX-License-Identifier: BSD-3-Clause */
#include "column_numbers.h"

#include <stdlib.h>

#include "build_csr.h"

static void number_by_sorting(column_numbers *c, int64_t n)
{
    sort_numbers(c->columns, n);
    for (int64_t t = 0; t < n; t++)
        if (c->count == 0 || c->columns[t] != c->columns[c->count - 1])
            c->columns[c->count++] = c->columns[t];
}

static void number_by_table(column_numbers *c, int64_t n, int64_t ncols)
{
    c->of_column = must_allocate(ncols, sizeof *c->of_column);
    for (int64_t j = 0; j < ncols; j++)
        c->of_column[j] = -1;
    for (int64_t t = 0; t < n; t++)
        c->of_column[c->columns[t]] = 0;
    for (int64_t j = 0; j < ncols; j++)
        if (c->of_column[j] == 0) {
            c->of_column[j] = c->count;
            c->columns[c->count++] = j;
        }
}

column_numbers number_columns(int64_t *columns, int64_t n, int64_t ncols)
{
    column_numbers c = {.columns = columns};
    if (ncols / 8 <= n)
        number_by_table(&c, n, ncols);
    else
        number_by_sorting(&c, n);
    return c;
}

void free_numbers(column_numbers *c)
{
    free(c->columns);
    free(c->of_column);
    *c = (column_numbers){0};
}

int64_t find_number(int64_t j, const int64_t *numbers, int64_t count)
{
    const int64_t *place =
        bsearch(&j, numbers, (size_t)count, sizeof *numbers, by_number);
    return place ? place - numbers : -1;
}

int64_t number_of_column(const column_numbers *c, int64_t j)
{
    return c->of_column ? c->of_column[j]
                        : find_number(j, c->columns, c->count);
}

void order_numbers(const column_numbers *c, const bool *is_set, int64_t *list,
                   int64_t n)
{
    if (c->count / 16 > n) {
        sort_numbers(list, n);
        return;
    }
    n = 0;
    for (int64_t number = 0; number < c->count; number++)
        if (is_set[number])
            list[n++] = number;
}
