/* SPDX-License-Identifier: BSD-3-Clause */
/* Moved values are the same, and every NaN is the one, at any place and length. */
#include "spgemm/execute/move_values.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "build_csr.h"

enum { MOST = 700 };

/* NaN of either sign and any payload; the rest are numbers of all kinds. */
static uint64_t odd_bits(int64_t t)
{
    const uint64_t bits[] = {
        UINT64_C(0x7ff8000000000000), UINT64_C(0xfff8000000000000),
        UINT64_C(0x7ff0000000000001), UINT64_C(0xffffffffffffffff),
        UINT64_C(0x7ff0000000000000), UINT64_C(0xfff0000000000000),
        UINT64_C(0x7fefffffffffffff), UINT64_C(0x8000000000000000),
        UINT64_C(0x0000000000000001), UINT64_C(0x3ff0000000000000)};
    return bits[t % 10];
}

static uint64_t want_double(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? UINT64_C(0x7ff8000000000000) : bits;
}

static uint32_t want_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return isnan(x) ? UINT32_C(0x7fc00000) : bits;
}

/* count numbers from place `first` of a line on, with a NaN now and then. */
static void expect_moved(int64_t first, int64_t count, int64_t step,
                         bool streams)
{
    uint64_t *from = must_allocate(MOST, sizeof *from);
    uint64_t *to = must_allocate(MOST + 16, sizeof *to);
    for (int64_t t = 0; t < count; t++)
        from[t] = t % step ? odd_bits(4 + t % 6) : odd_bits(t / step);
    memset(to, 0x55, (MOST + 16) * sizeof *to);
    spgemm_move_values((char *)(to + first), (const char *)from,
                       (size_t)count * sizeof *to, NUMBERS_DOUBLE, streams);
    for (int64_t t = 0; t < count; t++)
        cr_assert_eq(to[first + t], want_double(from[t]));
    cr_assert_eq(to[first + count], UINT64_C(0x5555555555555555));
    spgemm_make_one_nan((char *)from, (size_t)count * sizeof *from,
                        NUMBERS_DOUBLE);
    cr_assert_eq(memcmp(to + first, from, (size_t)count * sizeof *from), 0);
    free(from);
    free(to);
}

Test(move_values, of_doubles_anywhere)
{
    for (int64_t first = 0; first < 9; first++)
        for (int64_t count = 0; count < MOST; count += 1 + count / 9)
            for (int64_t step = 1; step < 200; step *= 5) {
                expect_moved(first, count, step, false);
                expect_moved(first, count, step, true);
            }
}

Test(move_values, of_floats_anywhere)
{
    uint32_t from[MOST];
    uint32_t to[MOST + 1];
    for (int64_t count = 0; count < MOST; count += 1 + count / 9)
        for (int64_t step = 1; step < 200; step *= 5) {
            for (int64_t t = 0; t < count; t++)
                from[t] = t % step ? UINT32_C(0xff800000)
                                   : (uint32_t)(odd_bits(t) >> 32) | 0x400001;
            to[count] = 7;
            spgemm_move_values((char *)to, (const char *)from,
                               (size_t)count * sizeof *to, NUMBERS_FLOAT,
                               step == 5);
            for (int64_t t = 0; t < count; t++)
                cr_assert_eq(to[t], want_float(from[t]));
            cr_assert_eq(to[count], 7);
        }
}

/* A zero of either sign is seen at any place, and nothing else is one: neither what
   is next to it nor a NaN. */
Test(move_values, tells_of_zeros)
{
    enum { COUNT = 67 };
    const uint64_t others[] = {1, UINT64_C(0x8000000000000001),
                               UINT64_C(0x7ff8000000000001),
                               UINT64_C(0x3ff0000000000000)};
    uint64_t from[COUNT];
    uint64_t to[COUNT + 8];
    for (int64_t first = 0; first < 8; first++)
        for (int at = -1; at < COUNT; at++)
            for (int streams = 0; streams < 2; streams++) {
                for (int t = 0; t < COUNT; t++)
                    from[t] = others[t % 4];
                if (at >= 0)
                    from[at] = (uint64_t)(at % 2) << 63;
                cr_assert_eq(spgemm_move_values((char *)(to + first),
                                                (const char *)from, sizeof from,
                                                NUMBERS_DOUBLE, streams),
                             at >= 0, "double, at %d", at);
                cr_assert_eq(spgemm_make_one_nan((char *)(to + first),
                                                 sizeof from, NUMBERS_DOUBLE),
                             at >= 0, "double in place, at %d", at);
            }
    const uint32_t floats[] = {1, UINT32_C(0x80000001), UINT32_C(0x7fc00001),
                               UINT32_C(0x3f800000)};
    uint32_t narrow[COUNT];
    for (int at = -1; at < COUNT; at++) {
        for (int t = 0; t < COUNT; t++)
            narrow[t] = floats[t % 4];
        if (at >= 0)
            narrow[at] = (uint32_t)(at % 2) << 31;
        cr_assert_eq(spgemm_move_values((char *)to, (const char *)narrow,
                                        sizeof narrow, NUMBERS_FLOAT, false),
                     at >= 0, "float, at %d", at);
        cr_assert_eq(
            spgemm_make_one_nan((char *)narrow, sizeof narrow, NUMBERS_FLOAT),
            at >= 0, "float in place, at %d", at);
    }
    cr_assert(spgemm_move_values((char *)to, (const char *)from, sizeof from,
                                 NUMBERS_WITHOUT_NAN, false),
              "nobody looks at integers");
}

/* What only looks like a NaN stays. */
Test(move_values, of_others_bit_for_bit)
{
    uint64_t from[MOST];
    uint64_t to[MOST];
    for (int64_t t = 0; t < MOST; t++)
        from[t] = odd_bits(t);
    spgemm_move_values((char *)to, (const char *)from, sizeof from,
                       NUMBERS_WITHOUT_NAN, false);
    cr_assert_eq(memcmp(to, from, sizeof to), 0);
    spgemm_make_one_nan((char *)to, sizeof to, NUMBERS_WITHOUT_NAN);
    cr_assert_eq(memcmp(to, from, sizeof to), 0);
}
