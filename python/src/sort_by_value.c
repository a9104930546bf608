/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C in the order of their values: C(i,j1) >= C(i,j2) >= ... */
#include <stdlib.h>
#include <string.h>

#include "core.h"

typedef struct entry {
    double value;
    int64_t integer; /* of integers, whose last bits a double has not */
    int64_t column;
    int64_t at;
} entry;

/* The largest first, of equals that of the least column; NaN before all. */
static int compare(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    const int is_nan = (y->value != y->value) - (x->value != x->value);
    if (is_nan != 0)
        return is_nan;
    if (x->value != y->value && x->value == x->value)
        return x->value > y->value ? -1 : 1;
    if (x->integer != y->integer)
        return x->integer > y->integer ? -1 : 1;
    return x->column < y->column ? -1 : 1;
}

static void set_value(entry *e, const spgemm_csr *C, int64_t at)
{
    e->integer = 0;
    switch (C->value_type) {
    case SPGEMM_FP32:
        e->value = (double)((const float *)C->values)[at];
        break;
    case SPGEMM_FP64:
        e->value = ((const double *)C->values)[at];
        break;
    case SPGEMM_INT32:
        e->integer = ((const int32_t *)C->values)[at];
        break;
    case SPGEMM_INT64:
        e->integer = ((const int64_t *)C->values)[at];
        break;
    default:
        e->integer = ((const uint8_t *)C->values)[at];
    }
    if (C->value_type != SPGEMM_FP32 && C->value_type != SPGEMM_FP64)
        e->value = (double)e->integer;
}

/* entries [begin, begin + n) of C in their order; copy: room for their bytes. */
static void sort_row(spgemm_csr *C, int64_t begin, int64_t n, entry *entries,
                     char *copy)
{
    const bool is_wide = C->index_type == SPGEMM_I64;
    const size_t size = spgemm_value_bytes(C->value_type);
    char *values = (char *)C->values + (size_t)begin * size;
    for (int64_t t = 0; t < n; t++) {
        set_value(&entries[t], C, begin + t);
        entries[t].at = t;
        entries[t].column = is_wide ? ((int64_t *)C->colidx)[begin + t]
                                    : ((int32_t *)C->colidx)[begin + t];
    }
    qsort(entries, (size_t)n, sizeof *entries, compare);
    memcpy(copy, values, (size_t)n * size);
    for (int64_t t = 0; t < n; t++) {
        memcpy(values + (size_t)t * size, copy + (size_t)entries[t].at * size,
               size);
        if (is_wide)
            ((int64_t *)C->colidx)[begin + t] = entries[t].column;
        else
            ((int32_t *)C->colidx)[begin + t] = (int32_t)entries[t].column;
    }
}

bool spgemm_python_sort_by_value(spgemm_csr *C)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < C->nrows; i++) {
        const int64_t n = C->rowptr[i + 1] - C->rowptr[i];
        longest = n > longest ? n : longest;
    }
    const size_t room = (size_t)(longest > 0 ? longest : 1);
    entry *entries = malloc(room * sizeof *entries);
    char *copy = malloc(room * spgemm_value_bytes(C->value_type));
    const bool has_room = entries && copy;
    for (int64_t i = 0; has_room && i < C->nrows; i++)
        if (C->rowptr[i + 1] - C->rowptr[i] > 1)
            sort_row(C, C->rowptr[i], C->rowptr[i + 1] - C->rowptr[i], entries,
                     copy);
    free(entries);
    free(copy);
    C->flags &= ~(uint32_t)SPGEMM_SORTED_ROWS;
    return has_room;
}
