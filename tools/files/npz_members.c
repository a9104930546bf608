/* SPDX-License-Identifier: BSD-3-Clause */
/* The archive is read by its table of contents, which is at its end: one that
   is cut off has none. libarchive compares the length and the checksum of a
   member with the table once its end is read. */
#include "npz_members.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 256 << 10 };

const char *const npz_member_names[NPZ_MEMBERS] = {
    [NPZ_FORMAT] = "format.npy", [NPZ_SHAPE] = "shape.npy",
    [NPZ_INDPTR] = "indptr.npy", [NPZ_INDICES] = "indices.npy",
    [NPZ_ROW] = "row.npy",       [NPZ_COL] = "col.npy",
    [NPZ_DATA] = "data.npy"};

typedef struct npz_members {
    members base;
    int descriptor;
    struct archive *archive;
    const char *name; /* of the member that is being read */
} npz_members;

static int fail_archive(npz_members *z)
{
    return members_fail_archive(&z->base, z->archive,
                                "the ZIP archive is damaged or cut off");
}

static bool open_archive(npz_members *z)
{
    z->archive = archive_read_new();
    if (!z->archive)
        return members_fail(&z->base, SPGEMM_ERROR_OUT_OF_MEMORY,
                            "no memory to read the archive") == 0;
    return (archive_read_support_format_zip_seekable(z->archive) ==
                ARCHIVE_OK &&
            archive_read_open_fd(z->archive, z->descriptor, BLOCK_BYTES) ==
                ARCHIVE_OK) ||
           fail_archive(z) == 0;
}

static const char *find_name(const char *path)
{
    for (int k = 0; path && k < NPZ_MEMBERS; k++)
        if (strcmp(path, npz_member_names[k]) == 0)
            return npz_member_names[k];
    return NULL;
}

static const char *next_member(members *m)
{
    npz_members *z = (npz_members *)m;
    struct archive_entry *entry;
    int code;
    z->name = NULL;
    if (!z->archive && !open_archive(z))
        return NULL;
    while ((code = archive_read_next_header(z->archive, &entry)) >=
               ARCHIVE_WARN &&
           code != ARCHIVE_EOF) {
        z->name = find_name(archive_entry_pathname(entry));
        if (z->name)
            return z->name;
    }
    if (code != ARCHIVE_EOF)
        fail_archive(z);
    return NULL;
}

static ptrdiff_t read_member(members *m, void *buffer, size_t size)
{
    npz_members *z = (npz_members *)m;
    char what[64];
    snprintf(what, sizeof what, "%s: could not be read", z->name);
    return members_read_archive(m, z->archive, what, buffer, size);
}

static void close_archive(members *m)
{
    npz_members *z = (npz_members *)m;
    if (z->archive)
        archive_read_free(z->archive);
    free(z);
}

members *npz_members_open(void *descriptor)
{
    npz_members *z = calloc(1, sizeof *z);
    if (!z)
        return NULL;
    z->base = (members){
        .next = next_member, .read = read_member, .close = close_archive};
    z->descriptor = *(const int *)descriptor;
    return &z->base;
}
