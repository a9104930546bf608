/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the accumulators. */
#include "kernels/accumulators/table.h"
#include "spgemm/spgemm.h"

#define NAME(which, name, together) [which] = #name,
static const char *const names[SPGEMM_ACCUMULATOR_COUNT] = {
    ACCUMULATORS(NAME) OTHER_ACCUMULATORS(NAME)};
#undef NAME

const char *spgemm_accumulator_name(spgemm_accumulator which)
{
    return (unsigned)which < SPGEMM_ACCUMULATOR_COUNT ? names[which] : NULL;
}
