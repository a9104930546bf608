/* SPDX-License-Identifier: BSD-3-Clause */
/* What a compressed file holds, as one run of bytes. */
#ifndef TOOLS_DECODER_H
#define TOOLS_DECODER_H

#include <stdint.h>

#include "members.h"
#include "source.h"

typedef struct decoder decoder;

/** Of an open source, from where it is. It takes the source's bytes, and tells
    its failures to `m`. NULL: no memory. */
decoder *decoder_open(source *s, members *m);
void decoder_close(decoder *d);

/** At most `size` bytes; 0: the end; -1: m->why says why not. */
ptrdiff_t decoder_read(decoder *d, void *buffer, size_t size);

#endif
