/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a .npz file that a sparse matrix has. */
#ifndef TOOLS_NPZ_MEMBERS_H
#define TOOLS_NPZ_MEMBERS_H

#include "members.h"

enum {
    NPZ_FORMAT,
    NPZ_SHAPE,
    NPZ_INDPTR,
    NPZ_INDICES,
    NPZ_ROW,
    NPZ_COL,
    NPZ_DATA,
    NPZ_MEMBERS
};

/** "indptr.npy" for NPZ_INDPTR. */
extern const char *const npz_member_names[NPZ_MEMBERS];

/** These members of a file that can be sought in, *(int *)descriptor, as they
    come; others are passed over. NULL: no memory. */
members *npz_members_open(void *descriptor);

#endif
