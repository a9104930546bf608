/* SPDX-License-Identifier: BSD-3-Clause */
/* Plain text is read as it is; everything else is unpacked by a process of its
   own. What is to be sought in, and cannot be, is copied to a file without a
   name. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "member_pipe.h"
#include "packed_text.h"
#include "scratch.h"

static bool fail(source *s, spgemm_status status, const char *why)
{
    s->status = status;
    snprintf(s->why, sizeof s->why, "%s", why);
    return false;
}

/* By errno. */
static bool fail_system(source *s)
{
    return fail(s,
                errno == ENOMEM ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_ERROR_IO,
                strerror(errno));
}

ptrdiff_t source_read_file(source *s, void *buffer, size_t size)
{
    const size_t left = s->head_length - s->head_taken;
    if (left > 0) {
        const size_t length = left < size ? left : size;
        memcpy(buffer, s->head + s->head_taken, length);
        s->head_taken += length;
        return (ptrdiff_t)length;
    }
    const ptrdiff_t got = scratch_read_some(s->descriptor, buffer, size);
    if (got < 0)
        fail_system(s);
    return got;
}

static bool read_head(source *s)
{
    ptrdiff_t got = 1;
    size_t length = 0;
    while (got > 0 && length < sizeof s->head) {
        got = source_read_file(s, s->head + length, sizeof s->head - length);
        if (got > 0)
            length += (size_t)got;
    }
    s->head_length = length;
    return got >= 0;
}

bool source_rewind(source *s)
{
    s->head_taken = s->head_length;
    return lseek(s->descriptor, 0, SEEK_SET) == 0;
}

source_packing source_packing_of(const source *s)
{
    static const struct {
        source_packing packing;
        size_t offset;
        size_t length;
        const char *bytes;
    } signs[] = {{SOURCE_GZIP, 0, 2, "\x1f\x8b"},
                 {SOURCE_XZ, 0, 6,
                  "\xfd"
                  "7zXZ\0"},
                 {SOURCE_BZIP2, 0, 3, "BZh"},
                 {SOURCE_ZSTD, 0, 4, "\x28\xb5\x2f\xfd"},
                 {SOURCE_TAR, 257, 5, "ustar"}};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (s->head_length >= signs[k].offset + signs[k].length &&
            memcmp(s->head + signs[k].offset, signs[k].bytes,
                   signs[k].length) == 0)
            return signs[k].packing;
    return SOURCE_PLAIN;
}

static bool fail_packed(source *s)
{
    return fail(s, s->packed->status, s->packed->why);
}

static bool open_packed(source *s)
{
    s->packed = member_pipe_open(packed_text_open, s);
    if (!s->packed)
        return fail_system(s);
    return s->packed->next(s->packed) || fail_packed(s);
}

bool source_open(source *s, const char *path, const budget *limits)
{
    struct stat status;
    *s = (source){.limits = *limits, .file_bytes = -1};
    s->descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO
                                           : open(path, O_RDONLY | O_CLOEXEC);
    if (s->descriptor < 0 || fstat(s->descriptor, &status) != 0)
        return fail_system(s);
    if (S_ISDIR(status.st_mode))
        return fail(s, SPGEMM_ERROR_IO, strerror(EISDIR));
    if (S_ISREG(status.st_mode))
        s->file_bytes = status.st_size;
    return read_head(s) &&
           (source_packing_of(s) == SOURCE_PLAIN || open_packed(s));
}

void source_close(source *s)
{
    if (s->packed)
        s->packed->close(s->packed);
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

/* The text has ended: did the file end well, too? */
static ptrdiff_t read_packed(source *s, void *buffer, size_t size)
{
    const ptrdiff_t got = s->packed->read(s->packed, buffer, size);
    if (got > 0)
        return got;
    if (got == 0)
        (void)s->packed->next(s->packed);
    return s->packed->status == SPGEMM_SUCCESS || fail_packed(s) ? 0 : -1;
}

/* What is no part of it: blanks, and the bytes of a byte order mark. */
static const char before_banner[] = " \t\r\n\xef\xbb\xbf";

static void keep_banner(source *s, const char *text, size_t length)
{
    const size_t room = SOURCE_BANNER_BYTES - 1 - s->banner_length;
    while (s->banner_length == 0 && length > 0 &&
           strchr(before_banner, *text)) {
        text++;
        length--;
    }
    length = length < room ? length : room;
    memcpy(s->banner + s->banner_length, text, length);
    s->banner_length += length;
}

ptrdiff_t source_read(void *context, void *buffer, size_t size)
{
    source *s = context;
    const ptrdiff_t got = s->packed ? read_packed(s, buffer, size)
                                    : source_read_file(s, buffer, size);
    if (got <= 0)
        return got;
    keep_banner(s, buffer, (size_t)got);
    s->text_bytes += got;
    return got;
}

const char *source_why(void *context)
{
    const source *s = context;
    return s->why;
}

/* ---- Files that are sought in -------------------------------------------- */

static int fail_scratch(source *s)
{
    char why[sizeof s->why];
    snprintf(why, sizeof why, "temporary file: %s", strerror(errno));
    fail(s, errno == ENOMEM ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_ERROR_IO,
         why);
    return -1;
}

/* All of the source to a file, which is then at its begin. */
static int copy_bytes(source *s, int descriptor)
{
    char block[64 << 10];
    ptrdiff_t got;
    while ((got = source_read_file(s, block, sizeof block)) > 0)
        if (!scratch_write(descriptor, block, (size_t)got))
            return fail_scratch(s);
    if (got == 0 && lseek(descriptor, 0, SEEK_SET) != 0)
        return fail_scratch(s);
    return got == 0 ? descriptor : -1;
}

int source_seekable(source *s)
{
    struct stat status;
    if (fstat(s->descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
        lseek(s->descriptor, 0, SEEK_SET) == 0)
        return s->descriptor;
    const int descriptor = scratch_open();
    if (descriptor < 0)
        return fail_scratch(s);
    const int copied = copy_bytes(s, descriptor);
    source_close(s);
    s->descriptor = descriptor;
    return copied;
}
