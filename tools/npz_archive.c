/* SPDX-License-Identifier: BSD-3-Clause */
/* A ZIP archive of arrays, none of them compressed: the disk is faster than
   any packing of numbers. Its members are written one after the other, so it
   may go to a pipe. Equal matrices make equal files: no member has a date. */
#include "npz_archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/checked.h"
#include "message.h"
#include "npy.h"
#include "progress.h"
#include "scratch.h"
#include "status.h"
#include "target.h"

/* Bytes that are converted, or copied from file to file, at a time; a multiple
   of every element's. */
enum { BUFFER_BYTES = 1 << 20 };

/* A member: a header, and elements. */
typedef struct npz_array {
    const char *name;
    const char *dtype;
    int64_t count; /* < 0: a single element, no array */
    size_t item_bytes;
    bool is_narrowed; /* int64 to int32 as it is written */
    npz_place place;
} npz_array;

typedef struct writer {
    struct archive *archive;
    const target *target;
    int fault;    /* errno of the target, 0: none */
    bool is_lost; /* nothing more is written */
    int64_t written;
    char *buffer; /* [BUFFER_BYTES] */
} writer;

/* libarchive 3.6 leaks after a failed write: it is never told of one. */
static la_ssize_t put_bytes(struct archive *archive,
                            void *context,
                            const void *bytes,
                            size_t size)
{
    (void)archive;
    writer *w = context;
    if (!w->is_lost && !target_write(w->target, bytes, size)) {
        w->fault = errno;
        w->is_lost = true;
    }
    w->written += (int64_t)size;
    progress_bytes(NULL, w->written);
    return (la_ssize_t)size;
}

/* The failure of a call of libarchive's, by the system's reason if it had one. */
static int fail_archive(const writer *w)
{
    const char *why = archive_error_string(w->archive);
    errno = w->fault;
    return w->fault ? message_system(w->target->name)
                    : message(TOOL_FAILURE, "%s: %s", w->target->name,
                              why ? why : "unknown reason");
}

static int open_archive(writer *w)
{
    w->archive = archive_write_new();
    w->buffer = malloc(BUFFER_BYTES);
    if (!w->archive || !w->buffer)
        return message_failure(w->target->name, SPGEMM_ERROR_OUT_OF_MEMORY);
    archive_write_set_format_zip(w->archive);
    archive_write_zip_set_compression_store(w->archive);
    archive_write_set_bytes_per_block(w->archive, BUFFER_BYTES);
    archive_write_set_bytes_in_last_block(w->archive, 1);
    return archive_write_open(w->archive, w, NULL, put_bytes, NULL) ==
                   ARCHIVE_OK
               ? TOOL_OK
               : fail_archive(w);
}

static int put_data(writer *w, const void *bytes, size_t size)
{
    const la_ssize_t put = archive_write_data(w->archive, bytes, size);
    return put == (la_ssize_t)size && !w->is_lost ? TOOL_OK : fail_archive(w);
}

static void narrow(void *integers, size_t count)
{
    const int64_t *from = integers;
    for (size_t t = 0; t < count; t++) {
        const int32_t integer = (int32_t)from[t];
        memcpy((char *)integers + t * sizeof integer, &integer, sizeof integer);
    }
}

/* read() of all; false: errno says why not. */
static bool read_all(int descriptor, void *bytes, size_t size)
{
    char *to = bytes;
    while (size > 0) {
        const ssize_t got = read(descriptor, to, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            errno = got < 0 ? errno : EIO;
            return false;
        }
        to += got;
        size -= (size_t)got;
    }
    return true;
}

/* The next `size` bytes of an array, from `at` on; NULL: errno says why not. */
static const void *fetch(writer *w, const npz_array *a, size_t at, size_t size)
{
    const char *memory = a->place.memory;
    if (memory && !a->is_narrowed)
        return memory + at;
    if (memory)
        memcpy(w->buffer, memory + at, size);
    else if (a->place.descriptor < 0)
        memset(w->buffer, 1, size);
    else if (!read_all(a->place.descriptor, w->buffer, size))
        return NULL;
    if (a->is_narrowed)
        narrow(w->buffer, size / sizeof(int64_t));
    return w->buffer;
}

static int put_elements(writer *w, const npz_array *a, size_t count)
{
    int status = TOOL_OK;
    const size_t item_bytes = a->is_narrowed ? sizeof(int64_t) : a->item_bytes;
    const size_t all = count * item_bytes;
    for (size_t at = 0; at < all && status == TOOL_OK;) {
        const size_t size = all - at < BUFFER_BYTES ? all - at : BUFFER_BYTES;
        const void *bytes = fetch(w, a, at, size);
        if (!bytes)
            return message_system(w->target->name);
        status = put_data(w, bytes, size / item_bytes * a->item_bytes);
        at += size;
    }
    return status;
}

static int put_array(writer *w, const npz_array *a)
{
    char header[NPY_WRITTEN_BYTES];
    const int64_t count = a->count < 0 ? 1 : a->count;
    struct archive_entry *entry = archive_entry_new();
    if (!entry)
        return message_failure(w->target->name, SPGEMM_ERROR_OUT_OF_MEMORY);
    archive_entry_set_pathname(entry, a->name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (int64_t)sizeof header +
                                      count * (int64_t)a->item_bytes);
    const int begun = archive_write_header(w->archive, entry);
    archive_entry_free(entry);
    if (begun < ARCHIVE_WARN)
        return fail_archive(w);
    npy_format(header, a->dtype, a->count);
    int status = put_data(w, header, sizeof header);
    if (status == TOOL_OK)
        status = put_elements(w, a, (size_t)count);
    if (status == TOOL_OK && archive_write_finish_entry(w->archive) < 0)
        status = fail_archive(w);
    return status;
}

/* How the program ends: `status`, or a failure after a message. */
static int close_archive(writer *w, int status)
{
    w->is_lost = w->is_lost || status != TOOL_OK;
    if (w->archive) {
        const int closed = archive_write_close(w->archive);
        if (status == TOOL_OK && (closed != ARCHIVE_OK || w->is_lost))
            status = fail_archive(w);
        archive_write_free(w->archive);
    }
    free(w->buffer);
    return status;
}

int npz_archive_write(const target *t,
                      const npz_shape *s,
                      const npz_place places[NPZ_PLACES])
{
    const int64_t sizes[] = {s->nrows, s->ncols};
    const bool is_small =
        s->nrows <= INT32_MAX && s->ncols <= INT32_MAX && s->nnz <= INT32_MAX;
    const bool is_wide = s->index_type == SPGEMM_I64;
    const npz_array arrays[] = {
        {"format.npy", "|S3", -1, 3, false, {"csr", -1}},
        {"shape.npy", "<i8", 2, sizeof *sizes, false, {sizes, -1}},
        {"indptr.npy", is_small ? "<i4" : "<i8", s->nrows + 1,
         is_small ? sizeof(int32_t) : sizeof(int64_t), is_small,
         places[NPZ_ROWPTR]},
        {"indices.npy", is_wide ? "<i8" : "<i4", s->nnz,
         is_wide ? sizeof(int64_t) : sizeof(int32_t), false,
         places[NPZ_COLIDX]},
        {"data.npy", npy_value_dtype(s->value_type), s->nnz,
         npy_value_bytes(s->value_type), false, places[NPZ_VALUES]}};
    writer w = {.target = t};
    int status = open_archive(&w);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        if (status == TOOL_OK)
            status = put_array(&w, &arrays[k]);
        if (arrays[k].place.descriptor >= 0)
            close(arrays[k].place.descriptor);
    }
    return close_archive(&w, status);
}
