/* SPDX-License-Identifier: BSD-3-Clause */
/* gzip by zlib, bzip2 by libbz2, xz and zstd by libarchive: each verifies its
   checksums. A file of some kilobytes may hold endless blanks: what it unpacks
   to is held against what was taken of it. */
#include "decoder.h"

#include <archive.h>
#include <archive_entry.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "unpack.h"

enum { BLOCK_BYTES = 64 << 10 };

struct decoder {
    source *s;
    members *m;
    unpack *streams; /* one of them, or none: bytes as they are */
    struct archive *archive;
    bool is_empty;
    int64_t packed_bytes;
    int64_t unpacked_bytes;
    char block[BLOCK_BYTES];
};

static ptrdiff_t take_bytes(void *context, void *buffer, size_t size)
{
    decoder *d = context;
    const ptrdiff_t got = source_read_file(d->s, buffer, size);
    if (got < 0)
        return members_fail(d->m, SPGEMM_ERROR_IO, "%s", source_why(d->s));
    d->packed_bytes += got;
    return got;
}

static la_ssize_t take_block(struct archive *archive, void *context,
                             const void **block)
{
    decoder *d = context;
    (void)archive;
    *block = d->block;
    return take_bytes(d, d->block, sizeof d->block);
}

/* Of one filter: others within it are not looked for. What cannot be read from
   its first byte on would be taken for empty, but for the error that is set. */
static bool open_archive(decoder *d, int filter)
{
    struct archive_entry *entry;
    d->archive = archive_read_new();
    if (!d->archive)
        return false;
    if (archive_read_append_filter(d->archive, filter) < ARCHIVE_WARN ||
        archive_read_support_format_raw(d->archive) != ARCHIVE_OK ||
        archive_read_support_format_empty(d->archive) != ARCHIVE_OK ||
        archive_read_open(d->archive, d, NULL, take_block, NULL) !=
            ARCHIVE_OK ||
        archive_errno(d->archive) != 0) {
        members_fail_archive(d->m, d->archive, NULL);
        return true;
    }
    const int code = archive_read_next_header(d->archive, &entry);
    d->is_empty = code == ARCHIVE_EOF;
    if (code < ARCHIVE_WARN)
        members_fail_archive(d->m, d->archive, NULL);
    return true;
}

decoder *decoder_open(source *s, members *m)
{
    static const int filters[] = {
        [SOURCE_XZ] = ARCHIVE_FILTER_XZ, [SOURCE_ZSTD] = ARCHIVE_FILTER_ZSTD};
    const source_packing packing = source_packing_of(s);
    bool is_open = true;
    decoder *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->s = s;
    d->m = m;
    if (packing == SOURCE_GZIP || packing == SOURCE_BZIP2)
        is_open = (d->streams = unpack_open(packing, take_bytes, d, m)) != NULL;
    else if (packing != SOURCE_PLAIN && packing != SOURCE_TAR)
        is_open = open_archive(d, filters[packing]);
    if (is_open)
        return d;
    free(d);
    return NULL;
}

void decoder_close(decoder *d)
{
    if (!d)
        return;
    unpack_close(d->streams);
    if (d->archive)
        archive_read_free(d->archive);
    free(d);
}

static ptrdiff_t read_archive(decoder *d, void *buffer, size_t size)
{
    if (d->m->status < 0)
        return -1;
    return d->is_empty
               ? 0
               : members_read_archive(d->m, d->archive, NULL, buffer, size);
}

ptrdiff_t decoder_read(decoder *d, void *buffer, size_t size)
{
    const int64_t free_bytes = d->s->limits.unpacked;
    ptrdiff_t got;
    if (d->streams)
        got = unpack_read(d->streams, buffer, size);
    else if (d->archive)
        got = read_archive(d, buffer, size);
    else
        return take_bytes(d, buffer, size);
    if (got <= 0)
        return got;
    d->unpacked_bytes += got;
    if (d->unpacked_bytes / BUDGET_RATIO <= d->packed_bytes ||
        d->unpacked_bytes - BUDGET_RATIO * d->packed_bytes <= free_bytes)
        return got;
    return members_fail(
        d->m, SPGEMM_ERROR_MEMORY_LIMIT,
        "%" PRId64 " bytes of it unpack to %" PRId64
        " and more; the limit is %" PRId64 " and %d times what is packed",
        d->packed_bytes, d->unpacked_bytes, free_bytes, BUDGET_RATIO);
}
