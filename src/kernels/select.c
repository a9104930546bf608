/* SPDX-License-Identifier: BSD-3-Clause */
/* From types, semiring and instruction set to kernels: the list of
   SPGEMM_VARIANTS, types.def as a rule, expanded twice. */
#include "kernels/row/kernels.h"

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
    DECLARE_##i32(type_kernels, spgemm_kernels_##value##_i32)                  \
        DECLARE_##i64(type_kernels, spgemm_kernels_##value##_i64)
#include SPGEMM_VARIANTS
#undef VALUE
DECLARE_ALL(pattern_kernels, spgemm_pattern_i32)
DECLARE_ALL(pattern_kernels, spgemm_pattern_i64)

enum { INDEX_TYPE_COUNT = 2 };

static const type_kernels
    *const types[SPGEMM_VALUE_TYPE_COUNT][INDEX_TYPE_COUNT][ISA_COUNT] = {
#define VALUE(type, value, i32, i64)                                           \
    [type] = {{PATHS_##i32(spgemm_kernels_##value##_i32)},                     \
              {PATHS_##i64(spgemm_kernels_##value##_i64)}},
#include SPGEMM_VARIANTS
#undef VALUE
};

static const pattern_kernels *const patterns[INDEX_TYPE_COUNT][ISA_COUNT] = {
    [SPGEMM_I32] = {PATHS_ALL(spgemm_pattern_i32)},
    [SPGEMM_I64] = {PATHS_ALL(spgemm_pattern_i64)},
};

bool spgemm_kernels_select(kernels *k,
                           const spgemm_csr *A,
                           spgemm_semiring semiring,
                           bool has_values,
                           isa which)
{
    const pattern_kernels *pattern = patterns[A->index_type][which];
    *k = (kernels){.numeric = pattern->numeric, .symbolic = pattern->symbolic};
    if (!has_values)
        return true;
    if (semiring == SPGEMM_USER) {
        k->numeric = pattern->user;
        return true;
    }
    if ((unsigned)A->value_type >= SPGEMM_VALUE_TYPE_COUNT)
        return false;
    const type_kernels *type = types[A->value_type][A->index_type][which];
    const semiring_kernels *found = type ? type->by_semiring[semiring] : NULL;
    if (!found)
        return false;
    k->numeric = found->numeric;
    k->refill = found->refill;
    k->mark_next = found->has_shifted_rows ? pattern->mark_next : NULL;
    return true;
}
