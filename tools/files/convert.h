/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of other types: both operands of a product must have the same. */
#ifndef TOOLS_CONVERT_H
#define TOOLS_CONVERT_H

#include "spgemm/spgemm.h"

/** The type that values of two types are brought to, as NumPy does: integers
    and float meet at double. */
spgemm_value_type convert_common_type(spgemm_value_type a, spgemm_value_type b);

/** Make A one of these types, neither smaller than its own. A is as it was on
    failure. */
spgemm_status convert_matrix(spgemm_csr *A, spgemm_index_type index_type,
                             spgemm_value_type value_type);

#endif
