/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of semirings: names, and what they read. */
#include "semiring/semiring.h"

#include <stddef.h>

#include "semiring/semirings.h"

typedef struct semiring_entry {
    const char *name;
    bool reads_a;
    bool reads_b;
    bool needs_order; /* no complex numbers */
} semiring_entry;

#define NEEDS_ORDER_OWN     false
#define NEEDS_ORDER_ALL     false
#define NEEDS_ORDER_ORDERED true
#define NEEDS_ORDER_NUMBERS true
#define ENTRY(semiring, name, add, mul, types, ...)                            \
    [semiring] = {#name, READS_A_##mul, READS_B_##mul, NEEDS_ORDER_##types},
static const semiring_entry semirings[SPGEMM_SEMIRING_COUNT] = {
    SEMIRINGS(ENTRY, )[SPGEMM_USER] = {"user", true, true, false},
};

const char *spgemm_semiring_name(spgemm_semiring semiring)
{
    return (unsigned)semiring < SPGEMM_SEMIRING_COUNT ? semirings[semiring].name
                                                      : NULL;
}

bool spgemm_semiring_reads_a(spgemm_semiring semiring)
{
    return semirings[semiring].reads_a;
}

bool spgemm_semiring_reads_b(spgemm_semiring semiring)
{
    return semirings[semiring].reads_b;
}

bool spgemm_semiring_needs_order(spgemm_semiring semiring)
{
    return semirings[semiring].needs_order;
}

/* Of truths "+" and max are "or", "*" and min are "and". */
spgemm_semiring spgemm_semiring_of_truths(spgemm_semiring semiring)
{
    switch (semiring) {
    case SPGEMM_OR_AND:
    case SPGEMM_PLUS_MIN:
    case SPGEMM_MAX_MIN:
        return SPGEMM_PLUS_TIMES;
    case SPGEMM_MIN_MAX:
        return SPGEMM_MIN_PLUS;
    default:
        return semiring;
    }
}
