/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip members to bytes: zlib compares the checksum and the length at the end
   of each. Between and behind them only zero bytes may stand, as on tapes.

   P. Deutsch, GZIP file format specification version 4.3, RFC 1952, 1996. */
#include "gunzip.h"

#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

enum { BLOCK_BYTES = 64 << 10, GZIP_WINDOW = 15 + 16 /* gzip only */ };

struct gunzip {
    z_stream stream;
    packed_source_fn *source;
    void *context;
    members *m;
    bool is_within; /* a member */
    bool is_at_end; /* of the file */
    unsigned char block[BLOCK_BYTES];
};

gunzip *gunzip_open(packed_source_fn *source, void *context, members *m)
{
    gunzip *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->source = source;
    g->context = context;
    g->m = m;
    g->is_within = true;
    if (inflateInit2(&g->stream, GZIP_WINDOW) == Z_OK)
        return g;
    free(g);
    return NULL;
}

void gunzip_close(gunzip *g)
{
    if (!g)
        return;
    inflateEnd(&g->stream);
    free(g);
}

/* More of the file, if what there is was used up; false: failed. */
static bool fill(gunzip *g)
{
    if (g->stream.avail_in > 0 || g->is_at_end)
        return true;
    const ptrdiff_t got = g->source(g->context, g->block, sizeof g->block);
    if (got < 0)
        return false;
    g->is_at_end = got == 0;
    g->stream.next_in = g->block;
    g->stream.avail_in = (uInt)got;
    return true;
}

/* To the next member, if there is one; false: failed. */
static bool enter_member(gunzip *g)
{
    z_stream *s = &g->stream;
    do {
        if (!fill(g))
            return false;
        for (; s->avail_in > 0 && *s->next_in == 0; s->avail_in--)
            s->next_in++;
    } while (s->avail_in == 0 && !g->is_at_end);
    g->is_within = s->avail_in > 0;
    return !g->is_within || inflateReset(s) == Z_OK;
}

static int refuse(gunzip *g, int code)
{
    if (code == Z_MEM_ERROR)
        return members_fail(g->m, SPGEMM_ERROR_OUT_OF_MEMORY,
                            "no memory to unpack it");
    return members_fail(g->m, SPGEMM_ERROR_IO, "gzip: %s",
                        g->stream.msg ? g->stream.msg : "damaged");
}

ptrdiff_t gunzip_read(gunzip *g, void *buffer, size_t size)
{
    z_stream *s = &g->stream;
    s->next_out = buffer;
    s->avail_out = (uInt)(size < BLOCK_BYTES ? size : BLOCK_BYTES);
    const uInt room = s->avail_out;
    while (s->avail_out == room) {
        if (!g->is_within && !enter_member(g))
            return -1;
        if (!g->is_within)
            return 0;
        if (!fill(g))
            return -1;
        if (g->is_at_end)
            return members_fail(g->m, SPGEMM_ERROR_IO,
                                "gzip: truncated: the file ends within a "
                                "member");
        const int code = inflate(s, Z_NO_FLUSH);
        g->is_within = code != Z_STREAM_END;
        if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
            return refuse(g, code);
    }
    return (ptrdiff_t)(room - s->avail_out);
}
