/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a matrix go into the archive from where they are; those of one
   that comes block by block are collected in files first. */
#include "npz_write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/checked.h"
#include "entries.h"
#include "message.h"
#include "npy.h"
#include "npz_archive.h"
#include "progress.h"
#include "row_stream.h"
#include "scratch.h"
#include "status.h"
#include "target.h"

int npz_write(const spgemm_csr *A, const char *path)
{
    target t;
    const npz_shape s = {A->nrows, A->ncols, A->nnz, A->index_type,
                         A->values ? A->value_type : SPGEMM_BOOL};
    const npz_place places[] = {
        {A->rowptr, -1}, {A->colidx, -1}, {A->values, -1}};
    if (!npy_value_dtype(s.value_type))
        return message_failure(path, SPGEMM_ERROR_UNSUPPORTED);
    int status = target_open(&t, path);
    if (status != TOOL_OK)
        return status;
    progress_begin("writing");
    status = target_close(&t, npz_archive_write(&t, &s, places));
    progress_end();
    return status;
}

/* ---- Block by block ----------------------------------------------------- */

enum { BUFFER_BYTES = 1 << 20 };

typedef struct npz_stream {
    row_stream base;
    npz_place places[NPZ_PLACES]; /* files without a name, -1: closed; row
                                     pointers as int64 */
    int64_t *buffer;              /* [BUFFER_BYTES / 8] row pointers, or ones */
} npz_stream;

static int fail_system(const row_stream *stream)
{
    return message_system(stream->target.name);
}

static bool append(const npz_stream *own, int file, const void *bytes,
                   size_t size)
{
    return scratch_write(own->places[file].descriptor, bytes, size);
}

static void clear(row_stream *stream)
{
    npz_stream *own = (npz_stream *)stream;
    for (int file = 0; file < NPZ_PLACES; file++)
        if (own->places[file].descriptor >= 0)
            close(own->places[file].descriptor);
    free(own->buffer);
}

static int begin(row_stream *stream)
{
    const int64_t zero = 0;
    npz_stream *own = (npz_stream *)stream;
    for (int file = 0; file < NPZ_PLACES; file++)
        own->places[file].descriptor = -1;
    if (!npy_value_dtype(stream->value_type))
        return message_failure(stream->target.name, SPGEMM_ERROR_UNSUPPORTED);
    own->buffer = malloc(BUFFER_BYTES);
    if (!own->buffer)
        return message_failure(stream->target.name, SPGEMM_ERROR_OUT_OF_MEMORY);
    for (int file = 0; file < NPZ_PLACES; file++) {
        own->places[file].descriptor =
            stream->target.is_replaced
                ? scratch_open_in(stream->target.place.folder)
                : scratch_open();
        if (own->places[file].descriptor < 0)
            return fail_system(stream);
    }
    return append(own, NPZ_ROWPTR, &zero, sizeof zero) ? TOOL_OK
                                                       : fail_system(stream);
}

/* Where the rows end, counted from the first row of all. */
static bool append_rowptr(const npz_stream *own, const spgemm_csr *rows)
{
    const int64_t room = BUFFER_BYTES / (int64_t)sizeof *own->buffer;
    for (int64_t begin = 0; begin < rows->nrows; begin += room) {
        const int64_t count = min_i64(room, rows->nrows - begin);
        for (int64_t i = 0; i < count; i++)
            own->buffer[i] = own->base.nnz + rows->rowptr[begin + i + 1];
        if (!append(own, NPZ_ROWPTR, own->buffer,
                    (size_t)count * sizeof *own->buffer))
            return false;
    }
    return true;
}

static bool append_ones(const npz_stream *own, int64_t count)
{
    memset(own->buffer, 1, BUFFER_BYTES);
    for (int64_t done = 0; done < count; done += BUFFER_BYTES)
        if (!append(own, NPZ_VALUES, own->buffer,
                    (size_t)min_i64(BUFFER_BYTES, count - done)))
            return false;
    return true;
}

static int put(row_stream *stream, const spgemm_csr *rows)
{
    const npz_stream *own = (const npz_stream *)stream;
    const size_t nnz = (size_t)rows->nnz;
    const bool is_well =
        append_rowptr(own, rows) &&
        append(own, NPZ_COLIDX, rows->colidx,
               nnz * index_bytes(stream->index_type)) &&
        (rows->values ? append(own, NPZ_VALUES, rows->values,
                               nnz * spgemm_value_bytes(stream->value_type))
                      : append_ones(own, rows->nnz));
    return is_well ? TOOL_OK : fail_system(stream);
}

static int end(row_stream *stream)
{
    npz_stream *own = (npz_stream *)stream;
    const npz_shape shape = {stream->nrows, stream->ncols, stream->nnz,
                             stream->index_type, stream->value_type};
    for (int file = 0; file < NPZ_PLACES; file++)
        if (lseek(own->places[file].descriptor, 0, SEEK_SET) != 0)
            return fail_system(stream);
    const int status = npz_archive_write(&stream->target, &shape, own->places);
    for (int file = 0; file < NPZ_PLACES; file++)
        own->places[file].descriptor = -1;
    return status;
}

const row_format row_format_npz = {.bytes = sizeof(npz_stream),
                                   .begin = begin,
                                   .put = put,
                                   .end = end,
                                   .clear = clear};
