/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of types, and what values and columns are called. */
#include "values/traits.h"

#define VALUE(type, name, i32, i64)                                            \
    extern const value_traits spgemm_value_##name;
#include "values/types.def"
#undef VALUE

static const value_traits *const types[SPGEMM_VALUE_TYPE_COUNT] = {
#define VALUE(type, name, i32, i64) [type] = &spgemm_value_##name,
#include "values/types.def"
#undef VALUE
};

const value_traits *spgemm_value_traits(spgemm_value_type type)
{
    return (unsigned)type < SPGEMM_VALUE_TYPE_COUNT ? types[type] : NULL;
}

const char *spgemm_value_type_name(spgemm_value_type type)
{
    const value_traits *found = spgemm_value_traits(type);
    return found ? found->name : NULL;
}

const char *spgemm_index_type_name(spgemm_index_type type)
{
    static const char *const names[] = {"int32", "int64"};
    return (unsigned)type <= SPGEMM_I64 ? names[type] : NULL;
}

size_t spgemm_value_bytes(spgemm_value_type type)
{
    const value_traits *found = spgemm_value_traits(type);
    const unsigned bytes = (unsigned)type - (unsigned)SPGEMM_ELEMENTS(0);
    if (found)
        return found->bytes;
    return bytes <= USER_BYTES ? bytes : 0;
}

size_t spgemm_index_size(spgemm_index_type type)
{
    return type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
}
