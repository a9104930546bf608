/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels of all semirings that a type of values has. */
#include VALUE_H

#include "kernels/row/kernels.h"
#include "kernels/row/unit_table.h"

#if defined(VALUE_IS_COMPLEX)
#define IF_ORDERED(...)
#else
#define IF_ORDERED(...) __VA_ARGS__
#endif
#define IF_ALL(...) __VA_ARGS__

#define X(semiring, name, types)                                               \
    IF_##types(extern const semiring_kernels UNIT_TABLE(name);)
#include "semiring/semirings.def"
#undef X

const type_kernels UNIT_TABLE(kernels) = {
    .by_semiring =
        {
#define X(semiring, name, types) IF_##types([semiring] = &UNIT_TABLE(name), )
#include "semiring/semirings.def"
#undef X
        },
};
