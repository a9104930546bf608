/* SPDX-License-Identifier: BSD-3-Clause */
/* One array of a .npz file: its header, and its elements in pieces of memory
   that are taken as the file turns out to hold them. */
#ifndef TOOLS_NPZ_MEMBER_H
#define TOOLS_NPZ_MEMBER_H

#include "members.h"
#include "npy.h"
#include "spgemm/mtx.h"

/** Bytes of a piece are a multiple of every element's, but for the last. */
typedef struct npz_piece {
    unsigned char *bytes;
    size_t size;
} npz_piece;

typedef struct npz_member {
    const char *name; /* "indptr.npy" */
    bool is_read;
    npy_header header;
    int64_t count; /* elements */
    npz_piece *pieces;
    int64_t npieces;
    int64_t capacity; /* of `pieces` */
} npz_member;

/** Read the member that the archive has come to, to its end. *bytes grows by
    what was read; what is announced must not take it past `limit`. */
spgemm_status npz_member_read(npz_member *m, members *archive, int64_t limit,
                              int64_t *bytes, spgemm_mtx_error *error);

/** Give back piece k, or all. */
void npz_member_drop(npz_member *m, int64_t k);
void npz_member_clear(npz_member *m);

/** Element k of an array of int32 or int64. */
int64_t npz_member_index(const npz_member *m, int64_t k);

/** "NAME: " and a sentence into *error; returns `status`. */
__attribute__((format(printf, 4, 5))) spgemm_status
npz_fail(spgemm_mtx_error *error, spgemm_status status, const char *name,
         const char *format, ...);

#endif
