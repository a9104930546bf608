/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the rows of a block go: one after another into its chunk, and on into
   chunks of the overflow pool where the prediction was too small; or straight
   to their place in C, where that is known. */
#ifndef SPGEMM_KERNELS_ROW_OUTPUT_H
#define SPGEMM_KERNELS_ROW_OUTPUT_H

#include "alloc/chunk.h"
#include "common/compiler.h"

typedef struct output {
    void *colidx; /* the arrays that are being filled */
    void *values;
    int64_t used;
    int64_t capacity;
    int64_t limit;    /* places that may be written, in passing, >= used */
    int64_t *row_nnz; /* [rows of the block] */

    chunk_store *store; /* NULL: straight to C */
    chunk *first;       /* in order of rows */
    chunk *last;
    int64_t overflow_rows;
    int64_t overflow_entries;
} output;

/** Into chunks, the first of which holds `capacity`. false: no memory. */
bool spgemm_output_open(output *out, chunk_store *store, int64_t capacity,
                        int64_t *row_nnz);

/** Straight to where the entries belong: whoever calls vouches for room for
    them, and that nothing else is at the first `limit` places. */
void spgemm_output_open_direct(output *out, int64_t limit, void *colidx,
                               void *values, int64_t *row_nnz);

/** Goes on in a chunk of the overflow pool with room for n more entries. */
bool spgemm_output_overflow(output *out, int64_t n);

/** `value`, of `size` bytes, for each entry that was written since `last` was the last
    chunk and had `used` of them. */
void spgemm_output_fill(const output *out, const chunk *last, int64_t used,
                        const void *value, size_t size);

/** n times `value`, of `size` bytes, from entry `begin` of `values` on. */
void spgemm_fill_values(void *values, int64_t begin, int64_t n,
                        const void *value, size_t size);

/** Writes `used` back to the last chunk; returns entries in all. */
int64_t spgemm_output_close(output *out);

/* Whether n more entries fit without the overflow pool. */
static inline bool output_has_room(const output *out, int64_t n)
{
    return LIKELY(n <= out->capacity - out->used);
}

/* Room for n more entries. false: no memory. */
static inline bool output_reserve(output *out, int64_t n)
{
    return output_has_room(out, n) || spgemm_output_overflow(out, n);
}

/* Whether a vector of places behind n more entries may be written, too. */
static inline bool output_is_roomy(const output *out, int64_t n)
{
    return LIKELY(n + 8 <= out->limit - out->used);
}

/* n entries were written. A row may go on in the next chunk. */
static inline void output_take(output *out, int64_t n)
{
    SPGEMM_ASSERT(n >= 0 && n <= out->capacity - out->used);
    out->used += n;
    if (UNLIKELY(out->first != out->last))
        out->overflow_entries += n;
}

/* All entries of some rows were written. */
static inline void output_end_rows(output *out, int64_t rows)
{
    if (UNLIKELY(out->first != out->last))
        out->overflow_rows += rows;
}

#endif
