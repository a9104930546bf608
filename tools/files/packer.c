/* SPDX-License-Identifier: BSD-3-Clause */
/* By zlib: the filters of libarchive 3.6 that write do not look whether they got
   the memory that they begin with. Equal texts make equal files: gzip's date is
   left out. */
#include "packer.h"

#include <errno.h>
#include <stdlib.h>

#define ZLIB_CONST /* what is packed is only read */
#include <zlib.h>

enum {
    BUFFER_BYTES = 64 << 10,
    GZIP_WINDOW = MAX_WBITS + 16,
    MEMORY_LEVEL = 8 /* zlib's own */
};

struct packer {
    z_stream stream;
    const target *target;
    unsigned char buffer[BUFFER_BYTES];
};

packer *packer_open(const target *t)
{
    packer *p = calloc(1, sizeof *p);
    if (p &&
        deflateInit2(&p->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                     MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK) {
        p->target = t;
        return p;
    }
    free(p);
    return NULL;
}

/* All that is in hand, as far as zlib gives it out. */
static bool run(packer *p, int flush)
{
    do {
        p->stream.next_out = p->buffer;
        p->stream.avail_out = BUFFER_BYTES;
        /* Of a stream that is well it fails only where nothing is to be done. */
        deflate(&p->stream, flush);
        if (!target_write(p->target, p->buffer,
                          BUFFER_BYTES - p->stream.avail_out))
            return false;
    } while (p->stream.avail_out == 0);
    return true;
}

bool packer_write(packer *p, const void *bytes, size_t size)
{
    const unsigned char *from = bytes;
    while (size > 0) {
        const size_t part = size < BUFFER_BYTES ? size : BUFFER_BYTES;
        p->stream.next_in = from;
        p->stream.avail_in = (uInt)part;
        if (!run(p, Z_NO_FLUSH))
            return false;
        from += part;
        size -= part;
    }
    return true;
}

bool packer_end(packer *p)
{
    return run(p, Z_FINISH);
}

void packer_close(packer *p)
{
    if (p)
        deflateEnd(&p->stream);
    free(p);
}
