/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the accumulators. */
#include "spgemm/spgemm.h"

static const char *const names[SPGEMM_ACCUMULATOR_COUNT] = {
    [SPGEMM_ACCUMULATOR_TINY] = "tiny",
    [SPGEMM_ACCUMULATOR_BLOCK] = "block",
    [SPGEMM_ACCUMULATOR_SCATTER] = "scatter",
    [SPGEMM_ACCUMULATOR_HASH] = "hash",
    [SPGEMM_ACCUMULATOR_REPEAT] = "repeat",
    [SPGEMM_ACCUMULATOR_MASKED] = "masked",
    [SPGEMM_ACCUMULATOR_MERGE] = "merge",
};

const char *spgemm_accumulator_name(spgemm_accumulator which)
{
    return (unsigned)which < SPGEMM_ACCUMULATOR_COUNT ? names[which] : NULL;
}
