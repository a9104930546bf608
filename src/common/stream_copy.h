/* SPDX-License-Identifier: BSD-3-Clause */
/* to[0 .. bytes) = from[0 .. bytes), past the caches: for what is not read
   again soon. A plain store first reads the line that it is about to write;
   a streaming store does not. */
#ifndef SPGEMM_COMMON_STREAM_COPY_H
#define SPGEMM_COMMON_STREAM_COPY_H

#include <stdint.h>
#include <string.h>

/* From this size on an array does not stay in a cache, and is written past it.
   Measured, one thread of a Zen 4, ms for A*A, plain and past the caches:
   hangGlider_3 (998 MB) 262, 222; cage12 (184 MB) 137, 124; email-Enron
   (366 MB) 147, 133. */
#define STREAM_BYTES ((size_t)32 << 20)

static inline void plain_copy(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

#if defined(__SSE2__)
#include <emmintrin.h>

static inline void stream_copy(char *to, const char *from, size_t bytes)
{
    const size_t head = (size_t)(-(uintptr_t)to & 63);
    if (bytes < 64 + head) {
        memcpy(to, from, bytes);
        return;
    }
    memcpy(to, from, head);
    size_t at = head;
    for (; at + 64 <= bytes; at += 64)
        for (size_t u = 0; u < 64; u += 16)
            _mm_stream_si128(
                (__m128i *)(void *)(to + at + u),
                _mm_loadu_si128(
                    (const __m128i *)(const void *)(from + at + u)));
    memcpy(to + at, from + at, bytes - at);
    /* Streamed lines are ordered with what follows, as plain stores are. */
    _mm_sfence();
}

#else

static inline void stream_copy(char *to, const char *from, size_t bytes)
{
    plain_copy(to, from, bytes);
}

#endif
#endif
