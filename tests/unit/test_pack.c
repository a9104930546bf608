/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled for each instruction set. */
#include "kernels/simd/pack.h"

#include <criterion/criterion.h>

#include "cpu/features.h"
#include "dice.h"

enum { MOST = 64, UNTOUCHED_ENTRY = 0x7eadbeef };

static void skip_without_instructions(void)
{
#if defined(PACK_AVX512)
    const isa needed = ISA_AVX512;
#elif defined(__AVX2__)
    const isa needed = ISA_AVX2;
#else
    const isa needed = ISA_BASE;
#endif
    if (spgemm_cpu_isa() < needed)
        cr_skip("this machine lacks instructions");
}

static void fill_list(uint32_t *list)
{
    for (int t = 0; t < MOST + 2 * PACK_SLACK; t++)
        list[t] = UNTOUCHED_ENTRY;
}

/* list has base + the places of the bits set, and may be written so far. */
static void expect_list(const uint32_t *list, int64_t n, uint64_t bits,
                        uint32_t base)
{
    int64_t count = 0;
    for (int u = 0; u < 64; u++)
        if (bits >> u & 1)
            cr_assert_eq(list[count++], base + (uint32_t)u, "bits %llx",
                         (unsigned long long)bits);
    cr_assert_eq(n, count, "bits %llx", (unsigned long long)bits);
    for (int64_t t = count + PACK_SLACK; t < MOST + 2 * PACK_SLACK; t++)
        cr_assert_eq(list[t], UNTOUCHED_ENTRY, "bits %llx",
                     (unsigned long long)bits);
}

static void expect_bits(uint64_t bits, uint32_t base)
{
    uint32_t list[MOST + 2 * PACK_SLACK];
    fill_list(list);
    expect_list(list, pack_bits(bits, base, list), bits, base);
}

Test(pack, lists_the_bits_of_each_sixteen)
{
    skip_without_instructions();
    for (uint64_t sixteen = 0; sixteen < 1 << 16; sixteen++)
        for (int part = 0; part < 4; part++)
            expect_bits(sixteen << 16 * part, 64);
}

Test(pack, lists_the_bits_of_words)
{
    skip_without_instructions();
    dice d = {3};
    expect_bits(~(uint64_t)0, 0);
    expect_bits(~(uint64_t)0, (uint32_t)INT32_MAX - 63);
    for (int t = 0; t < 20000; t++)
        expect_bits(dice_bits(&d) & (t % 2 ? dice_bits(&d) : ~(uint64_t)0),
                    (uint32_t)dice_below(&d, 1 << 20));
}

/* Bytes that are 0 where bits are, and anything else where they are not. */
static void make_bytes(dice *d, uint64_t bits, int count, uint8_t *bytes)
{
    for (int u = 0; u < count; u++)
        bytes[u] = bits >> u & 1 ? (uint8_t)(1 + dice_below(d, 255)) : 0;
}

Test(pack, lists_eight_bytes)
{
    skip_without_instructions();
    dice d = {4};
    for (int t = 0; t < 100 * 256; t++) {
        const uint64_t bits = (uint64_t)t % 256;
        uint8_t bytes[8];
        uint32_t list[MOST + 2 * PACK_SLACK];
        make_bytes(&d, bits, 8, bytes);
        fill_list(list);
        expect_list(list, pack_bytes(bytes, 40, list), bits, 40);
    }
}

/* Each value at each place, among zeros and among others. */
Test(pack, sees_each_byte)
{
    skip_without_instructions();
    for (int place = 0; place < 64; place++)
        for (int value = 0; value < 256; value++)
            for (int others = 0; others < 256; others += 51) {
                uint8_t bytes[64];
                const uint64_t around = others ? ~(uint64_t)0 : 0;
                const uint64_t bit = (uint64_t)1 << place;
                memset(bytes, others, sizeof bytes);
                bytes[place] = (uint8_t)value;
                cr_assert_eq(nonzero_bytes(bytes),
                             value ? around | bit : around & ~bit);
            }
}

Test(pack, sees_64_bytes)
{
    skip_without_instructions();
    dice d = {6};
    for (int t = 0; t < 20000; t++) {
        const uint64_t bits = dice_bits(&d) & (t % 2 ? dice_bits(&d) : ~0ull);
        uint8_t bytes[64];
        make_bytes(&d, bits, 64, bytes);
        cr_assert_eq(nonzero_bytes(bytes), bits);
    }
}
