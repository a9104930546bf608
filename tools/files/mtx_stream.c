/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market text: the line of sizes is written with room for the largest
   count, which blanks fill in the end. */
#include <string.h>
#include <unistd.h>

#include "message.h"
#include "row_stream.h"
#include "spgemm/mtx.h"
#include "status.h"

typedef struct header {
    char text[256];
    size_t length;
} header;

typedef struct mtx_stream {
    row_stream base;
    int64_t nentries; /* that were written: what is false is none */
    size_t header_length;
} mtx_stream;

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
static spgemm_status make_header(header *h, const row_stream *stream,
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

/* How the program ends. */
static int judge(const row_stream *stream, spgemm_status status)
{
    if (status == SPGEMM_SUCCESS)
        return TOOL_OK;
    return status == SPGEMM_ERROR_IO
               ? message_system(stream->target.name)
               : message_failure(stream->target.name, status);
}

static int write_header(const row_stream *stream, const header *h)
{
    return target_write(&stream->target, h->text, h->length)
               ? TOOL_OK
               : message_system(stream->target.name);
}

static int begin(row_stream *stream)
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
        return judge(stream, status);
    ((mtx_stream *)stream)->header_length = h.length;
    return write_header(stream, &h);
}

static int put(row_stream *stream, const spgemm_csr *rows)
{
    return judge(stream,
                 spgemm_mtx_write_rows(rows, stream->rows_done,
                                       &((mtx_stream *)stream)->nentries,
                                       put_target, &stream->target));
}

static int end(row_stream *stream)
{
    header h;
    const mtx_stream *own = (const mtx_stream *)stream;
    const spgemm_status status =
        make_header(&h, stream, own->nentries, own->header_length);
    if (status < 0)
        return judge(stream, status);
    return lseek(stream->target.descriptor, 0, SEEK_SET) == 0
               ? write_header(stream, &h)
               : message_system(stream->target.name);
}

const row_format row_format_mtx = {
    .bytes = sizeof(mtx_stream), .begin = begin, .put = put, .end = end};
