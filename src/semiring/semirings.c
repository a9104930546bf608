/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of semirings: names, and what they read. */
#include "semiring/semiring.h"

#include <stddef.h>
#include <string.h>

static const char *const names[SPGEMM_SEMIRING_COUNT] = {
#define X(semiring, name, types) [semiring] = #name,
#include "semiring/semirings.def"
#undef X
    [SPGEMM_USER] = "user",
};

const char *spgemm_semiring_name(spgemm_semiring semiring)
{
    return (unsigned)semiring < SPGEMM_SEMIRING_COUNT ? names[semiring] : NULL;
}

/* The second word of a name is its multiplication. */
static bool multiplies_by(spgemm_semiring semiring, const char *word)
{
    const char *gap = strchr(names[semiring], '_');
    return gap && strcmp(gap + 1, word) == 0;
}

bool spgemm_semiring_reads_a(spgemm_semiring semiring)
{
    return !multiplies_by(semiring, "pair") &&
           !multiplies_by(semiring, "second");
}

bool spgemm_semiring_reads_b(spgemm_semiring semiring)
{
    return !multiplies_by(semiring, "pair") &&
           !multiplies_by(semiring, "first");
}
