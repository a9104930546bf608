/* SPDX-License-Identifier: BSD-3-Clause */
/* to[] = from[], every NaN as the one of positive sign and no payload.

   Which NaN a sum is depends on the order in which an instruction names its
   operands: on the compiler and the instruction set. So what is moved to C is
   looked at on the way, four vectors at a time, none of which has a NaN as a
   rule. */
#ifndef SPGEMM_COMMON_ONE_NAN_H
#define SPGEMM_COMMON_ONE_NAN_H

#include <stdbool.h>

#include "common/compiler.h"
#include "common/number_kind.h"
#include "common/stream_copy.h"

#define ONE_NAN_DOUBLE UINT64_C(0x7ff8000000000000)
#define ONE_NAN_FLOAT  UINT32_C(0x7fc00000)

static NOINLINE void one_nan_doubles(char *values, size_t bytes)
{
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes;
         at += sizeof(uint64_t)) {
        uint64_t bits;
        memcpy(&bits, values + at, sizeof bits);
        if (bits << 1 > UINT64_C(0x7ff) << 53) {
            bits = ONE_NAN_DOUBLE;
            memcpy(values + at, &bits, sizeof bits);
        }
    }
}

static NOINLINE void one_nan_floats(char *values, size_t bytes)
{
    for (size_t at = 0; at + sizeof(uint32_t) <= bytes;
         at += sizeof(uint32_t)) {
        uint32_t bits;
        memcpy(&bits, values + at, sizeof bits);
        if (bits << 1 > UINT32_C(0xff) << 24) {
            bits = ONE_NAN_FLOAT;
            memcpy(values + at, &bits, sizeof bits);
        }
    }
}

static inline void one_nan_scalar(char *values, size_t bytes, number_kind kind)
{
    if (kind == NUMBERS_DOUBLE)
        one_nan_doubles(values, bytes);
    else if (kind == NUMBERS_FLOAT)
        one_nan_floats(values, bytes);
}

#if defined(__SSE2__)
/* 64 bytes, as four vectors. */
typedef struct one_nan_line {
    __m128i part[4];
} one_nan_line;

static ALWAYS_INLINE one_nan_line one_nan_load(const char *from)
{
    one_nan_line line;
    for (int u = 0; u < 4; u++)
        line.part[u] =
            _mm_loadu_si128((const __m128i *)(const void *)(from + 16 * u));
    return line;
}

static ALWAYS_INLINE bool one_nan_is_met(const one_nan_line *line,
                                         number_kind kind)
{
    if (kind == NUMBERS_DOUBLE) {
        __m128d met = _mm_setzero_pd();
        for (int u = 0; u < 4; u += 2)
            /* Unordered where either is NaN. */
            met = _mm_or_pd(
                met, _mm_cmpunord_pd(_mm_castsi128_pd(line->part[u]),
                                     _mm_castsi128_pd(line->part[u + 1])));
        return _mm_movemask_pd(met) != 0;
    }
    __m128 met = _mm_setzero_ps();
    for (int u = 0; u < 4; u += 2)
        met = _mm_or_ps(met,
                        _mm_cmpunord_ps(_mm_castsi128_ps(line->part[u]),
                                        _mm_castsi128_ps(line->part[u + 1])));
    return _mm_movemask_ps(met) != 0;
}

static ALWAYS_INLINE void
one_nan_store(char *to, const one_nan_line *line, bool streams)
{
    for (int u = 0; u < 4; u++) {
        __m128i *at = (__m128i *)(void *)(to + 16 * u);
        if (streams)
            _mm_stream_si128(at, line->part[u]);
        else
            _mm_storeu_si128(at, line->part[u]);
    }
}

static ALWAYS_INLINE void one_nan_move_lines(
    char *to, const char *from, size_t bytes, number_kind kind, bool streams)
{
    const size_t head = streams ? (size_t)(-(uintptr_t)to & 63) : 0;
    size_t at = head < bytes ? head : bytes;
    memcpy(to, from, at);
    one_nan_scalar(to, at, kind);
    for (; at + 64 <= bytes; at += 64) {
        one_nan_line line = one_nan_load(from + at);
        if (UNLIKELY(one_nan_is_met(&line, kind)))
            one_nan_scalar((char *)&line, sizeof line, kind);
        one_nan_store(to + at, &line, streams);
    }
    memcpy(to + at, from + at, bytes - at);
    one_nan_scalar(to + at, bytes - at, kind);
    if (streams)
        _mm_sfence();
}

/* Of values where they lie. */
static ALWAYS_INLINE void
one_nan_lines(char *values, size_t bytes, number_kind kind)
{
    size_t at = 0;
    for (; at + 64 <= bytes; at += 64) {
        const one_nan_line line = one_nan_load(values + at);
        if (UNLIKELY(one_nan_is_met(&line, kind)))
            one_nan_scalar(values + at, 64, kind);
    }
    one_nan_scalar(values + at, bytes - at, kind);
}
#else
static inline void one_nan_move_lines(
    char *to, const char *from, size_t bytes, number_kind kind, bool streams)
{
    (void)streams;
    memcpy(to, from, bytes);
    one_nan_scalar(to, bytes, kind);
}

static inline void one_nan_lines(char *values, size_t bytes, number_kind kind)
{
    one_nan_scalar(values, bytes, kind);
}
#endif

/* `to` holds whole numbers, and is aligned as they are. streams: past the
   caches. */
static inline void one_nan_move(
    char *to, const char *from, size_t bytes, number_kind kind, bool streams)
{
    if (kind == NUMBERS_WITHOUT_NAN && streams)
        stream_copy(to, from, bytes);
    else if (kind == NUMBERS_WITHOUT_NAN)
        plain_copy(to, from, bytes);
    else if (kind == NUMBERS_DOUBLE && streams)
        one_nan_move_lines(to, from, bytes, NUMBERS_DOUBLE, true);
    else if (kind == NUMBERS_DOUBLE)
        one_nan_move_lines(to, from, bytes, NUMBERS_DOUBLE, false);
    else
        one_nan_move_lines(to, from, bytes, NUMBERS_FLOAT, streams);
}

static inline void one_nan(char *values, size_t bytes, number_kind kind)
{
    if (kind == NUMBERS_DOUBLE)
        one_nan_lines(values, bytes, NUMBERS_DOUBLE);
    else if (kind == NUMBERS_FLOAT)
        one_nan_lines(values, bytes, NUMBERS_FLOAT);
}

#endif
