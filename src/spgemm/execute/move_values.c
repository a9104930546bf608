/* SPDX-License-Identifier: BSD-3-Clause */
/* to[] = from[], every NaN as the one of positive sign and no payload; and whether
   a number of them is zero.

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

/* All bits but signs: those that are 0 in a zero. */
#define NUMBER_DOUBLE INT64_C(0x7fffffffffffffff)
#define NUMBER_FLOAT  INT32_C(0x7fffffff)

/* ---- Number by number: whether one is zero ---------------------------------- */

static bool fix_doubles(char *values, size_t bytes)
{
    bool has_zero = false;
    for (size_t at = 0; at + sizeof(uint64_t) <= bytes;
         at += sizeof(uint64_t)) {
        uint64_t bits;
        memcpy(&bits, values + at, sizeof bits);
        if (bits << 1 > UINT64_C(0x7ff) << 53) {
            bits = ONE_NAN_DOUBLE;
            memcpy(values + at, &bits, sizeof bits);
        }
        has_zero |= bits << 1 == 0;
    }
    return has_zero;
}

static bool fix_floats(char *values, size_t bytes)
{
    bool has_zero = false;
    for (size_t at = 0; at + sizeof(uint32_t) <= bytes;
         at += sizeof(uint32_t)) {
        uint32_t bits;
        memcpy(&bits, values + at, sizeof bits);
        if (bits << 1 > UINT32_C(0xff) << 24) {
            bits = ONE_NAN_FLOAT;
            memcpy(values + at, &bits, sizeof bits);
        }
        has_zero |= bits << 1 == 0;
    }
    return has_zero;
}

static bool fix(char *values, size_t bytes, number_kind kind)
{
    return kind == NUMBERS_DOUBLE ? fix_doubles(values, bytes)
                                  : fix_floats(values, bytes);
}

/* ---- Line by line --------------------------------------------------------- */

/* Of so many bytes, whole lines. `to` is aligned to lines if `streams`. Returns
   whether a number is zero. */
typedef bool move_lines(char *to, const char *from, size_t bytes,
                        bool is_double, bool streams);

/* Whether some lines may have an odd number: a NaN, or a zero. */
typedef bool find_odd(const char *values, size_t bytes, bool is_double);

#if defined(HAS_VECTORS)
#define AVX512 __attribute__((target("avx512f")))
#define AVX2   __attribute__((target("avx2")))

AVX512 static bool move_avx512(char *to, const char *from, size_t bytes,
                               bool is_double, bool streams)
{
    const __m512i of_double = _mm512_set1_epi64(NUMBER_DOUBLE);
    const __m512i of_float = _mm512_set1_epi32(NUMBER_FLOAT);
    unsigned zeros = 0;
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
        zeros |= is_double ? _mm512_testn_epi64_mask(line, of_double)
                           : _mm512_testn_epi32_mask(line, of_float);
        if (streams)
            _mm512_stream_si512((__m512i *)(void *)(to + at), line);
        else
            _mm512_storeu_si512(to + at, line);
    }
    return zeros != 0;
}

AVX512 static bool find_avx512(const char *values, size_t bytes, bool is_double)
{
    unsigned odd = 0;
    for (size_t at = 0; at < bytes; at += LINE) {
        const __m512i line = _mm512_loadu_si512(values + at);
        const __m512d x = _mm512_castsi512_pd(line);
        const __m512 y = _mm512_castsi512_ps(line);
        odd |= is_double
                   ? _mm512_cmp_pd_mask(x, _mm512_setzero_pd(), _CMP_EQ_UQ)
                   : _mm512_cmp_ps_mask(y, _mm512_setzero_ps(), _CMP_EQ_UQ);
    }
    return odd != 0;
}

/* Bits of each number that is zero. */
AVX2 static __m256i zeros_avx2(__m256i numbers, bool is_double)
{
    const __m256i zero = _mm256_setzero_si256();
    return is_double
               ? _mm256_cmpeq_epi64(_mm256_add_epi64(numbers, numbers), zero)
               : _mm256_cmpeq_epi32(_mm256_add_epi32(numbers, numbers), zero);
}

AVX2 static bool move_avx2(char *to, const char *from, size_t bytes,
                           bool is_double, bool streams)
{
    __m256i zeros = _mm256_setzero_si256();
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
        zeros = _mm256_or_si256(zeros, zeros_avx2(half, is_double));
        if (streams)
            _mm256_stream_si256((__m256i *)(void *)(to + at), half);
        else
            _mm256_storeu_si256((__m256i *)(void *)(to + at), half);
    }
    return !_mm256_testz_si256(zeros, zeros);
}

AVX2 static bool find_avx2(const char *values, size_t bytes, bool is_double)
{
    const __m256d zero = _mm256_setzero_pd();
    __m256d odd = zero;
    for (size_t at = 0; at < bytes; at += LINE / 2) {
        const __m256i half =
            _mm256_loadu_si256((const __m256i *)(const void *)(values + at));
        const __m256d x = _mm256_castsi256_pd(half);
        const __m256 y = _mm256_castsi256_ps(half);
        odd = _mm256_or_pd(odd, is_double
                                    ? _mm256_cmp_pd(x, zero, _CMP_EQ_UQ)
                                    : _mm256_castps_pd(_mm256_cmp_ps(
                                          y, _mm256_setzero_ps(), _CMP_EQ_UQ)));
    }
    return _mm256_movemask_ps(_mm256_castpd_ps(odd)) != 0;
}
#endif

/* What is found in some numbers. */
typedef struct found {
    bool has_nan;
    bool has_zero;
} found;

#if defined(__SSE2__)
static found look_base(const char *values, size_t bytes, bool is_double)
{
    const __m128d zero = _mm_setzero_pd();
    __m128d nans = zero;
    __m128d zeros = zero;
    for (size_t at = 0; at < bytes; at += sizeof zero) {
        const __m128i some =
            _mm_loadu_si128((const __m128i *)(const void *)(values + at));
        const __m128d x = _mm_castsi128_pd(some);
        const __m128 y = _mm_castsi128_ps(some);
        nans =
            _mm_or_pd(nans, is_double ? _mm_cmpunord_pd(x, x)
                                      : _mm_castps_pd(_mm_cmpunord_ps(y, y)));
        zeros = _mm_or_pd(zeros, is_double ? _mm_cmpeq_pd(x, zero)
                                           : _mm_castps_pd(_mm_cmpeq_ps(
                                                 y, _mm_setzero_ps())));
    }
    return (found){_mm_movemask_epi8(_mm_castpd_si128(nans)) != 0,
                   _mm_movemask_epi8(_mm_castpd_si128(zeros)) != 0};
}
#else
static found look_base(const char *values, size_t bytes, bool is_double)
{
    int nans = 0;
    int zeros = 0;
    for (size_t at = 0; at < bytes; at += sizeof(double)) {
        double x;
        float y[2];
        memcpy(&x, values + at, sizeof x);
        memcpy(y, values + at, sizeof y);
        nans |= is_double ? x != x : (y[0] != y[0]) | (y[1] != y[1]);
        zeros |= is_double ? x == 0 : (y[0] == 0) | (y[1] == 0);
    }
    return (found){nans != 0, zeros != 0};
}
#endif

static bool find_base(const char *values, size_t bytes, bool is_double)
{
    const found f = look_base(values, bytes, is_double);
    return f.has_nan || f.has_zero;
}

/* Looked at, some at a time, and rarely touched. */
#define SOME ((size_t)4096)

static bool move_base(char *to, const char *from, size_t bytes, bool is_double,
                      bool streams)
{
    char mended[SOME];
    bool has_zero = false;
    for (size_t at = 0; at < bytes; at += SOME) {
        const size_t n = bytes - at < SOME ? bytes - at : SOME;
        const char *some = from + at;
        const found f = look_base(some, n, is_double);
        has_zero |= f.has_zero;
        if (UNLIKELY(f.has_nan)) {
            memcpy(mended, some, n);
            fix(mended, n, is_double ? NUMBERS_DOUBLE : NUMBERS_FLOAT);
            some = mended;
        }
        if (streams)
            stream_copy(to + at, some, n);
        else
            memcpy(to + at, some, n);
    }
    return has_zero;
}

/* ---- By the instruction set ------------------------------------------------ */

static const struct {
    move_lines *move;
    find_odd *find;
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

static bool move_numbers(char *to, const char *from, size_t bytes,
                         bool is_double, bool streams)
{
    const number_kind kind = is_double ? NUMBERS_DOUBLE : NUMBERS_FLOAT;
    const size_t apart = streams ? (size_t)(-(uintptr_t)to & (LINE - 1)) : 0;
    const size_t head = apart < bytes ? apart : bytes;
    const size_t lines = (bytes - head) / LINE * LINE;
    const size_t tail = bytes - head - lines;
    memcpy(to, from, head);
    bool has_zero = fix(to, head, kind);
    has_zero |= by_isa[spgemm_cpu_isa()].move(to + head, from + head, lines,
                                              is_double, streams);
    memcpy(to + head + lines, from + head + lines, tail);
    has_zero |= fix(to + head + lines, tail, kind);
    if (streams)
        end_stream();
    return has_zero;
}

bool spgemm_move_values(char *to, const char *from, size_t bytes,
                        number_kind kind, bool streams)
{
    if (kind != NUMBERS_WITHOUT_NAN)
        return move_numbers(to, from, bytes, kind == NUMBERS_DOUBLE, streams);
    if (streams)
        stream_copy(to, from, bytes);
    else
        plain_copy(to, from, bytes);
    return true;
}

/* Some odd numbers, looked at closely. */
static bool make_some_one_nan(char *values, size_t bytes, number_kind kind)
{
    const found f = look_base(values, bytes, kind == NUMBERS_DOUBLE);
    if (f.has_nan)
        fix(values, bytes, kind);
    return f.has_zero;
}

bool spgemm_make_one_nan(char *values, size_t bytes, number_kind kind)
{
    const size_t lines = bytes / LINE * LINE;
    find_odd *const find = by_isa[spgemm_cpu_isa()].find;
    bool has_zero = false;
    if (kind == NUMBERS_WITHOUT_NAN)
        return true;
    for (size_t at = 0; at < lines; at += SOME) {
        const size_t n = lines - at < SOME ? lines - at : SOME;
        if (find(values + at, n, kind == NUMBERS_DOUBLE))
            has_zero |= make_some_one_nan(values + at, n, kind);
    }
    return fix(values + lines, bytes - lines, kind) || has_zero;
}
