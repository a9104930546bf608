/* SPDX-License-Identifier: BSD-3-Clause */
/* Places of set bits, or of bytes that are not 0, as a list: 0b10010 is (1, 4).

   Branch-free where the instruction set can compress a vector, and four bits at a
   time where it can count them: a loop over the bits of a sparse word ends at an
   unforeseeable place, and costs a misprediction a word. */
#ifndef SPGEMM_KERNELS_SIMD_PACK_H
#define SPGEMM_KERNELS_SIMD_PACK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/compiler.h"

#if defined(__AVX512VL__) && defined(__AVX512BW__)
#define PACK_AVX512
#include "kernels/simd/zeros_avx512.h"
#elif defined(__AVX2__)
#include "kernels/simd/compress_avx2.h"
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Entries that may be written behind the last. */
#define PACK_SLACK 16

/* Bits that are listed at once, set or not, where they are counted first: most
   words have no more. */
#define PACK_AT_ONCE 4

/* The place of the lowest bit set, which is cleared; any where none is. */
static ALWAYS_INLINE uint32_t take_lowest(uint64_t *bits)
{
    const uint64_t top = (uint64_t)1 << 63;
    const uint32_t place = (uint32_t)__builtin_ctzll(*bits | top);
    *bits &= *bits - 1;
    return place;
}

/* list[0 .. n) = base + the places of the n bits set; returns n. */
static ALWAYS_INLINE int64_t pack_bits(uint64_t bits, uint32_t base,
                                       uint32_t *list)
{
    int64_t n = 0;
#if defined(PACK_AVX512)
    __m512i place = _mm512_add_epi32(
        _mm512_set1_epi32((int)base),
        _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
    for (int part = 0; part < 4; part++) {
        const __mmask16 sixteen = (__mmask16)(bits >> 16 * part);
        _mm512_storeu_si512(
            list + n, _mm512_mask_compress_epi32(zeros_512(), sixteen, place));
        n += __builtin_popcount(sixteen);
        place = _mm512_add_epi32(place, _mm512_set1_epi32(16));
    }
#elif defined(__POPCNT__)
    n = __builtin_popcountll(bits);
    for (int64_t done = 0; done < n; done += PACK_AT_ONCE)
        for (int t = 0; t < PACK_AT_ONCE; t++)
            list[done + t] = base + take_lowest(&bits);
#else
    for (; bits != 0; bits &= bits - 1)
        list[n++] = base + (uint32_t)__builtin_ctzll(bits);
#endif
    return n;
}

/* The top bit of each of eight bytes: set if the byte is not 0. */
static ALWAYS_INLINE uint64_t nonzero_tops(uint64_t eight)
{
    const uint64_t low = 0x7f7f7f7f7f7f7f7fu;
    return (((eight & low) + low) | eight) & ~low;
}

/* Bit u of the result: bytes[u] is not 0, u < 64. */
static ALWAYS_INLINE uint64_t nonzero_bytes(const uint8_t *bytes)
{
    uint64_t bits = 0;
#if defined(PACK_AVX512)
    const __m512i all = _mm512_loadu_si512(bytes);
    bits = _mm512_test_epi8_mask(all, all);
#elif defined(__SSE2__)
    for (int w = 0; w < 4; w++) {
        const __m128i zeros = _mm_cmpeq_epi8(
            _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16 * w)),
            _mm_setzero_si128());
        bits |= (uint64_t)(~_mm_movemask_epi8(zeros) & 0xffff) << 16 * w;
    }
#else
    /* The product brings bit 8 u of its first factor to bit 56 + u. */
    for (int w = 0; w < 8; w++)
        bits |= (nonzero_tops(load_eight(bytes + 8 * w)) >> 7) *
                    0x0102040810204080u >>
                56 << 8 * w;
#endif
    return bits;
}

/* As pack_bits, for the bytes that are not 0 among eight. */
static ALWAYS_INLINE int64_t pack_bytes(const uint8_t *bytes, uint32_t base,
                                        uint32_t *list)
{
    int64_t n = 0;
#if defined(PACK_AVX512)
    const __m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)bytes);
    const __mmask8 taken = (__mmask8)_mm_test_epi8_mask(eight, eight);
    const __m256i place = _mm256_add_epi32(
        _mm256_set1_epi32((int)base), _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0));
    _mm256_storeu_si256((__m256i *)(void *)list,
                        _mm256_mask_compress_epi32(zeros_256(), taken, place));
    n = __builtin_popcount(taken);
#elif defined(__AVX2__)
    const __m128i eight = _mm_loadl_epi64((const __m128i *)(const void *)bytes);
    const unsigned taken = (unsigned)~_mm_movemask_epi8(
                               _mm_cmpeq_epi8(eight, _mm_setzero_si128())) &
                           0xff;
    const __m128i first = _mm_set1_epi32((int)base);
    n = __builtin_popcount(taken & 15);
    _mm_storeu_si128((__m128i *)(void *)list,
                     _mm_add_epi32(first, places_of_four(taken & 15)));
    _mm_storeu_si128((__m128i *)(void *)(list + n),
                     _mm_add_epi32(_mm_add_epi32(first, _mm_set1_epi32(4)),
                                   places_of_four(taken >> 4)));
    n += __builtin_popcount(taken >> 4);
#else
    uint64_t tops = nonzero_tops(load_eight(bytes));
    for (; tops != 0; tops &= tops - 1)
        list[n++] = base + (uint32_t)__builtin_ctzll(tops) / 8;
#endif
    return n;
}

#endif
