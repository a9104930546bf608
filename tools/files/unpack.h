/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip and bzip2, to the end of the file and with their checksums: libarchive 3.6
   does not look at those of gzip, takes what follows a stream of bzip2 for its
   end, and does not tell damage from want of memory. */
#ifndef TOOLS_UNPACK_H
#define TOOLS_UNPACK_H

#include "members.h"
#include "source.h"

typedef struct unpack unpack;

/** Of the bytes that `read` gives of a file packed so (SOURCE_GZIP,
    SOURCE_BZIP2); failures are told to `m`. NULL: no memory. */
unpack *unpack_open(source_packing packing, packed_source_fn *read,
                    void *context, members *m);

/** NULL is accepted. */
void unpack_close(unpack *u);

/** At most `size` (> 0) bytes of what was packed, all streams of the file one
    after the other; 0: the end; -1: m->why says what is wrong. */
ptrdiff_t unpack_read(unpack *u, void *buffer, size_t size);

#endif
