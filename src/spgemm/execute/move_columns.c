/* SPDX-License-Identifier: BSD-3-Clause */
/* to[t] = from[t], in [0, 2^31): whether it has a sign does not matter. */
#include "spgemm/execute/move_columns.h"

#include "common/stream_copy.h"

/* Columns widened at a time where they lie. */
enum { SOME = 64 };

static void widen(int64_t *restrict to, const int32_t *restrict from, int64_t n)
{
    for (int64_t t = 0; t < n; t++)
        to[t] = from[t];
}

#if defined(__SSE2__)
/* A line of C: eight columns, from any place to an aligned one. */
static void stream_line(int64_t *to, const int32_t *from)
{
    const __m128i zero = _mm_setzero_si128();
    for (int half = 0; half < 2; half++) {
        const __m128i four =
            _mm_loadu_si128((const __m128i *)(const void *)(from + 4 * half));
        __m128i *two = (__m128i *)(void *)(to + 4 * half);
        _mm_stream_si128(two, _mm_unpacklo_epi32(four, zero));
        _mm_stream_si128(two + 1, _mm_unpackhi_epi32(four, zero));
    }
}

static void stream_wide(int64_t *to, const int32_t *from, int64_t n)
{
    const int64_t apart = (int64_t)((-(uintptr_t)to & 63) / sizeof *to);
    const int64_t head = apart < n ? apart : n;
    int64_t at = head;
    widen(to, from, head);
    for (; at + 8 <= n; at += 8)
        stream_line(to + at, from + at);
    widen(to + at, from + at, n - at);
    /* Streamed lines are ordered with what follows, as plain stores are. */
    _mm_sfence();
}
#else
static void stream_wide(int64_t *to, const int32_t *from, int64_t n)
{
    widen(to, from, n);
}
#endif

void spgemm_move_columns(void *to, size_t to_size, const void *from,
                         size_t from_size, int64_t n, bool streams)
{
    const size_t bytes = (size_t)n * from_size;
    if (to_size != from_size && streams)
        stream_wide(to, from, n);
    else if (to_size != from_size)
        widen(to, from, n);
    else if (streams)
        stream_copy(to, from, bytes);
    else
        plain_copy(to, from, bytes);
}

/* From the last on: none is written over before it is read. */
void spgemm_widen_columns(void *columns, size_t to_size, size_t from_size,
                          int64_t n)
{
    int32_t some[SOME];
    if (to_size == from_size)
        return;
    while (n > 0) {
        const int64_t count = n < SOME ? n : SOME;
        n -= count;
        memcpy(some, (const int32_t *)columns + n,
               (size_t)count * sizeof *some);
        widen((int64_t *)columns + n, some, count);
    }
}
