/* SPDX-License-Identifier: BSD-3-Clause */
/* A ZIP archive of arrays, none of them compressed: the disk is faster than
   any packing of numbers. Its members are written one after the other, so it
   may go to a pipe. Equal matrices make equal files: no member has a date. */
#include "npz_archive.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/checked.h"
#include "entries.h"
#include "interrupt.h"
#include "message.h"
#include "npy.h"
#include "progress.h"
#include "scratch.h"
#include "status.h"
#include "target.h"
#include "zip_store.h"

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
    zip_store archive;
    const target *target;
    char *buffer; /* [BUFFER_BYTES] */
} writer;

static bool put_bytes(void *context, const void *bytes, size_t size)
{
    const writer *w = context;
    progress_bytes(NULL, (int64_t)w->archive.written);
    return target_write(w->target, bytes, size);
}

static void narrow(void *integers, size_t count)
{
    const int64_t *from = integers;
    for (size_t t = 0; t < count; t++) {
        const int32_t integer = (int32_t)from[t];
        memcpy((char *)integers + t * sizeof integer, &integer, sizeof integer);
    }
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
    else if (!scratch_read(a->place.descriptor, w->buffer, size))
        return NULL;
    if (a->is_narrowed)
        narrow(w->buffer, size / sizeof(int64_t));
    return w->buffer;
}

/* false: a signal has come, or errno says why not. */
static bool put_elements(writer *w, const npz_array *a, size_t count)
{
    const size_t item_bytes = a->is_narrowed ? sizeof(int64_t) : a->item_bytes;
    const size_t all = count * item_bytes;
    for (size_t at = 0; at < all;) {
        const size_t size = all - at < BUFFER_BYTES ? all - at : BUFFER_BYTES;
        const void *bytes = fetch(w, a, at, size);
        if (!bytes || interrupt_signal() != 0 ||
            !zip_store_put(&w->archive, bytes,
                           size / item_bytes * a->item_bytes))
            return false;
        at += size;
    }
    return true;
}

static bool put_array(writer *w, const npz_array *a)
{
    char header[NPY_WRITTEN_BYTES];
    const size_t count = a->count < 0 ? 1 : (size_t)a->count;
    npy_format(header, a->dtype, a->count);
    return zip_store_begin(&w->archive, a->name,
                           sizeof header + count * a->item_bytes) &&
           zip_store_put(&w->archive, header, sizeof header) &&
           put_elements(w, a, count) && zip_store_end(&w->archive);
}

int npz_archive_write(const target *t, const npz_shape *s,
                      const npz_place places[NPZ_PLACES])
{
    const int64_t sizes[] = {s->nrows, s->ncols};
    const bool is_small =
        s->nrows <= INT32_MAX && s->ncols <= INT32_MAX && s->nnz <= INT32_MAX;
    const npz_array arrays[] = {
        {"format.npy", "|S3", -1, 3, false, {"csr", -1}},
        {"shape.npy", "<i8", 2, sizeof *sizes, false, {sizes, -1}},
        {"indptr.npy", is_small ? "<i4" : "<i8", s->nrows + 1,
         is_small ? sizeof(int32_t) : sizeof(int64_t), is_small,
         places[NPZ_ROWPTR]},
        {"indices.npy", s->index_type == SPGEMM_I64 ? "<i8" : "<i4", s->nnz,
         index_bytes(s->index_type), false, places[NPZ_COLIDX]},
        {"data.npy", npy_value_dtype(s->value_type), s->nnz,
         spgemm_value_bytes(s->value_type), false, places[NPZ_VALUES]}};
    writer w = {.target = t, .buffer = malloc(BUFFER_BYTES)};
    bool is_well = w.buffer != NULL;
    w.archive.write = put_bytes;
    w.archive.context = &w;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        is_well = is_well && put_array(&w, &arrays[k]);
        const int why = errno;
        if (arrays[k].place.descriptor >= 0)
            close(arrays[k].place.descriptor);
        errno = why;
    }
    is_well = is_well && zip_store_close(&w.archive);
    int status = TOOL_OK;
    if (!is_well)
        status = interrupt_signal() != 0 ? interrupt_status(interrupt_signal())
                                         : message_system(t->name);
    free(w.buffer);
    return status;
}
