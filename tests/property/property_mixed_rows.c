/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of every kind in one matrix, as make_mixture() makes them. */
#include "every_way.h"
#include "expect.h"
#include "mixture.h"

static void expect_mixture(uint64_t seed)
{
    char text[60];
    maker m = {{seed * 77},
               seed % 8 == 7 ? SPGEMM_I64 : SPGEMM_I32,
               seed % 2 ? VALUES_SPECIAL : VALUES_ARBITRARY};
    const int64_t inner = 40 + dice_below(&m.dice, 200);
    spgemm_csr A = make_mixture(&m, 150, inner, (int)seed);
    spgemm_csr B =
        make_mixture(&m, inner, 40 + dice_below(&m.dice, 3000), (int)seed / 5);
    snprintf(text, sizeof text, "seed %d", (int)seed);
    expect_every_way(&A, &B, NULL, 0, text);
    free_csr(&A);
    free_csr(&B);
    spgemm_csr S = make_mixture(&m, 180, 180, (int)seed);
    expect_every_way(&S, &S, NULL, 0, text);
    free_csr(&S);
}

ParameterizedTestParameters(mixed_rows, are_the_reference)
{
    const size_t count = 60;
    int *seeds = cr_malloc(count * sizeof *seeds);
    for (size_t t = 0; t < count; t++)
        seeds[t] = (int)t + 1;
    return cr_make_param_array(int, seeds, count, free_choices);
}

ParameterizedTest(int *seed, mixed_rows, are_the_reference)
{
    expect_mixture((uint64_t)*seed);
}
