/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instruction sets the kernels may use here: what the CPU has, bounded
   by SPGEMM_ISA, in the levels of the x86-64 psABI (v3 and v4). */
#include "cpu/features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "common/refusal.h"

static const char *const names[ISA_COUNT] = {"base", "avx2", "avx512"};

static pthread_once_t detect_once = PTHREAD_ONCE_INIT;
static isa detected = ISA_BASE;
static bool is_known = true; /* what SPGEMM_ISA says */

#if defined(__x86_64__) && !defined(SPGEMM_BASE_ISA_ONLY)
#define ECX_MOVBE (1u << 22) /* of leaf 1 */
#define ECX_F16C  (1u << 29)
#define LEAF_AMD  0x80000001u
#define ECX_LZCNT (1u << 5) /* of that */

/* Those of v3 that not every compiler has a name for. Without LZCNT a CPU does
   something else, and says nothing. */
static bool has_rest_of_v3(void)
{
    unsigned a;
    unsigned b;
    unsigned c;
    unsigned d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & ECX_MOVBE) &&
           (c & ECX_F16C) && __get_cpuid(LEAF_AMD, &a, &b, &c, &d) &&
           (c & ECX_LZCNT);
}
#endif

static isa best_of_cpu(void)
{
#if defined(__x86_64__) && !defined(SPGEMM_BASE_ISA_ONLY)
    __builtin_cpu_init();
    const int v3 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
        __builtin_cpu_supports("popcnt") && has_rest_of_v3();
    const int v4 = v3 && __builtin_cpu_supports("avx512f") &&
                   __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512cd") &&
                   __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl");
    return v4 ? ISA_AVX512 : v3 ? ISA_AVX2 : ISA_BASE;
#else
    return ISA_BASE;
#endif
}

static void detect(void)
{
    detected = best_of_cpu();
    const char *wanted = getenv("SPGEMM_ISA");
    is_known = !wanted || !*wanted;
    for (int level = ISA_BASE; !is_known && level < ISA_COUNT; level++)
        if (strcmp(wanted, names[level]) == 0) {
            is_known = true;
            if (level < (int)detected)
                detected = (isa)level;
        }
}

isa spgemm_cpu_isa(void)
{
    pthread_once(&detect_once, detect);
    return detected;
}

spgemm_status spgemm_cpu_check(void)
{
    (void)spgemm_cpu_isa();
    return is_known ? SPGEMM_SUCCESS
                    : spgemm_refuse(SPGEMM_ERROR_INVALID,
                                    "the environment variable SPGEMM_ISA is "
                                    "none of base, avx2 and avx512");
}

const char *spgemm_isa_name(isa which)
{
    return names[which];
}
