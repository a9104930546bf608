/* SPDX-License-Identifier: BSD-3-Clause */
/* The ZIP archive that a .npz file is. */
#ifndef TOOLS_NPZ_ARCHIVE_H
#define TOOLS_NPZ_ARCHIVE_H

#include "spgemm/spgemm.h"
#include "target.h"

enum { NPZ_ROWPTR, NPZ_COLIDX, NPZ_VALUES, NPZ_PLACES };

/** Where the elements of an array are. */
typedef struct npz_place {
    const void *memory;
    int descriptor; /* of a file, where memory is NULL; -1: each byte is 1 */
} npz_place;

typedef struct npz_shape {
    int64_t nrows;
    int64_t ncols;
    int64_t nnz;
    spgemm_index_type index_type;
    spgemm_value_type value_type;
} npz_shape;

/** Write the matrix of these arrays, row pointers as int64, to an open target.
    A file of elements is closed once it is copied: its disk is free for the
    next. How the program ends otherwise, after a message. */
int npz_archive_write(const target *t, const npz_shape *s,
                      const npz_place places[NPZ_PLACES]);

#endif
