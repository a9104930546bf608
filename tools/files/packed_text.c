/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a tar archive the member NAME/NAME.mtx is read, as the SuiteSparse
   collection packs it beside vectors of other names, or else the first that
   ends in .mtx; as a stream: nothing is ever extracted. What follows the member
   is read to the end, so that a damaged or truncated archive is found out. */
#include "packed_text.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdlib.h>
#include <string.h>

#include "decoder.h"

enum { BLOCK_BYTES = 64 << 10, HEAD_BYTES = 512, MAGIC_OFFSET = 257 };

typedef struct packed_text {
    members base;
    source *s;
    decoder *d;
    struct archive *tar; /* NULL: the text is all there is */
    char head[HEAD_BYTES];
    size_t head_length; /* read to see what it is */
    size_t head_taken;
    bool is_started;
    char block[BLOCK_BYTES];
} packed_text;

static int fail_tar(packed_text *t)
{
    return members_fail_archive(&t->base, t->tar, NULL);
}

/* Unpacked bytes: first those read ahead. */
static ptrdiff_t read_unpacked(packed_text *t, void *buffer, size_t size)
{
    const size_t left = t->head_length - t->head_taken;
    if (left == 0)
        return decoder_read(t->d, buffer, size);
    const size_t length = left < size ? left : size;
    memcpy(buffer, t->head + t->head_taken, length);
    t->head_taken += length;
    return (ptrdiff_t)length;
}

static bool read_head(packed_text *t)
{
    ptrdiff_t got = 1;
    t->head_length = 0;
    t->head_taken = 0;
    while (got > 0 && t->head_length < sizeof t->head) {
        got = decoder_read(t->d, t->head + t->head_length,
                           sizeof t->head - t->head_length);
        if (got > 0)
            t->head_length += (size_t)got;
    }
    return got >= 0;
}

static la_ssize_t take_block(struct archive *archive, void *context,
                             const void **block)
{
    packed_text *t = context;
    (void)archive;
    *block = t->block;
    return read_unpacked(t, t->block, sizeof t->block);
}

static bool open_tar(packed_text *t)
{
    static const char magic[] = "ustar";
    const size_t length = sizeof magic - 1;
    if (t->head_length < MAGIC_OFFSET + length ||
        memcmp(t->head + MAGIC_OFFSET, magic, length) != 0)
        return true;
    t->tar = archive_read_new();
    if (!t->tar)
        return members_fail(&t->base, SPGEMM_ERROR_OUT_OF_MEMORY,
                            "no memory to read the archive") == 0;
    return (archive_read_support_format_tar(t->tar) == ARCHIVE_OK &&
            archive_read_open(t->tar, t, NULL, take_block, NULL) ==
                ARCHIVE_OK) ||
           fail_tar(t) == 0;
}

static bool open_layers(packed_text *t)
{
    t->d = decoder_open(t->s, &t->base);
    if (!t->d)
        return members_fail(&t->base, SPGEMM_ERROR_OUT_OF_MEMORY,
                            "no memory to unpack it") == 0;
    return t->base.status == SPGEMM_SUCCESS && read_head(t) && open_tar(t);
}

static void close_layers(packed_text *t)
{
    if (t->tar)
        archive_read_free(t->tar);
    decoder_close(t->d);
    t->tar = NULL;
    t->d = NULL;
}

typedef enum member_kind { OTHER, ANY_MTX, NAMED_MTX } member_kind;

/* NAMED_MTX: the path ends in NAME/NAME.mtx. */
static member_kind classify(struct archive_entry *entry)
{
    static const char suffix[] = ".mtx";
    const char *path = archive_entry_pathname(entry);
    if (!path || archive_entry_filetype(entry) != AE_IFREG)
        return OTHER;
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    const size_t length = strlen(file);
    if (length < sizeof suffix ||
        strcmp(file + length - (sizeof suffix - 1), suffix) != 0)
        return OTHER;
    const size_t stem = length - (sizeof suffix - 1);
    if (!slash || (size_t)(slash - path) < stem)
        return ANY_MTX;
    const char *folder = slash - stem;
    const bool is_whole = folder == path || folder[-1] == '/';
    return is_whole && memcmp(folder, file, stem) == 0 ? NAMED_MTX : ANY_MTX;
}

/* The next member of `least` kind or better; NULL at the end or a failure.
   *found: the best kind that was passed. */
static const char *find_member(packed_text *t, member_kind least,
                               member_kind *found)
{
    struct archive_entry *entry;
    int code;
    while ((code = archive_read_next_header(t->tar, &entry)) >= ARCHIVE_WARN &&
           code != ARCHIVE_EOF) {
        const member_kind kind = classify(entry);
        if (kind >= least)
            return archive_entry_pathname(entry);
        if (kind > *found)
            *found = kind;
    }
    if (code != ARCHIVE_EOF)
        fail_tar(t);
    return NULL;
}

/* From the begin of the file again. */
static bool reopen(packed_text *t)
{
    close_layers(t);
    if (source_rewind(t->s))
        return open_layers(t);
    return members_fail(&t->base, SPGEMM_ERROR_IO,
                        "the archive has no member NAME/NAME.mtx, and a pipe "
                        "cannot be read twice to take another: give the file "
                        "by its name") == 0;
}

static const char *choose_member(packed_text *t)
{
    member_kind found = OTHER;
    const char *name = find_member(t, NAMED_MTX, &found);
    if (name || t->base.status < 0)
        return name;
    if (found == OTHER) {
        members_fail(&t->base, SPGEMM_ERROR_IO,
                     "the archive has no member that ends in .mtx");
        return NULL;
    }
    return reopen(t) ? find_member(t, ANY_MTX, &found) : NULL;
}

/* The member has ended: do the archive and the file end well, too? */
static bool read_to_end(packed_text *t)
{
    ptrdiff_t got;
    struct archive_entry *entry;
    int code = t->tar ? ARCHIVE_OK : ARCHIVE_EOF;
    while (code >= ARCHIVE_WARN && code != ARCHIVE_EOF)
        code = archive_read_next_header(t->tar, &entry);
    if (code != ARCHIVE_EOF)
        return fail_tar(t) == 0;
    while ((got = read_unpacked(t, t->block, sizeof t->block)) > 0)
        ;
    return got == 0;
}

static const char *next_member(members *m)
{
    packed_text *t = (packed_text *)m;
    if (t->is_started) {
        read_to_end(t);
        return NULL;
    }
    t->is_started = true;
    if (!open_layers(t))
        return NULL;
    return t->tar ? choose_member(t) : "text";
}

static ptrdiff_t read_member(members *m, void *buffer, size_t size)
{
    packed_text *t = (packed_text *)m;
    return t->tar ? members_read_archive(m, t->tar, NULL, buffer, size)
                  : read_unpacked(t, buffer, size);
}

static void close_text(members *m)
{
    packed_text *t = (packed_text *)m;
    close_layers(t);
    free(t);
}

members *packed_text_open(void *context)
{
    packed_text *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->base = (members){
        .next = next_member, .read = read_member, .close = close_text};
    t->s = context;
    return &t->base;
}
