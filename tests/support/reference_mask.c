/* SPDX-License-Identifier: BSD-3-Clause */
#include "reference_mask.h"

#include <stdlib.h>
#include <string.h>

#include "reference_ring.h"

static int by_place(const void *x, const void *y)
{
    const mask_place *left = x;
    const mask_place *right = y;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return (left->p > right->p) - (left->p < right->p);
}

/* Whether the entries at places[0 .. count), which are of one column, sum to
   zero. */
static bool sum_is_zero(const spgemm_csr *X, const mask_place *places,
                        int64_t count)
{
    const ring plus = {SPGEMM_PLUS_TIMES, X->value_type, NULL};
    const size_t bytes = bytes_of_type(X->value_type);
    const char *first = (const char *)X->values + (size_t)places[0].p * bytes;
    if (count == 1)
        return is_zero_value(X->value_type, first);
    char sum[sizeof(double _Complex)];
    memcpy(sum, first, bytes);
    for (int64_t t = 1; t < count; t++)
        ring_add(&plus, sum,
                 (const char *)X->values + (size_t)places[t].p * bytes);
    return is_zero_value(X->value_type, sum);
}

int64_t reference_mask_row(const spgemm_options *options, int64_t i,
                           mask_place *places, int64_t *columns)
{
    const spgemm_csr *mask = options->filter.mask;
    const bool by_value = (options->filter.mask_mode & SPGEMM_MASK_VALUES) != 0;
    const int64_t begin = mask->rowptr[i];
    const int64_t length = mask->rowptr[i + 1] - begin;
    int64_t count = 0;
    for (int64_t t = 0; t < length; t++)
        places[t] = (mask_place){column_of(mask, begin + t), begin + t};
    qsort(places, (size_t)length, sizeof *places, by_place);
    for (int64_t t = 0, end; t < length; t = end) {
        for (end = t + 1;
             end < length && places[end].column == places[t].column;)
            end++;
        if (!by_value || !sum_is_zero(mask, places + t, end - t))
            columns[count++] = places[t].column;
    }
    return count;
}
