/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip, its checksums looked at: libarchive 3.6 does not. */
#ifndef TOOLS_GUNZIP_H
#define TOOLS_GUNZIP_H

#include "members.h"

typedef struct gunzip gunzip;

/** Of the bytes of a file; failures are told to `m`. NULL: no memory. */
gunzip *gunzip_open(packed_source_fn *source, void *context, members *m);
void gunzip_close(gunzip *g);

/** At most `size` (> 0) bytes of what was packed, all gzip members one after
    the other; 0: the end; -1: m->why says what is wrong. */
ptrdiff_t gunzip_read(gunzip *g, void *buffer, size_t size);

#endif
