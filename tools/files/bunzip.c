/* SPDX-License-Identifier: BSD-3-Clause */
/* bzip2 streams to bytes: libbz2 compares the checksums of blocks and of
   streams. Between and behind streams only zero bytes may stand. */
#include "bunzip.h"

#include <bzlib.h>
#include <stdbool.h>
#include <stdlib.h>

enum { BLOCK_BYTES = 64 << 10 };

struct bunzip {
    bz_stream stream;
    packed_source_fn *source;
    void *context;
    members *m;
    bool is_within; /* a stream */
    bool is_at_end; /* of the file */
    char block[BLOCK_BYTES];
};

bunzip *bunzip_open(packed_source_fn *source, void *context, members *m)
{
    bunzip *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->source = source;
    b->context = context;
    b->m = m;
    return b;
}

void bunzip_close(bunzip *b)
{
    if (!b)
        return;
    if (b->is_within)
        BZ2_bzDecompressEnd(&b->stream);
    free(b);
}

static int refuse(bunzip *b, int code)
{
    if (code == BZ_MEM_ERROR)
        return members_fail(b->m, SPGEMM_ERROR_OUT_OF_MEMORY,
                            "no memory to unpack it");
    return members_fail(
        b->m, SPGEMM_ERROR_IO, "bzip2: %s",
        code == BZ_DATA_ERROR_MAGIC
            ? "what follows is no stream of bzip2's"
            : "a checksum does not fit, or the data is damaged");
}

/* More of the file, if what there is was used up; false: failed. */
static bool fill(bunzip *b)
{
    if (b->stream.avail_in > 0 || b->is_at_end)
        return true;
    const ptrdiff_t got = b->source(b->context, b->block, sizeof b->block);
    if (got < 0)
        return false;
    b->is_at_end = got == 0;
    b->stream.next_in = b->block;
    b->stream.avail_in = (unsigned)got;
    return true;
}

/* To the next stream, if there is one; false: failed. */
static bool enter_stream(bunzip *b)
{
    bz_stream *s = &b->stream;
    do {
        if (!fill(b))
            return false;
        for (; s->avail_in > 0 && *s->next_in == 0; s->avail_in--)
            s->next_in++;
    } while (s->avail_in == 0 && !b->is_at_end);
    if (s->avail_in == 0)
        return true;
    const int code = BZ2_bzDecompressInit(s, 0, 0);
    b->is_within = code == BZ_OK;
    return b->is_within || refuse(b, code) == 0;
}

ptrdiff_t bunzip_read(bunzip *b, void *buffer, size_t size)
{
    bz_stream *s = &b->stream;
    s->next_out = buffer;
    s->avail_out = (unsigned)(size < BLOCK_BYTES ? size : BLOCK_BYTES);
    const unsigned room = s->avail_out;
    while (s->avail_out == room) {
        if (!b->is_within && !enter_stream(b))
            return -1;
        if (!b->is_within)
            return 0;
        if (!fill(b))
            return -1;
        const int code = BZ2_bzDecompress(s);
        if (code == BZ_STREAM_END) {
            BZ2_bzDecompressEnd(s);
            b->is_within = false;
        } else if (code != BZ_OK) {
            return refuse(b, code);
        } else if (b->is_at_end && s->avail_out == room) {
            return members_fail(b->m, SPGEMM_ERROR_IO,
                                "bzip2: truncated: the file ends within a "
                                "stream");
        }
    }
    return (ptrdiff_t)(room - s->avail_out);
}
