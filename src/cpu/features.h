/* SPDX-License-Identifier: BSD-3-Clause */
/* Which instruction sets the kernels may use here. */
#ifndef SPGEMM_CPU_FEATURES_H
#define SPGEMM_CPU_FEATURES_H

#include "spgemm/spgemm.h"

typedef enum isa { ISA_BASE = 0, ISA_AVX2 = 1, ISA_AVX512 = 2 } isa;

enum { ISA_COUNT = 3 };

/**
 * The best that this CPU has and, when the environment sets SPGEMM_ISA to
 * base, avx2 or avx512, not above that. Looked up once.
 */
isa spgemm_cpu_isa(void);

/** SPGEMM_ERROR_INVALID where SPGEMM_ISA is set to something else. */
spgemm_status spgemm_cpu_check(void);

/** "base", "avx2" or "avx512". */
const char *spgemm_isa_name(isa which);

#endif
