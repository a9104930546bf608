/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a matrix go into the archive from where they are; those of one
   that comes block by block are collected in files first. */
#include "npz_write.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/checked.h"
#include "message.h"
#include "npy.h"
#include "npz_archive.h"
#include "progress.h"
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

struct npz_stream {
    target target;
    npz_shape shape; /* nnz: so far */
    int64_t rows_done;
    npz_place
        places[NPZ_PLACES]; /* files without a name; row pointers as int64 */
    int64_t *buffer;        /* [BUFFER_BYTES / 8] row pointers, or ones */
};

static int fail_system(const npz_stream *stream)
{
    return message_system(stream->target.name);
}

static bool append(const npz_stream *stream, int file, const void *bytes,
                   size_t size)
{
    return scratch_write(stream->places[file].descriptor, bytes, size);
}

/* Give all back, the file in its place if `status` is TOOL_OK. */
static int finish(npz_stream *stream, int status)
{
    status = target_close(&stream->target, status);
    for (int file = 0; file < NPZ_PLACES; file++)
        if (stream->places[file].descriptor >= 0)
            close(stream->places[file].descriptor);
    free(stream->buffer);
    free(stream);
    return status;
}

int npz_stream_open(npz_stream **stream, const char *path, int64_t nrows,
                    int64_t ncols, spgemm_index_type index_type,
                    spgemm_value_type value_type)
{
    const int64_t zero = 0;
    if (!npy_value_dtype(value_type))
        return message_failure(path, SPGEMM_ERROR_UNSUPPORTED);
    npz_stream *made = malloc(sizeof *made);
    if (!made)
        return message_failure(path, SPGEMM_ERROR_OUT_OF_MEMORY);
    *made = (npz_stream){.shape = {nrows, ncols, 0, index_type, value_type}};
    for (int file = 0; file < NPZ_PLACES; file++)
        made->places[file].descriptor = -1;
    int status = target_open(&made->target, path);
    if (status != TOOL_OK) {
        free(made);
        return status;
    }
    made->buffer = malloc(BUFFER_BYTES);
    if (!made->buffer)
        status = message_failure(path, SPGEMM_ERROR_OUT_OF_MEMORY);
    for (int file = 0; file < NPZ_PLACES && status == TOOL_OK; file++) {
        made->places[file].descriptor =
            made->target.is_replaced
                ? scratch_open_in(made->target.place.folder)
                : scratch_open();
        if (made->places[file].descriptor < 0)
            status = fail_system(made);
    }
    if (status == TOOL_OK && !append(made, NPZ_ROWPTR, &zero, sizeof zero))
        status = fail_system(made);
    if (status != TOOL_OK)
        return finish(made, status);
    *stream = made;
    return TOOL_OK;
}

/* Where the rows end, counted from the first row of all. */
static bool append_rowptr(npz_stream *stream, const spgemm_csr *rows)
{
    const int64_t room = BUFFER_BYTES / (int64_t)sizeof *stream->buffer;
    for (int64_t begin = 0; begin < rows->nrows; begin += room) {
        const int64_t count = min_i64(room, rows->nrows - begin);
        for (int64_t i = 0; i < count; i++)
            stream->buffer[i] = stream->shape.nnz + rows->rowptr[begin + i + 1];
        if (!append(stream, NPZ_ROWPTR, stream->buffer,
                    (size_t)count * sizeof *stream->buffer))
            return false;
    }
    return true;
}

static bool append_ones(npz_stream *stream, int64_t count)
{
    memset(stream->buffer, 1, BUFFER_BYTES);
    for (int64_t done = 0; done < count; done += BUFFER_BYTES)
        if (!append(stream, NPZ_VALUES, stream->buffer,
                    (size_t)min_i64(BUFFER_BYTES, count - done)))
            return false;
    return true;
}

int npz_stream_rows(npz_stream *stream, const spgemm_csr *rows)
{
    const npz_shape *s = &stream->shape;
    const bool is_pattern = !rows->values && s->value_type == SPGEMM_BOOL;
    const size_t index_bytes = s->index_type == SPGEMM_I64 ? 8 : 4;
    const size_t value_bytes = npy_value_bytes(s->value_type);
    if (rows->index_type != s->index_type || rows->ncols != s->ncols ||
        (!is_pattern && (rows->value_type != s->value_type || !rows->values)) ||
        rows->nrows > s->nrows - stream->rows_done)
        return message_failure(stream->target.name, SPGEMM_ERROR_INVALID);
    if (!append_rowptr(stream, rows) ||
        !append(stream, NPZ_COLIDX, rows->colidx,
                (size_t)rows->nnz * index_bytes) ||
        !(is_pattern ? append_ones(stream, rows->nnz)
                     : append(stream, NPZ_VALUES, rows->values,
                              (size_t)rows->nnz * value_bytes)))
        return fail_system(stream);
    stream->rows_done += rows->nrows;
    stream->shape.nnz += rows->nnz;
    return TOOL_OK;
}

int npz_stream_close(npz_stream *stream)
{
    int status = TOOL_OK;
    progress_begin("writing");
    if (stream->rows_done != stream->shape.nrows)
        status = message_failure(stream->target.name, SPGEMM_ERROR_INVALID);
    for (int file = 0; file < NPZ_PLACES && status == TOOL_OK; file++)
        if (lseek(stream->places[file].descriptor, 0, SEEK_SET) != 0)
            status = fail_system(stream);
    if (status == TOOL_OK) {
        status =
            npz_archive_write(&stream->target, &stream->shape, stream->places);
        for (int file = 0; file < NPZ_PLACES; file++)
            stream->places[file].descriptor = -1;
    }
    status = finish(stream, status);
    progress_end();
    return status;
}

void npz_stream_abandon(npz_stream *stream)
{
    if (stream)
        finish(stream, TOOL_FAILURE);
}
