/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain text is read as it is, everything else through libarchive, as a
   stream: nothing is ever extracted. Of a tar archive the member NAME/NAME.mtx
   is read, as the SuiteSparse collection packs it beside vectors of other
   names, or else the first that ends in .mtx. What follows the member is read
   to the end, so that a truncated archive is found out. */
#include "source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(source *s, const char *what, const char *why)
{
    snprintf(s->why, sizeof s->why, "%s%s", what, why ? why : "unknown reason");
    return false;
}

static bool fail_archive(source *s)
{
    return fail(s, "", archive_error_string(s->archive));
}

/* Bytes of the file: first those read ahead. */
static ptrdiff_t read_bytes(source *s, void *buffer, size_t size)
{
    const size_t left = s->head_length - s->head_taken;
    if (left > 0) {
        const size_t length = left < size ? left : size;
        memcpy(buffer, s->head + s->head_taken, length);
        s->head_taken += length;
        return (ptrdiff_t)length;
    }
    ssize_t got;
    do {
        got = read(s->descriptor, buffer, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        fail(s, "", strerror(errno));
    return got;
}

static bool read_head(source *s)
{
    ptrdiff_t got = 1;
    size_t length = 0;
    while (got > 0 && length < sizeof s->head) {
        got = read_bytes(s, s->head + length, sizeof s->head - length);
        if (got > 0)
            length += (size_t)got;
    }
    s->head_length = length;
    return got >= 0;
}

static bool is_packed(const source *s)
{
    static const struct {
        size_t offset;
        size_t length;
        const char *bytes;
    } signs[] = {{0, 2, "\x1f\x8b"},
                 {0, 6,
                  "\xfd"
                  "7zXZ\0"},
                 {0, 3, "BZh"},
                 {0, 4, "\x28\xb5\x2f\xfd"},
                 {257, 5, "ustar"}};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (s->head_length >= signs[k].offset + signs[k].length &&
            memcmp(s->head + signs[k].offset, signs[k].bytes,
                   signs[k].length) == 0)
            return true;
    return false;
}

static la_ssize_t
read_block(struct archive *archive, void *context, const void **block)
{
    source *s = context;
    const ptrdiff_t got = read_bytes(s, s->block, sizeof s->block);
    *block = s->block;
    if (got < 0)
        archive_set_error(archive, errno, "%s", s->why);
    return got;
}

static bool open_archive(source *s)
{
    s->archive = archive_read_new();
    if (!s->archive)
        return fail(s, "", "out of memory");
    archive_read_support_filter_gzip(s->archive);
    archive_read_support_filter_xz(s->archive);
    archive_read_support_filter_bzip2(s->archive);
    archive_read_support_filter_zstd(s->archive);
    archive_read_support_format_tar(s->archive);
    archive_read_support_format_raw(s->archive);
    return archive_read_open(s->archive, s, NULL, read_block, NULL) ==
               ARCHIVE_OK ||
           fail_archive(s);
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

/* The next member of `least` kind or better; false at the end or a failure,
   which leaves its reason. *found: the best kind that was passed. */
static bool find_member(source *s, member_kind least, member_kind *found)
{
    struct archive_entry *entry;
    int code;
    while ((code = archive_read_next_header(s->archive, &entry)) >=
               ARCHIVE_WARN &&
           code != ARCHIVE_EOF) {
        s->is_tar = (archive_format(s->archive) & ARCHIVE_FORMAT_BASE_MASK) ==
                    ARCHIVE_FORMAT_TAR;
        const member_kind kind = s->is_tar ? classify(entry) : NAMED_MTX;
        if (kind >= least)
            return true;
        if (kind > *found)
            *found = kind;
    }
    if (code != ARCHIVE_EOF)
        fail_archive(s);
    return false;
}

/* Read the archive again from its begin; false: it cannot be. */
static bool reopen_archive(source *s)
{
    archive_read_free(s->archive);
    s->archive = NULL;
    s->head_length = 0;
    s->head_taken = 0;
    if (lseek(s->descriptor, 0, SEEK_SET) != 0)
        return fail(s,
                    "the archive has no member NAME/NAME.mtx, and a pipe "
                    "cannot be read twice to take another: ",
                    "give the file by its name");
    return open_archive(s);
}

static bool open_member(source *s)
{
    member_kind found = OTHER;
    if (!open_archive(s))
        return false;
    if (find_member(s, NAMED_MTX, &found))
        return true;
    if (s->why[0])
        return false;
    if (found == OTHER)
        return fail(s, "", "the archive has no member that ends in .mtx");
    return reopen_archive(s) && find_member(s, ANY_MTX, &found);
}

bool source_open(source *s, const char *path)
{
    struct stat status;
    memset(s, 0, sizeof *s);
    s->descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO
                                           : open(path, O_RDONLY | O_CLOEXEC);
    if (s->descriptor < 0 || fstat(s->descriptor, &status) != 0)
        return fail(s, "", strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(s, "", strerror(EISDIR));
    return read_head(s) && (!is_packed(s) || open_member(s));
}

void source_close(source *s)
{
    if (s->archive)
        archive_read_free(s->archive);
    if (s->descriptor > STDERR_FILENO)
        close(s->descriptor);
}

bool source_is_zip(const source *s)
{
    static const char *const signs[] = {"PK\3\4", "PK\5\6"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (s->head_length >= 4 && memcmp(s->head, signs[k], 4) == 0)
            return true;
    return false;
}

/* The text of the member has ended: does the archive end well too? */
static ptrdiff_t end_archive(source *s)
{
    struct archive_entry *entry;
    int code = ARCHIVE_OK;
    while (code >= ARCHIVE_WARN && code != ARCHIVE_EOF)
        code = archive_read_next_header(s->archive, &entry);
    if (code == ARCHIVE_EOF)
        return 0;
    fail_archive(s);
    return -1;
}

static ptrdiff_t read_member(source *s, void *buffer, size_t size)
{
    la_ssize_t got;
    if (s->is_ended)
        return 0;
    do {
        got = archive_read_data(s->archive, buffer, size);
    } while (got == ARCHIVE_RETRY);
    if (got < 0) {
        fail_archive(s);
        return -1;
    }
    s->is_ended = got == 0;
    return s->is_ended ? end_archive(s) : got;
}

ptrdiff_t source_read(void *context, void *buffer, size_t size)
{
    source *s = context;
    const ptrdiff_t got =
        s->archive ? read_member(s, buffer, size) : read_bytes(s, buffer, size);
    if (got <= 0)
        return got;
    if (s->text_bytes < SOURCE_BANNER_BYTES - 1) {
        const size_t have = (size_t)s->text_bytes;
        const size_t room = SOURCE_BANNER_BYTES - 1 - have;
        memcpy(s->banner + have, buffer,
               (size_t)got < room ? (size_t)got : room);
    }
    s->text_bytes += got;
    return got;
}

const char *source_why(void *context)
{
    const source *s = context;
    return s->why;
}
