/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/simd/sort16.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "cpu/features.h"
#include "dice.h"

enum { LANES = 16, MOST_VECTORS = 4, EACH_ROOM = 24, EACH_MOST = 20 };

static void skip_without_avx512(void)
{
    if (spgemm_cpu_isa() != ISA_AVX512)
        cr_skip("this machine has no AVX-512");
}

/* Sorts `keys` [16 n] in place. */
static void sort(uint32_t *keys, int n)
{
    __m512i v[2 * MOST_VECTORS];
    for (int t = 0; t < n; t++)
        v[t] = _mm512_loadu_si512(keys + LANES * t);
    sort16_each(v, n);
    switch (n) {
    case 1:
        merge_keys(v, 1);
        break;
    case 2:
        merge_keys(v, 2);
        break;
    case 3:
        merge_keys(v, 3);
        break;
    default:
        merge_keys(v, 4);
    }
    for (int t = 0; t < n; t++)
        _mm512_storeu_si512(keys + LANES * t, v[t]);
}

/* 0 ... 0 1 ... 1 with so many zeros. */
static bool is_step(const uint32_t *keys, int count, int zeros)
{
    for (int t = 0; t < count; t++)
        if (keys[t] != (t >= zeros))
            return false;
    return true;
}

/* A network that sorts all zeros and ones sorts everything (D. E. Knuth, The
   Art of Computer Programming 3, 5.3.4, theorem Z). */
Test(sort16, sorts_all_zeros_and_ones)
{
    skip_without_avx512();
    for (uint32_t bits = 0; bits < 1u << LANES; bits++) {
        uint32_t keys[LANES];
        for (int t = 0; t < LANES; t++)
            keys[t] = bits >> t & 1;
        sort(keys, 1);
        cr_assert(is_step(keys, LANES, LANES - __builtin_popcount(bits)), "%x",
                  bits);
    }
}

/* Zeros and ones of vector t of those that belong to `bits`: no two are alike. */
static uint32_t bits_of_vector(uint32_t bits, int t)
{
    return (bits ^ (uint32_t)t * 0x9e37u) & 0xffff;
}

/* Sorts n vectors of zeros and ones, each by itself. */
static void expect_each(uint32_t bits, int n)
{
    __m512i v[EACH_ROOM];
    uint32_t keys[LANES];
    for (int t = 0; t < n; t++) {
        for (int u = 0; u < LANES; u++)
            keys[u] = bits_of_vector(bits, t) >> u & 1;
        v[t] = _mm512_loadu_si512(keys);
    }
    for (int t = n; t < EACH_ROOM; t++)
        v[t] = _mm512_set1_epi32(7);
    sort16_each(v, n);
    for (int t = 0; t < n; t++) {
        const int ones = __builtin_popcount(bits_of_vector(bits, t));
        _mm512_storeu_si512(keys, v[t]);
        cr_assert(is_step(keys, LANES, LANES - ones), "%x, %d of %d", bits, t,
                  n);
    }
}

Test(sort16, sorts_each_of_some_vectors)
{
    skip_without_avx512();
    for (uint32_t bits = 0; bits < 1u << LANES; bits++)
        expect_each(bits, 8);
    for (int n = 1; n <= EACH_MOST; n++)
        for (uint32_t bits = 0; bits < 1u << LANES; bits += 101)
            expect_each(bits, n);
}

/* Vectors are sorted first: their zeros and ones are known by how many they
   are, so that these are all. */
static void expect_all_steps(int n)
{
    int inputs = 1;
    for (int v = 0; v < n; v++)
        inputs *= LANES + 1;
    for (int input = 0; input < inputs; input++) {
        uint32_t keys[LANES * MOST_VECTORS];
        int zeros = 0;
        for (int v = 0, rest = input; v < n; v++, rest /= LANES + 1) {
            for (int t = 0; t < LANES; t++)
                keys[LANES * v + t] = t >= rest % (LANES + 1);
            zeros += rest % (LANES + 1);
        }
        sort(keys, n);
        cr_assert(is_step(keys, LANES * n, zeros), "%d vectors, input %d", n,
                  input);
    }
}

Test(sort16, merges_all_zeros_and_ones)
{
    skip_without_avx512();
    for (int n = 2; n <= MOST_VECTORS; n++)
        expect_all_steps(n);
}

static int by_key(const void *x, const void *y)
{
    const uint32_t left = *(const uint32_t *)x;
    const uint32_t right = *(const uint32_t *)y;
    return (left > right) - (left < right);
}

Test(sort16, sorts_keys_of_all_sizes)
{
    skip_without_avx512();
    dice d = {5};
    for (int t = 0; t < 40000; t++) {
        uint32_t keys[LANES * MOST_VECTORS];
        uint32_t want[LANES * MOST_VECTORS];
        const int n = 1 + t % MOST_VECTORS;
        const int shift =
            (int)dice_below(&d, 32); /* the more, the more equal */
        for (int u = 0; u < LANES * n; u++) {
            keys[u] = (uint32_t)dice_bits(&d) >> shift << shift;
            want[u] = keys[u];
        }
        qsort(want, (size_t)(LANES * n), sizeof *want, by_key);
        sort(keys, n);
        cr_assert_eq(memcmp(keys, want, (size_t)(LANES * n) * sizeof *keys), 0);
    }
}
