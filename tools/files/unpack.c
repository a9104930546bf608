/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams to bytes: zlib and libbz2 compare the checksums. Between and behind
   streams only zero bytes may stand, as on tapes.

   P. Deutsch, GZIP file format specification version 4.3, RFC 1952, 1996. */
#include "unpack.h"

#include <bzlib.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

enum { BLOCK_BYTES = 64 << 10, GZIP_WINDOW = 15 + 16 /* gzip only */ };

/* Each tells a failure. */
typedef struct codec {
    const char *name;
    bool (*begin)(unpack *u); /* a stream */
    int (*run)(unpack *u);  /* 1: it has ended; 0: there is more; -1: failed */
    void (*end)(unpack *u); /* it, or within it */
} codec;

struct unpack {
    const codec *codec;
    packed_source_fn *read;
    void *context;
    members *m;
    bool is_within; /* a stream */
    bool is_at_end; /* of the file */
    char *next;     /* bytes of the block that are not yet used */
    unsigned left;
    char *out; /* where unpacked bytes go */
    unsigned room;
    z_stream gzip; /* one of them */
    bz_stream bzip2;
    char block[BLOCK_BYTES];
};

static int fail(unpack *u, bool is_short_of_memory, const char *why)
{
    return is_short_of_memory ? members_fail(u->m, SPGEMM_ERROR_OUT_OF_MEMORY,
                                             "no memory to unpack it")
                              : members_fail(u->m, SPGEMM_ERROR_IO, "%s: %s",
                                             u->codec->name, why);
}

/* What a library left of the bytes, and of the room. */
static void advance(unpack *u, unsigned left, unsigned room)
{
    u->next += u->left - left;
    u->left = left;
    u->out += u->room - room;
    u->room = room;
}

/* ---- The libraries ------------------------------------------------------- */

static bool gzip_begin(unpack *u)
{
    u->gzip = (z_stream){0};
    return inflateInit2(&u->gzip, GZIP_WINDOW) == Z_OK ||
           fail(u, true, "") == 0;
}

static int gzip_run(unpack *u)
{
    z_stream *s = &u->gzip;
    s->next_in = (Bytef *)u->next;
    s->avail_in = u->left;
    s->next_out = (Bytef *)u->out;
    s->avail_out = u->room;
    const int code = inflate(s, Z_NO_FLUSH);
    advance(u, s->avail_in, s->avail_out);
    if (code == Z_OK || code == Z_BUF_ERROR || code == Z_STREAM_END)
        return code == Z_STREAM_END;
    return fail(u, code == Z_MEM_ERROR, s->msg ? s->msg : "damaged");
}

static void gzip_end(unpack *u)
{
    inflateEnd(&u->gzip);
}

static bool bzip2_begin(unpack *u)
{
    u->bzip2 = (bz_stream){0};
    return BZ2_bzDecompressInit(&u->bzip2, 0, 0) == BZ_OK ||
           fail(u, true, "") == 0;
}

static int bzip2_run(unpack *u)
{
    bz_stream *s = &u->bzip2;
    s->next_in = u->next;
    s->avail_in = u->left;
    s->next_out = u->out;
    s->avail_out = u->room;
    const int code = BZ2_bzDecompress(s);
    advance(u, s->avail_in, s->avail_out);
    if (code == BZ_OK || code == BZ_STREAM_END)
        return code == BZ_STREAM_END;
    return fail(u, code == BZ_MEM_ERROR,
                code == BZ_DATA_ERROR_MAGIC
                    ? "what follows is no stream of bzip2's"
                    : "a checksum does not fit, or the data is damaged");
}

static void bzip2_end(unpack *u)
{
    BZ2_bzDecompressEnd(&u->bzip2);
}

static const codec codecs[] = {
    [SOURCE_GZIP] = {"gzip", gzip_begin, gzip_run, gzip_end},
    [SOURCE_BZIP2] = {"bzip2", bzip2_begin, bzip2_run, bzip2_end}};

/* ---- Streams ------------------------------------------------------------- */

unpack *unpack_open(source_packing packing, packed_source_fn *read,
                    void *context, members *m)
{
    unpack *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    u->codec = &codecs[packing];
    u->read = read;
    u->context = context;
    u->m = m;
    return u;
}

void unpack_close(unpack *u)
{
    if (u && u->is_within)
        u->codec->end(u);
    free(u);
}

/* More of the file, if what there is was used up; false: failed. */
static bool fill(unpack *u)
{
    if (u->left > 0 || u->is_at_end)
        return true;
    const ptrdiff_t got = u->read(u->context, u->block, sizeof u->block);
    if (got < 0)
        return false;
    u->is_at_end = got == 0;
    u->next = u->block;
    u->left = (unsigned)got;
    return true;
}

/* To the next stream, if there is one; false: failed. */
static bool enter_stream(unpack *u)
{
    do {
        if (!fill(u))
            return false;
        for (; u->left > 0 && *u->next == 0; u->left--)
            u->next++;
    } while (u->left == 0 && !u->is_at_end);
    if (u->left == 0)
        return true;
    u->is_within = u->codec->begin(u);
    return u->is_within;
}

ptrdiff_t unpack_read(unpack *u, void *buffer, size_t size)
{
    const unsigned all = (unsigned)(size < BLOCK_BYTES ? size : BLOCK_BYTES);
    u->out = buffer;
    u->room = all;
    while (u->room == all) {
        if (!u->is_within && !enter_stream(u))
            return -1;
        if (!u->is_within)
            return 0;
        if (!fill(u))
            return -1;
        const int done =
            u->is_at_end
                ? fail(u, false, "truncated: the file ends within a stream")
                : u->codec->run(u);
        if (done < 0)
            return -1;
        if (done > 0) {
            u->codec->end(u);
            u->is_within = false;
        }
    }
    return (ptrdiff_t)(all - u->room);
}
