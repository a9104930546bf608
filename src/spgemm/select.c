/* SPDX-License-Identifier: BSD-3-Clause */
/* From types, semiring and instruction set to kernels: the list of
   SPGEMM_VARIANTS, variants.def as a rule, expanded twice. */
#include "spgemm/kernels.h"

/* The tables that there are, and how a type's line names them. */
#ifdef SPGEMM_BASE_ISA_ONLY
#define DECLARE_ALL(kind, name)   extern const kind name##_base;
#define PATHS_ALL(name)           &name##_base, &name##_base, &name##_base
#define DECLARE_LANES(kind, name) DECLARE_ALL(kind, name)
#define PATHS_LANES(name)         PATHS_ALL(name)
#else
#define DECLARE_ALL(kind, name)                                                \
    extern const kind name##_base;                                             \
    extern const kind name##_avx2;                                             \
    extern const kind name##_avx512;
#define PATHS_ALL(name) &name##_base, &name##_avx2, &name##_avx512
#define DECLARE_LANES(kind, name)                                              \
    extern const kind name##_base;                                             \
    extern const kind name##_avx512;
#define PATHS_LANES(name) &name##_base, &name##_base, &name##_avx512
#endif
#define DECLARE_BASE(kind, name) extern const kind name##_base;
#define PATHS_BASE(name)         &name##_base, &name##_base, &name##_base
#define DECLARE_NONE(kind, name)
#define PATHS_NONE(name) NULL, NULL, NULL

#define VALUE(type, value, i32, i64)                                           \
    DECLARE_##i32(value_kernels, spgemm_value_kernels_##value##_i32)           \
        DECLARE_##i64(value_kernels, spgemm_value_kernels_##value##_i64)
#include SPGEMM_VARIANTS
#undef VALUE
DECLARE_ALL(structure_kernels, spgemm_structure_kernels_i32)
DECLARE_ALL(structure_kernels, spgemm_structure_kernels_i64)

enum { INDEX_TYPE_COUNT = 2 };

static const value_kernels
    *const values[SPGEMM_VALUE_TYPE_COUNT][INDEX_TYPE_COUNT][ISA_COUNT] = {
#define VALUE(type, value, i32, i64)                                           \
    [type] = {{PATHS_##i32(spgemm_value_kernels_##value##_i32)},               \
              {PATHS_##i64(spgemm_value_kernels_##value##_i64)}},
#include SPGEMM_VARIANTS
#undef VALUE
};

static const structure_kernels *const structures[INDEX_TYPE_COUNT][ISA_COUNT] =
    {
        [SPGEMM_I32] = {PATHS_ALL(spgemm_structure_kernels_i32)},
        [SPGEMM_I64] = {PATHS_ALL(spgemm_structure_kernels_i64)},
};

bool spgemm_kernels_select(kernels *k,
                           const spgemm_csr *A,
                           spgemm_semiring semiring,
                           bool has_values,
                           isa which)
{
    const structure_kernels *structure = structures[A->index_type][which];
    *k = (kernels){.numeric = structure->numeric,
                   .symbolic = structure->symbolic};
    if (!has_values)
        return true;
    if (semiring == SPGEMM_USER) {
        k->numeric = structure->user;
        return true;
    }
    if ((unsigned)A->value_type >= SPGEMM_VALUE_TYPE_COUNT)
        return false;
    const value_kernels *of_type = values[A->value_type][A->index_type][which];
    k->numeric = of_type ? of_type->numeric[semiring] : NULL;
    k->refill = of_type ? of_type->refill[semiring] : NULL;
    k->mark_next = of_type && of_type->repeats ? structure->mark_next : NULL;
    return k->numeric != NULL;
}
