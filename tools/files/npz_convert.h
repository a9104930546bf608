/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of a .npz member, checked, into an array of a matrix. Each
   piece of the member is given back once it is copied. */
#ifndef TOOLS_NPZ_CONVERT_H
#define TOOLS_NPZ_CONVERT_H

#include "npz_member.h"

/** Integers of the first `count` elements, in [0, limit). */
spgemm_status npz_convert_indices(void *to, spgemm_index_type type,
                                  npz_member *m, int64_t count, int64_t limit,
                                  spgemm_mtx_error *error);

/** Row pointers: all elements, from 0 to nnz, none less than the one before. */
spgemm_status npz_convert_rowptr(int64_t *to, npz_member *m, int64_t nnz,
                                 spgemm_mtx_error *error);

/** Values of the first `count` elements, as npy_is_value() has their type. */
void npz_convert_values(void *to, npz_member *m, int64_t count);

#endif
