/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix row by row: what a rule names of row i, sorted, each once. */
#include <stdlib.h>

#include "common/checked.h"
#include "kind.h"

/* Rows up to this length are sorted by insertion. */
enum { SHORT_ROW = 64 };

static int compare_columns(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x;
    const int32_t b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

static int64_t insert_unique(int32_t *columns, int64_t count)
{
    int64_t used = 0;
    for (int64_t k = 0; k < count; k++) {
        const int32_t column = columns[k];
        int64_t place = used;
        while (place > 0 && columns[place - 1] > column)
            place--;
        if (place > 0 && columns[place - 1] == column)
            continue;
        for (int64_t p = used; p > place; p--)
            columns[p] = columns[p - 1];
        columns[place] = column;
        used++;
    }
    return used;
}

int64_t sort_unique(int32_t *columns, int64_t count)
{
    bool is_sorted = true;
    for (int64_t k = 1; is_sorted && k < count; k++)
        is_sorted = columns[k - 1] < columns[k];
    if (is_sorted)
        return count;
    if (count <= SHORT_ROW)
        return insert_unique(columns, count);
    qsort(columns, (size_t)count, sizeof *columns, compare_columns);
    int64_t used = 0;
    for (int64_t k = 0; k < count; k++)
        if (used == 0 || columns[used - 1] != columns[k])
            columns[used++] = columns[k];
    return used;
}

static bool is_count(int64_t n)
{
    return n > 0 && n <= MOST_ROWS;
}

/* There is room for the bounds of all rows; rows follow one another. */
spgemm_status make_rows(spgemm_csr *A, const row_rule *rule)
{
    int64_t bound = 0;
    if (!is_count(rule->nrows) || !is_count(rule->ncols))
        return SPGEMM_ERROR_INVALID;
    for (int64_t i = 0; i < rule->nrows; i++)
        if (!checked_add_i64(bound, rule->bound(rule->context, i), &bound))
            return SPGEMM_ERROR_OVERFLOW;
    spgemm_csr made;
    const spgemm_status status = spgemm_csr_create(
        &made, rule->nrows, rule->ncols, bound, SPGEMM_I32, SPGEMM_FP64, NULL);
    if (status < 0)
        return status;
    int32_t *columns = made.colidx;
    int64_t used = 0;
    for (int64_t i = 0; i < rule->nrows; i++) {
        const int64_t count = rule->fill(rule->context, i, columns + used);
        used += sort_unique(columns + used, count);
        made.rowptr[i + 1] = used;
    }
    made.nnz = used;
    made.flags |= SPGEMM_SORTED_ROWS;
    *A = made;
    return SPGEMM_SUCCESS;
}

/* ---- Rows by places ------------------------------------------------------ */

typedef struct places {
    const recipe *r;
    const place_rule *rule;
} places;

static int64_t places_bound(const void *context, int64_t i)
{
    const places *p = context;
    return p->rule->degree_of ? p->rule->degree_of(p->r, i) : p->rule->degree;
}

static int64_t places_fill(const void *context, int64_t i, int32_t *columns)
{
    const places *p = context;
    const int64_t degree = places_bound(p, i);
    int64_t count = 0;
    for (int64_t k = 0; k < degree; k++) {
        const int64_t column = p->rule->column(p->r, i, k);
        if (column >= 0)
            columns[count++] = (int32_t)column;
    }
    return count;
}

spgemm_status make_places(spgemm_csr *A, const recipe *r,
                          const place_rule *rule)
{
    const places p = {r, rule};
    const row_rule rows = {.nrows = rule->nrows,
                           .ncols = rule->ncols,
                           .context = &p,
                           .bound = places_bound,
                           .fill = places_fill};
    return make_rows(A, &rows);
}
