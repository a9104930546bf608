/* SPDX-License-Identifier: BSD-3-Clause */
/* colidx and values of C while nnz(C) is only predicted. */
#include "alloc/growable.h"

#include <string.h>

#include "alloc/array_bytes.h"
#include "common/checked.h"
#include "common/compiler.h"

/* A capacity that proved too small grows by a sixteenth first, since most
   predictions are near, then by twice that each time, up to a half. */
#define FIRST_GROWTH 16
#define LAST_GROWTH  2
#define MOST_GROWN   4

static int64_t more(const growable *g, int64_t n)
{
    const int64_t left = g->bound - g->used;
    const int64_t part = max_i64(LAST_GROWTH, FIRST_GROWTH >> g->times_grown);
    return max_i64(n, min_i64(left, g->used / part + 4096));
}

static void release_segment(growable *g, const segment *s)
{
    spgemm_memory_release(g->m, s->colidx, s->colidx_capacity, g->index_size);
    spgemm_memory_release(g->m, s->values, s->values_capacity, g->value_size);
}

static bool add_segment(growable *g, int64_t capacity)
{
    if (g->count == GROWABLE_SEGMENTS || g->is_borrowed)
        return false;
    segment *s = &g->segments[g->count];
    *s = (segment){.start = g->used,
                   .colidx_capacity = capacity,
                   .values_capacity = capacity};
    s->colidx = spgemm_memory_allocate(g->m, capacity, g->index_size);
    s->values = spgemm_memory_allocate(g->m, capacity, g->value_size);
    if (!s->colidx || !s->values) {
        release_segment(g, s);
        return false;
    }
    g->count++;
    g->allocated_bytes += array_bytes(capacity, g->index_size) +
                          array_bytes(capacity, g->value_size);
    return true;
}

bool spgemm_growable_init(growable *g, memory *m, size_t index_size,
                          size_t value_size, int64_t capacity, int64_t bound)
{
    *g = (growable){.m = m,
                    .index_size = index_size,
                    .value_size = value_size,
                    .bound = bound};
    return add_segment(g, min_i64(capacity, bound));
}

void spgemm_growable_borrow(growable *g, size_t index_size, size_t value_size,
                            void *colidx, void *values, int64_t capacity)
{
    *g = (growable){.index_size = index_size,
                    .value_size = value_size,
                    .bound = INT64_MAX,
                    .count = 1,
                    .segments = {{.colidx_capacity = capacity,
                                  .values_capacity = capacity,
                                  .colidx = colidx,
                                  .values = values}},
                    .is_borrowed = true,
                    .allocated_bytes =
                        (size_t)capacity * (index_size + value_size)};
}

void spgemm_growable_lend(growable *g, memory *m, size_t index_size,
                          size_t value_size, const spgemm_out *out,
                          int64_t bound)
{
    spgemm_growable_borrow(g, index_size, value_size, out->colidx, out->values,
                           out->capacity);
    g->m = m;
    g->bound = bound;
    g->is_borrowed = false;
    g->is_lent = true;
    g->allocated_bytes = 0;
}

/* The first segment of a growable is not its own. */
static bool is_foreign(const growable *g, int t)
{
    return t == 0 && (g->is_borrowed || g->is_lent);
}

/* Lengthens one array of the last segment where it lies. */
static bool grow_array(growable *g, char *array, int64_t *capacity,
                       int64_t wanted, size_t size)
{
    if (*capacity >= wanted)
        return true;
    if (!spgemm_memory_grow_in_place(g->m, array, *capacity, wanted, size))
        return false;
    g->allocated_bytes += (size_t)(wanted - *capacity) * size;
    *capacity = wanted;
    return true;
}

static bool grow_last(growable *g, int64_t n)
{
    if (is_foreign(g, g->count - 1))
        return false;
    segment *s = &g->segments[g->count - 1];
    const int64_t wanted = g->used - s->start + more(g, n);
    return grow_array(g, s->colidx, &s->colidx_capacity, wanted,
                      g->index_size) &&
           grow_array(g, s->values, &s->values_capacity, wanted, g->value_size);
}

static bool has_room(const growable *g, int64_t n)
{
    const segment *s = &g->segments[g->count - 1];
    return g->used - s->start + n <=
           min_i64(s->colidx_capacity, s->values_capacity);
}

bool spgemm_growable_place(growable *g, int64_t n, void **colidx, void **values)
{
    SPGEMM_ASSERT(n >= 0 && n <= g->bound - g->used);
    if (!has_room(g, n)) {
        if (!grow_last(g, n) && !add_segment(g, more(g, n)))
            return false;
        g->times_grown += g->times_grown < MOST_GROWN;
    }
    const segment *last = &g->segments[g->count - 1];
    const size_t within = (size_t)(g->used - last->start);
    *colidx = last->colidx + within * g->index_size;
    /* A pattern that goes to arrays of the caller has none. */
    *values = last->values ? last->values + within * g->value_size : NULL;
    g->used += n;
    return true;
}

/* Entries that segment t holds. */
static int64_t filled(const growable *g, int t)
{
    const int64_t end = t + 1 < g->count ? g->segments[t + 1].start : g->used;
    return end - g->segments[t].start;
}

/* Puts the later segments behind the first, which is long enough. */
static void gather(growable *g)
{
    char *colidx = g->segments[0].colidx;
    char *values = g->segments[0].values;
    for (int t = 1; t < g->count; t++) {
        segment *s = &g->segments[t];
        const size_t n = (size_t)filled(g, t);
        memcpy(colidx + (size_t)s->start * g->index_size, s->colidx,
               n * g->index_size);
        memcpy(values + (size_t)s->start * g->value_size, s->values,
               n * g->value_size);
        release_segment(g, s);
    }
    g->count = 1;
}

/* The array with `length` elements. A shrink that fails is no failure: the
   array stays longer than it need be. */
static bool fit(memory *m, char **array, int64_t *capacity, int64_t length,
                size_t size)
{
    char *resized = spgemm_memory_resize(m, *array, *capacity, length, size);
    if (!resized)
        return length <= *capacity;
    *array = resized;
    *capacity = length;
    return true;
}

/* All segments in one of its own, since the first was lent. */
static bool leave_lender(growable *g)
{
    segment own = {.colidx_capacity = g->used, .values_capacity = g->used};
    const segment lent = g->segments[0];
    const size_t n = (size_t)filled(g, 0);
    own.colidx = spgemm_memory_allocate(g->m, g->used, g->index_size);
    own.values = spgemm_memory_allocate(g->m, g->used, g->value_size);
    if (!own.colidx || !own.values) {
        release_segment(g, &own);
        return false;
    }
    memcpy(own.colidx, lent.colidx, n * g->index_size);
    if (g->value_size > 0)
        memcpy(own.values, lent.values, n * g->value_size);
    g->segments[0] = own;
    g->is_lent = false;
    return true;
}

bool spgemm_growable_finish(growable *g, void **colidx, void **values)
{
    segment *s = &g->segments[0];
    if (g->is_lent && g->count == 1) {
        *colidx = s->colidx;
        *values = s->values;
        g->count = 0;
        return true;
    }
    if (g->is_lent && !leave_lender(g))
        return false;
    if (!fit(g->m, &s->colidx, &s->colidx_capacity, g->used, g->index_size) ||
        !fit(g->m, &s->values, &s->values_capacity, g->used, g->value_size))
        return false;
    gather(g);
    *colidx = s->colidx;
    *values = s->values;
    g->count = 0;
    return true;
}

void spgemm_growable_clear(growable *g)
{
    for (int t = 0; t < g->count; t++)
        if (!is_foreign(g, t))
            release_segment(g, &g->segments[t]);
    g->count = 0;
}
