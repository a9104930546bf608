/* SPDX-License-Identifier: BSD-3-Clause */
/* to[] = from[], every NaN as the one of positive sign and no payload.

   Which NaN a sum is depends on the order in which an instruction names its
   operands: on the compiler and the instruction set. So what is moved to C is
   looked at on the way, a line of 64 bytes at a time. The loops are written for
   each instruction set, since a copy is what it costs: by 16 bytes for all,
   delaunay_n15 and wiki-Vote squared, on one thread of a Zen 5, took 1.05 times as
   long. */
#include "spgemm/execute/move_values.h"

#include "common/compiler.h"
#include "common/stream_copy.h"
#include "cpu/features.h"

#if defined(__x86_64__) && !defined(SPGEMM_BASE_ISA_ONLY)
#include <immintrin.h>
#define HAS_VECTORS
#endif

#define LINE ((size_t)64)

#define ONE_NAN_DOUBLE UINT64_C(0x7ff8000000000000)
#define ONE_NAN_FLOAT  UINT32_C(0x7fc00000)

/* ---- Number by number ----------------------------------------------------- */

static void fix_doubles(char *values, size_t bytes)
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

static void fix_floats(char *values, size_t bytes)
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

static void fix(char *values, size_t bytes, number_kind kind)
{
    if (kind == NUMBERS_DOUBLE)
        fix_doubles(values, bytes);
    else
        fix_floats(values, bytes);
}

/* ---- Line by line --------------------------------------------------------- */

/* Of so many bytes, whole lines. `to` is aligned to lines if `streams`. */
typedef void move_lines(char *to, const char *from, size_t bytes,
                        bool is_double, bool streams);

/* Whether there is a NaN in some lines. */
typedef bool find_nan(const char *values, size_t bytes, bool is_double);

#if defined(HAS_VECTORS)
#define AVX512 __attribute__((target("avx512f")))
#define AVX2   __attribute__((target("avx2")))

AVX512 static void move_avx512(char *to, const char *from, size_t bytes,
                               bool is_double, bool streams)
{
    for (size_t at = 0; at < bytes; at += LINE) {
        __m512i line = _mm512_loadu_si512(from + at);
        if (is_double) {
            const __m512d x = _mm512_castsi512_pd(line);
            line = _mm512_mask_set1_epi64(
                line, _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q),
                (int64_t)ONE_NAN_DOUBLE);
        } else {
            const __m512 x = _mm512_castsi512_ps(line);
            line = _mm512_mask_set1_epi32(
                line, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q),
                (int32_t)ONE_NAN_FLOAT);
        }
        if (streams)
            _mm512_stream_si512((__m512i *)(void *)(to + at), line);
        else
            _mm512_storeu_si512(to + at, line);
    }
}

AVX512 static bool find_avx512(const char *values, size_t bytes, bool is_double)
{
    unsigned met = 0;
    for (size_t at = 0; at < bytes; at += LINE) {
        const __m512i line = _mm512_loadu_si512(values + at);
        const __m512d x = _mm512_castsi512_pd(line);
        const __m512 y = _mm512_castsi512_ps(line);
        met |= is_double ? _mm512_cmp_pd_mask(x, x, _CMP_UNORD_Q)
                         : _mm512_cmp_ps_mask(y, y, _CMP_UNORD_Q);
    }
    return met != 0;
}

AVX2 static void move_avx2(char *to, const char *from, size_t bytes,
                           bool is_double, bool streams)
{
    const __m256d one_double =
        _mm256_castsi256_pd(_mm256_set1_epi64x((int64_t)ONE_NAN_DOUBLE));
    const __m256 one_float =
        _mm256_castsi256_ps(_mm256_set1_epi32((int32_t)ONE_NAN_FLOAT));
    for (size_t at = 0; at < bytes; at += LINE / 2) {
        __m256i half =
            _mm256_loadu_si256((const __m256i *)(const void *)(from + at));
        const __m256d x = _mm256_castsi256_pd(half);
        const __m256 y = _mm256_castsi256_ps(half);
        if (is_double)
            half = _mm256_castpd_si256(_mm256_blendv_pd(
                x, one_double, _mm256_cmp_pd(x, x, _CMP_UNORD_Q)));
        else
            half = _mm256_castps_si256(_mm256_blendv_ps(
                y, one_float, _mm256_cmp_ps(y, y, _CMP_UNORD_Q)));
        if (streams)
            _mm256_stream_si256((__m256i *)(void *)(to + at), half);
        else
            _mm256_storeu_si256((__m256i *)(void *)(to + at), half);
    }
}

AVX2 static bool find_avx2(const char *values, size_t bytes, bool is_double)
{
    __m256i met = _mm256_setzero_si256();
    for (size_t at = 0; at < bytes; at += LINE / 2) {
        const __m256i half =
            _mm256_loadu_si256((const __m256i *)(const void *)(values + at));
        const __m256d x = _mm256_castsi256_pd(half);
        const __m256 y = _mm256_castsi256_ps(half);
        met = _mm256_or_si256(
            met, is_double
                     ? _mm256_castpd_si256(_mm256_cmp_pd(x, x, _CMP_UNORD_Q))
                     : _mm256_castps_si256(_mm256_cmp_ps(y, y, _CMP_UNORD_Q)));
    }
    return !_mm256_testz_si256(met, met);
}
#endif

#if defined(__SSE2__)
static bool find_base(const char *values, size_t bytes, bool is_double)
{
    __m128i met = _mm_setzero_si128();
    for (size_t at = 0; at < bytes; at += sizeof met) {
        const __m128i some =
            _mm_loadu_si128((const __m128i *)(const void *)(values + at));
        const __m128d x = _mm_castsi128_pd(some);
        const __m128 y = _mm_castsi128_ps(some);
        met = _mm_or_si128(met, is_double
                                    ? _mm_castpd_si128(_mm_cmpunord_pd(x, x))
                                    : _mm_castps_si128(_mm_cmpunord_ps(y, y)));
    }
    return _mm_movemask_epi8(met) != 0;
}
#else
static bool find_base(const char *values, size_t bytes, bool is_double)
{
    int met = 0;
    for (size_t at = 0; at < bytes; at += sizeof(double)) {
        double x;
        float y[2];
        memcpy(&x, values + at, sizeof x);
        memcpy(y, values + at, sizeof y);
        met |= is_double ? x != x : (y[0] != y[0]) | (y[1] != y[1]);
    }
    return met != 0;
}
#endif

/* Looked at, some at a time, and rarely touched. */
#define SOME ((size_t)4096)

static void move_base(char *to, const char *from, size_t bytes, bool is_double,
                      bool streams)
{
    char mended[SOME];
    for (size_t at = 0; at < bytes; at += SOME) {
        const size_t n = bytes - at < SOME ? bytes - at : SOME;
        const char *some = from + at;
        if (UNLIKELY(find_base(some, n, is_double))) {
            memcpy(mended, some, n);
            fix(mended, n, is_double ? NUMBERS_DOUBLE : NUMBERS_FLOAT);
            some = mended;
        }
        if (streams)
            stream_copy(to + at, some, n);
        else
            memcpy(to + at, some, n);
    }
}

/* ---- By the instruction set ------------------------------------------------ */

static const struct {
    move_lines *move;
    find_nan *find;
} by_isa[ISA_COUNT] = {
#if defined(HAS_VECTORS)
    {move_base, find_base}, {move_avx2, find_avx2}, {move_avx512, find_avx512}
#else
    {move_base, find_base}, {move_base, find_base}, {move_base, find_base}
#endif
};

/* Streamed lines are ordered with what follows, as plain stores are. */
static void end_stream(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

static void move_numbers(char *to, const char *from, size_t bytes,
                         bool is_double, bool streams)
{
    const number_kind kind = is_double ? NUMBERS_DOUBLE : NUMBERS_FLOAT;
    const size_t apart = streams ? (size_t)(-(uintptr_t)to & (LINE - 1)) : 0;
    const size_t head = apart < bytes ? apart : bytes;
    const size_t lines = (bytes - head) / LINE * LINE;
    const size_t tail = bytes - head - lines;
    memcpy(to, from, head);
    fix(to, head, kind);
    by_isa[spgemm_cpu_isa()].move(to + head, from + head, lines, is_double,
                                  streams);
    memcpy(to + head + lines, from + head + lines, tail);
    fix(to + head + lines, tail, kind);
    if (streams)
        end_stream();
}

void spgemm_move_values(char *to, const char *from, size_t bytes,
                        number_kind kind, bool streams)
{
    if (kind != NUMBERS_WITHOUT_NAN)
        move_numbers(to, from, bytes, kind == NUMBERS_DOUBLE, streams);
    else if (streams)
        stream_copy(to, from, bytes);
    else
        plain_copy(to, from, bytes);
}

void spgemm_make_one_nan(char *values, size_t bytes, number_kind kind)
{
    const size_t lines = bytes / LINE * LINE;
    find_nan *const find = by_isa[spgemm_cpu_isa()].find;
    if (kind == NUMBERS_WITHOUT_NAN)
        return;
    for (size_t at = 0; at < lines; at += SOME) {
        const size_t n = lines - at < SOME ? lines - at : SOME;
        if (find(values + at, n, kind == NUMBERS_DOUBLE))
            fix(values + at, n, kind);
    }
    fix(values + lines, bytes - lines, kind);
}

void spgemm_move_chunks(const chunk *first, size_t index_size,
                        size_t value_size, char *colidx, char *values,
                        number_kind kind, bool streams)
{
    void (*copy)(char *, const char *, size_t) =
        streams ? stream_copy : plain_copy;
    size_t at = 0;
    for (const chunk *c = first; c; c = c->next) {
        const size_t n = (size_t)c->used;
        copy(colidx + at * index_size, c->colidx, n * index_size);
        spgemm_move_values(values + at * value_size, c->values, n * value_size,
                           kind, streams);
        at += n;
    }
}
