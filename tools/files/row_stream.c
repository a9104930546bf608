/* SPDX-License-Identifier: BSD-3-Clause */
/* What all formats have in common: the target, and that the rows are those that
   were announced. */
#include "row_stream.h"

#include <stdlib.h>

#include "message.h"
#include "progress.h"
#include "status.h"

static int finish(row_stream *stream, int status)
{
    status = target_close(&stream->target, status);
    if (stream->format->clear)
        stream->format->clear(stream);
    free(stream);
    return status;
}

int row_stream_open(row_stream **stream, const row_format *format,
                    const char *path, int64_t nrows, int64_t ncols,
                    spgemm_index_type index_type, spgemm_value_type value_type)
{
    row_stream *made = calloc(1, format->bytes);
    if (!made)
        return message_failure(path, SPGEMM_ERROR_OUT_OF_MEMORY);
    *made = (row_stream){.format = format,
                         .nrows = nrows,
                         .ncols = ncols,
                         .index_type = index_type,
                         .value_type = value_type};
    int status = target_open(&made->target, path);
    if (status != TOOL_OK) {
        free(made);
        return status;
    }
    status = format->begin(made);
    if (status != TOOL_OK)
        return finish(made, status);
    *stream = made;
    return TOOL_OK;
}

int row_stream_rows(row_stream *stream, const spgemm_csr *rows)
{
    const bool is_pattern = !rows->values && stream->value_type == SPGEMM_BOOL;
    if (rows->index_type != stream->index_type ||
        rows->ncols != stream->ncols ||
        rows->nrows > stream->nrows - stream->rows_done ||
        (!is_pattern &&
         (!rows->values || rows->value_type != stream->value_type)))
        return message_failure(stream->target.name, SPGEMM_ERROR_INVALID);
    const int status = stream->format->put(stream, rows);
    if (status == TOOL_OK) {
        stream->rows_done += rows->nrows;
        stream->nnz += rows->nnz;
    }
    return status;
}

int row_stream_close(row_stream *stream)
{
    progress_begin("writing");
    int status =
        stream->rows_done == stream->nrows
            ? stream->format->end(stream)
            : message_failure(stream->target.name, SPGEMM_ERROR_INVALID);
    status = finish(stream, status);
    progress_end();
    return status;
}

void row_stream_abandon(row_stream *stream)
{
    if (stream)
        finish(stream, TOOL_FAILURE);
}
