/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the rows of a block go. */
#include "kernels/row/output.h"

#include <string.h>

#include "common/checked.h"

/* Least entries of a chunk of the pool: many small rows share one. */
#define POOL_ENTRIES 4096

static void fill(output *out, chunk *c)
{
    out->last = c;
    out->colidx = c->colidx;
    out->values = c->values;
    out->used = 0;
    out->capacity = c->capacity;
    out->limit = c->capacity;
}

bool spgemm_output_open(output *out, chunk_store *store, int64_t capacity,
                        int64_t *row_nnz)
{
    *out = (output){.store = store, .row_nnz = row_nnz};
    out->first = spgemm_chunk_take(store, capacity);
    if (!out->first)
        return false;
    fill(out, out->first);
    return true;
}

void spgemm_output_open_direct(output *out, int64_t limit, void *colidx,
                               void *values, int64_t *row_nnz)
{
    *out = (output){.colidx = colidx,
                    .values = values,
                    .capacity = INT64_MAX,
                    .limit = limit,
                    .row_nnz = row_nnz};
}

bool spgemm_output_overflow(output *out, int64_t n)
{
    chunk *c = spgemm_chunk_take(out->store, max_i64(n, POOL_ENTRIES));
    if (!c)
        return false;
    out->last->used = out->used;
    out->last->next = c;
    fill(out, c);
    return true;
}

/* Of a size that is a constant, by whole registers. */
static ALWAYS_INLINE void repeat(char *to, int64_t n, const void *value,
                                 size_t size)
{
    for (int64_t t = 0; t < n; t++)
        memcpy(to + (size_t)t * size, value, size);
}

void spgemm_fill_values(void *values, int64_t begin, int64_t n,
                        const void *value, size_t size)
{
    char *to = (char *)values + (size_t)begin * size;
    switch (size) {
    case 1:
        memset(to, *(const unsigned char *)value, (size_t)n);
        break;
    case 4:
        repeat(to, n, value, 4);
        break;
    case 8:
        repeat(to, n, value, 8);
        break;
    default:
        repeat(to, n, value, size);
    }
}

void spgemm_output_fill(const output *out, const chunk *last, int64_t used,
                        const void *value, size_t size)
{
    if (last != out->last) {
        spgemm_fill_values(last->values, used, last->used - used, value, size);
        for (const chunk *c = last->next; c != out->last; c = c->next)
            spgemm_fill_values(c->values, 0, c->used, value, size);
        used = 0;
    }
    spgemm_fill_values(out->values, used, out->used - used, value, size);
}

int64_t spgemm_output_close(output *out)
{
    if (!out->store)
        return out->used;
    out->last->used = out->used;
    int64_t entries = 0;
    for (const chunk *c = out->first; c; c = c->next)
        entries += c->used;
    return entries;
}
