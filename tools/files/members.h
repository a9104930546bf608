/* SPDX-License-Identifier: BSD-3-Clause */
/* What an archive holds, member by member, whoever reads it. */
#ifndef TOOLS_MEMBERS_H
#define TOOLS_MEMBERS_H

#include <stddef.h>

#include "spgemm/spgemm.h"

struct archive;
typedef struct members members;

struct members {
    /* The name of the next member that is wanted; NULL: there is none, and
       `status` tells whether the archive ended well. */
    const char *(*next)(members *m);

    /* Bytes of the member, at most `size` (> 0); 0: its end; -1: failure. */
    ptrdiff_t (*read)(members *m, void *buffer, size_t size);

    void (*close)(members *m);

    /* Of the first failure: SPGEMM_ERROR_IO, _OUT_OF_MEMORY or _MEMORY_LIMIT,
       and a sentence. */
    spgemm_status status;
    char why[256];
};

/** Bytes of a packed file, at most `size`; 0: its end; -1: failure, which the
    members know. */
typedef ptrdiff_t packed_source_fn(void *context, void *buffer, size_t size);

/** Set status and sentence, unless there was a failure before; -1. */
__attribute__((format(printf, 3, 4))) int
members_fail(members *m, spgemm_status status, const char *format, ...);

/** The failure of a call of libarchive's, after "WHAT: " where what is not
    NULL; -1. */
int members_fail_archive(members *m, struct archive *archive, const char *what);

/** At most `size` bytes of the entry that libarchive has come to; 0: its end; -1:
    failure, told as by members_fail_archive(). */
ptrdiff_t members_read_archive(members *m, struct archive *archive,
                               const char *what, void *buffer, size_t size);

#endif
