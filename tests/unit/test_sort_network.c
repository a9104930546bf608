/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with vectors of eight and of sixteen. */
#include "kernels/simd/sort_network.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/features.h"
#include "dice.h"

enum { MOST = 5000, ROOM = MOST + 2 * BLOCK_COLUMNS, UNTOUCHED = 0x5a5a5a5a };

typedef enum order {
    ANY,
    FEW_DIFFERENT,
    ZEROS_AND_ONES,
    SORTED,
    FALLING,
    RUNS, /* as rows of B are */
    LARGEST,
    ORDERS
} order;

static bool lacks_instructions(void)
{
    return spgemm_cpu_isa() < (VECTOR_COLUMNS == 16 ? ISA_AVX512 : ISA_AVX2);
}

static uint32_t draw(dice *d, order which, int64_t t, int64_t n)
{
    switch (which) {
    case ANY:
        return (uint32_t)dice_below(d, INT32_MAX);
    case FEW_DIFFERENT:
        return (uint32_t)dice_below(d, n / 4 + 1);
    case ZEROS_AND_ONES:
        return (uint32_t)dice_below(d, 2);
    case SORTED:
        return (uint32_t)t;
    case FALLING:
        return (uint32_t)(n - t);
    case RUNS:
        return (uint32_t)(t % 17 * 100 + t / 17);
    default:
        return INT32_MAX - 1 - (uint32_t)dice_below(d, 2);
    }
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Where what is written behind n columns ends, and the vector behind it. */
static int64_t written_end(int64_t n)
{
    int64_t end = VECTOR_COLUMNS;
    while (end < n && end < BLOCK_COLUMNS)
        end *= 2;
    while (end < n)
        end += BLOCK_COLUMNS;
    return end + VECTOR_COLUMNS - 1;
}

static void expect_sorted(int64_t n, order which)
{
    static uint32_t columns[ROOM];
    static uint32_t expected[ROOM];
    dice d = {(uint64_t)(n * ORDERS + which + 1)};
    for (int64_t t = 0; t < ROOM; t++)
        columns[t] = t < n ? draw(&d, which, t, n) : UNTOUCHED;
    memcpy(expected, columns, sizeof expected);
    qsort(expected, (size_t)n, sizeof *expected, compare);
    sort_by_network(columns, n);
    cr_assert_eq(memcmp(columns, expected, (size_t)n * sizeof *columns), 0,
                 "%d columns, order %d", (int)n, (int)which);
    for (int64_t t = written_end(n); t < ROOM; t++)
        cr_assert_eq(columns[t], UNTOUCHED, "place %d behind %d", (int)t,
                     (int)n);
}

Test(sort_network, of_any_number_and_in_any_order)
{
    if (lacks_instructions())
        cr_skip("this machine lacks instructions");
    for (int which = 0; which < ORDERS; which++) {
        for (int64_t n = 0; n <= 2 * BLOCK_COLUMNS + 2; n++)
            expect_sorted(n, (order)which);
        for (int64_t n = BLOCK_COLUMNS; n <= MOST; n += BLOCK_COLUMNS)
            for (int64_t u = -1; u <= 1; u++)
                expect_sorted(n + u, (order)which);
    }
}

/* A network that sorts all zeros and ones sorts everything (D. E. Knuth, The Art of
   Computer Programming 3, 5.3.4, theorem Z): all of a vector's. */
Test(sort_network, all_zeros_and_ones_of_a_vector)
{
    if (lacks_instructions())
        cr_skip("this machine lacks instructions");
    for (uint32_t bits = 0; bits < 1u << VECTOR_COLUMNS; bits++) {
        uint32_t columns[VECTOR_COLUMNS];
        const int zeros = VECTOR_COLUMNS - __builtin_popcount(bits);
        for (int t = 0; t < VECTOR_COLUMNS; t++)
            columns[t] = bits >> t & 1;
        sort_by_network(columns, VECTOR_COLUMNS);
        for (int t = 0; t < VECTOR_COLUMNS; t++)
            cr_assert_eq(columns[t], t >= zeros, "%x", bits);
    }
}
