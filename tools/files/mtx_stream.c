/* SPDX-License-Identifier: BSD-3-Clause */
/* The line of sizes is written with room for the largest count, which blanks
   fill in the end. */
#include "mtx_stream.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "progress.h"
#include "spgemm/mtx.h"
#include "status.h"
#include "target.h"

typedef struct header {
    char text[256];
    size_t length;
} header;

struct mtx_stream {
    target target;
    int64_t nrows;
    int64_t ncols;
    spgemm_value_type value_type;
    int64_t rows_done;
    int64_t nentries;
    size_t header_length;
};

static int put_header(void *context, const char *text, size_t length)
{
    header *h = context;
    if (h->length + length > sizeof h->text)
        return -1;
    memcpy(h->text + h->length, text, length);
    h->length += length;
    return 0;
}

static int put_target(void *context, const char *text, size_t length)
{
    return target_write(context, text, length) ? 0 : -1;
}

/* The header of so many entries, blanks before their number to a length. */
static spgemm_status make_header(header *h, const mtx_stream *stream,
                                 int64_t nentries, size_t length)
{
    h->length = 0;
    const spgemm_status status =
        spgemm_mtx_write_header(stream->nrows, stream->ncols, nentries,
                                stream->value_type, put_header, h);
    if (status < 0 || h->length >= length)
        return status;
    const size_t blanks = length - h->length;
    char *number = memrchr(h->text, ' ', h->length);
    memmove(number + blanks, number, (size_t)(h->text + h->length - number));
    memset(number, ' ', blanks);
    h->length = length;
    return SPGEMM_SUCCESS;
}

static int fail(const mtx_stream *stream, spgemm_status status)
{
    return status == SPGEMM_ERROR_IO
               ? message_system(stream->target.name)
               : message_failure(stream->target.name, status);
}

static int finish(mtx_stream *stream, int status)
{
    status = target_close(&stream->target, status);
    free(stream);
    return status;
}

static int begin_file(mtx_stream *stream)
{
    header h;
    if (!stream->target.is_replaced)
        return message(TOOL_USAGE,
                       "%s: the entries are counted while they are written, "
                       "and their number stands before them: this needs a "
                       "regular file",
                       stream->target.name);
    const spgemm_status status = make_header(&h, stream, INT64_MAX, 0);
    if (status < 0)
        return fail(stream, status);
    stream->header_length = h.length;
    return target_write(&stream->target, h.text, h.length)
               ? TOOL_OK
               : message_system(stream->target.name);
}

int mtx_stream_open(mtx_stream **stream, const char *path, int64_t nrows,
                    int64_t ncols, spgemm_value_type value_type)
{
    mtx_stream *made = malloc(sizeof *made);
    if (!made)
        return message_failure(path, SPGEMM_ERROR_OUT_OF_MEMORY);
    *made =
        (mtx_stream){.nrows = nrows, .ncols = ncols, .value_type = value_type};
    int status = target_open(&made->target, path);
    if (status != TOOL_OK) {
        free(made);
        return status;
    }
    status = begin_file(made);
    if (status != TOOL_OK)
        return finish(made, status);
    *stream = made;
    return TOOL_OK;
}

int mtx_stream_rows(mtx_stream *stream, const spgemm_csr *rows)
{
    const bool is_pattern = !rows->values && stream->value_type == SPGEMM_BOOL;
    spgemm_status status = SPGEMM_ERROR_INVALID;
    if (rows->ncols == stream->ncols &&
        rows->nrows <= stream->nrows - stream->rows_done &&
        (is_pattern ||
         (rows->values && rows->value_type == stream->value_type)))
        status =
            spgemm_mtx_write_rows(rows, stream->rows_done, &stream->nentries,
                                  put_target, &stream->target);
    if (status < 0)
        return fail(stream, status);
    stream->rows_done += rows->nrows;
    return TOOL_OK;
}

int mtx_stream_close(mtx_stream *stream)
{
    header h;
    spgemm_status status = SPGEMM_ERROR_INVALID;
    if (stream->rows_done == stream->nrows)
        status =
            make_header(&h, stream, stream->nentries, stream->header_length);
    if (status < 0)
        return finish(stream, fail(stream, status));
    progress_begin("writing");
    int end = TOOL_OK;
    if (lseek(stream->target.descriptor, 0, SEEK_SET) != 0 ||
        !target_write(&stream->target, h.text, h.length))
        end = message_system(stream->target.name);
    end = finish(stream, end);
    progress_end();
    return end;
}

void mtx_stream_abandon(mtx_stream *stream)
{
    if (stream)
        finish(stream, TOOL_FAILURE);
}
