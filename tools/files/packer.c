/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive of libarchive's that has no format, only a filter. Equal matrices
   make equal files: gzip's date is left out. */
#include "packer.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>

#include "message.h"
#include "status.h"

static const struct {
    const char *ending;
    const char *name;
    int (*add)(struct archive *a);
} packings[] = {{"gz", "gzip", archive_write_add_filter_gzip},
                {"xz", "xz", archive_write_add_filter_xz},
                {"bz2", "bzip2", archive_write_add_filter_bzip2},
                {"zst", "zstd", archive_write_add_filter_zstd}};

enum { NPACKINGS = sizeof packings / sizeof *packings };

const char *packer_ending(int k)
{
    return k < NPACKINGS ? packings[k].ending : NULL;
}

struct packer {
    struct archive *archive;
    target *target;
    int failure; /* errno of the target, or 0 */
};

static la_ssize_t put(struct archive *archive, void *context, const void *bytes,
                      size_t size)
{
    packer *p = context;
    (void)archive;
    if (target_write(p->target, bytes, size))
        return (la_ssize_t)size;
    p->failure = errno;
    return -1;
}

/* A filter that would be another program is none: it may not be there. */
static bool begin(packer *p, int k)
{
    struct archive *a = p->archive;
    struct archive_entry *entry = archive_entry_new();
    bool is_well = entry && archive_write_set_format_raw(a) == ARCHIVE_OK &&
                   packings[k].add(a) == ARCHIVE_OK &&
                   archive_write_set_bytes_in_last_block(a, 1) == ARCHIVE_OK;
    /* Of the others this is no option. */
    (void)archive_write_set_filter_option(a, "gzip", "timestamp", NULL);
    if (entry)
        archive_entry_set_filetype(entry, AE_IFREG);
    is_well = is_well &&
              archive_write_open(a, p, NULL, put, NULL) == ARCHIVE_OK &&
              archive_write_header(a, entry) == ARCHIVE_OK;
    archive_entry_free(entry);
    return is_well;
}

packer *packer_open(target *t, int k)
{
    packer *p = calloc(1, sizeof *p);
    if (p) {
        p->target = t;
        p->archive = archive_write_new();
        if (p->archive && begin(p, k))
            return p;
    }
    const char *why = p && p->archive ? archive_error_string(p->archive) : NULL;
    message(TOOL_FAILURE, "%s: it cannot be packed by %s: %s", t->name,
            packings[k].name, why ? why : "out of memory");
    packer_close(p, TOOL_FAILURE);
    return NULL;
}

bool packer_write(packer *p, const void *bytes, size_t size)
{
    const bool is_well =
        archive_write_data(p->archive, bytes, size) == (la_ssize_t)size;
    if (!is_well)
        errno = p->failure ? p->failure : ENOMEM;
    return is_well;
}

int packer_close(packer *p, int status)
{
    if (!p)
        return status;
    if (status != TOOL_OK && p->archive)
        archive_write_fail(p->archive); /* what is in hand is not written */
    if (p->archive && archive_write_free(p->archive) != ARCHIVE_OK &&
        status == TOOL_OK) {
        errno = p->failure ? p->failure : ENOMEM;
        status = message_system(p->target->name);
    }
    free(p);
    return status;
}
