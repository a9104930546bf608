/* SPDX-License-Identifier: BSD-3-Clause */
/* From types and instruction set to kernels: variants.def, expanded twice. */
#include "spgemm/kernels.h"

#define X(value_type, value, value_c, index_type, index, index_c)              \
    extern const kernels spgemm_kernels_##value##_##index##_base;              \
    extern const kernels spgemm_kernels_##value##_##index##_avx2;
#include "spgemm/variants.def"
#undef X
#define X(value_type, value, value_c, index_type, index, index_c)              \
    extern const kernels spgemm_kernels_##value##_##index##_avx512;
#include "spgemm/variants.def"
#undef X

typedef struct variant {
    spgemm_value_type value_type;
    spgemm_index_type index_type;
    const kernels *by_isa[ISA_COUNT];
} variant;

#ifdef SPGEMM_BASE_ISA_ONLY
#define PATHS(name)                                                            \
    {                                                                          \
        &name##_base, &name##_base, &name##_base                               \
    }
#else
#define PATHS(name)                                                            \
    {                                                                          \
        &name##_base, &name##_avx2, &name##_avx512                             \
    }
#endif

static const variant variants[] = {
#define X(value_type, value, value_c, index_type, index, index_c)              \
    {value_type, index_type, PATHS(spgemm_kernels_##value##_##index)},
#include "spgemm/variants.def"
#undef X
};

const kernels *spgemm_kernels_select(spgemm_value_type value_type,
                                     spgemm_index_type index_type,
                                     isa which)
{
    for (size_t t = 0; t < sizeof variants / sizeof variants[0]; t++)
        if (variants[t].value_type == value_type &&
            variants[t].index_type == index_type)
            return variants[t].by_isa[which];
    return NULL;
}
