/* SPDX-License-Identifier: BSD-3-Clause */
/* From types, semiring and instruction set to kernels: the list of
   SPGEMM_VARIANTS, types.def as a rule, expanded twice. */
#include "kernels/row/kernels.h"
#include "semiring/semiring.h"
#include "values/traits.h"

/* The tables that there are, and how a type's line names them. */
#ifdef SPGEMM_BASE_ISA_ONLY
#define DECLARE_ALL(kind, name)  extern const kind name##_base;
#define PATHS_ALL(name)          &name##_base, &name##_base, &name##_base
#define DECLARE_AVX2(kind, name) DECLARE_ALL(kind, name)
#define PATHS_AVX2(name)         PATHS_ALL(name)
#else
#define DECLARE_ALL(kind, name)                                                \
    extern const kind name##_base;                                             \
    extern const kind name##_avx2;                                             \
    extern const kind name##_avx512;
#define PATHS_ALL(name) &name##_base, &name##_avx2, &name##_avx512
#define DECLARE_AVX2(kind, name)                                               \
    extern const kind name##_base;                                             \
    extern const kind name##_avx2;
#define PATHS_AVX2(name) &name##_base, &name##_avx2, &name##_avx2
#endif
#define DECLARE_BASE(kind, name) extern const kind name##_base;
#define PATHS_BASE(name)         &name##_base, &name##_base, &name##_base
#define DECLARE_NONE(kind, name)
#define PATHS_NONE(name) NULL, NULL, NULL

#define VALUE(type, value, i32, i64)                                           \
    DECLARE_##i32(semiring_kernels, spgemm_plus_times_##value##_i32)           \
        DECLARE_##i64(semiring_kernels, spgemm_plus_times_##value##_i64)       \
            DECLARE_##i32(semiring_kernels, spgemm_semirings_##value##_i32)    \
                DECLARE_##i64(semiring_kernels,                                \
                              spgemm_semirings_##value##_i64)
#include SPGEMM_VARIANTS
#undef VALUE
DECLARE_ALL(pattern_kernels, spgemm_pattern_i32)
DECLARE_BASE(pattern_kernels, spgemm_pattern_i64)

enum { INDEX_TYPE_COUNT = 2 };

typedef const semiring_kernels
    *by_type[SPGEMM_VALUE_TYPE_COUNT][INDEX_TYPE_COUNT][ISA_COUNT];

static const by_type plus_times = {
#define VALUE(type, value, i32, i64)                                           \
    [type] = {{PATHS_##i32(spgemm_plus_times_##value##_i32)},                  \
              {PATHS_##i64(spgemm_plus_times_##value##_i64)}},
#include SPGEMM_VARIANTS
#undef VALUE
};

static const by_type semirings = {
#define VALUE(type, value, i32, i64)                                           \
    [type] = {{PATHS_##i32(spgemm_semirings_##value##_i32)},                   \
              {PATHS_##i64(spgemm_semirings_##value##_i64)}},
#include SPGEMM_VARIANTS
#undef VALUE
};

static const pattern_kernels *const patterns[INDEX_TYPE_COUNT][ISA_COUNT] = {
    [SPGEMM_I32] = {PATHS_ALL(spgemm_pattern_i32)},
    [SPGEMM_I64] = {PATHS_BASE(spgemm_pattern_i64)},
};

bool spgemm_kernels_select(kernels *k, spgemm_value_type value_type,
                           spgemm_index_type index_type,
                           spgemm_semiring semiring, product_values values,
                           isa which)
{
    const pattern_kernels *pattern = patterns[index_type][which];
    *k = (kernels){.numeric = pattern->numeric,
                   .symbolic = pattern->symbolic,
                   .place = pattern->place,
                   .mark_next = pattern->mark_next,
                   .bitmap_fill_alone = pattern->bitmap_fill_alone,
                   .sorted_products = pattern->sorted_products};
    if (values == VALUES_NONE)
        return true;
    if (semiring == SPGEMM_USER) {
        k->numeric = pattern->user;
        k->has_sums = true;
        k->mark_next = NULL;
        return true;
    }
    if ((unsigned)value_type >= SPGEMM_VALUE_TYPE_COUNT)
        return false;
    if (spgemm_semiring_needs_order(semiring) &&
        spgemm_value_is_complex(value_type))
        return false;
    const by_type *tables =
        semiring == SPGEMM_PLUS_TIMES ? &plus_times : &semirings;
    const semiring_kernels *found = (*tables)[value_type][index_type][which];
    if (!found)
        return false;
    if (semiring == SPGEMM_ANY_PAIR && values == VALUES_SUMS) {
        k->numeric = pattern->ones;
        k->refill = pattern->refill_ones;
        k->place = NULL;
        return true;
    }
    k->has_sums = true;
    k->numeric = found->numeric;
    k->refill = found->refill;
    k->chained = found->chained;
    k->bitmap_fill_alone = found->bitmap_fill_alone;
    k->sorted_products = found->sorted_products;
    return true;
}
