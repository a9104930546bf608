/* SPDX-License-Identifier: BSD-3-Clause */
/* bzip2, to the end of the file: libarchive 3.6 takes what follows a stream for
   its end, and does not tell damage from want of memory. */
#ifndef TOOLS_BUNZIP_H
#define TOOLS_BUNZIP_H

#include "members.h"

typedef struct bunzip bunzip;

/** Of the bytes of a file; failures are told to `m`. NULL: no memory. */
bunzip *bunzip_open(packed_source_fn *source, void *context, members *m);
void bunzip_close(bunzip *g);

/** At most `size` (> 0) bytes of what was packed, all bzip2 streams one after
    the other; 0: the end; -1: m->why says what is wrong. */
ptrdiff_t bunzip_read(bunzip *g, void *buffer, size_t size);

#endif
