/* SPDX-License-Identifier: BSD-3-Clause */
/* A block may be a good part of the memory there is, and takes seconds to
   write: it is written in pieces, and between two of them a signal is heard. */
#include "stream_product.h"

#include <string.h>

#include "entries.h"
#include "interrupt.h"
#include "place.h"
#include "progress.h"
#include "result.h"
#include "spgemm/stream.h"
#include "status.h"

enum { PIECE_ROWS = 1 << 14, PIECE_ENTRIES = 1 << 20 };

typedef struct destination {
    row_stream *stream;
    int status; /* of what was written */
    int64_t rowptr[PIECE_ROWS + 1];
} destination;

/* Rows from `first` on: as many as a piece has, but one at least. */
static spgemm_csr next_piece(destination *d, const spgemm_csr *rows,
                             int64_t first)
{
    const int64_t begin = rows->rowptr[first];
    int64_t count = 0;
    while (first + count < rows->nrows && count < PIECE_ROWS &&
           (count == 0 ||
            rows->rowptr[first + count + 1] - begin <= PIECE_ENTRIES)) {
        d->rowptr[count] = rows->rowptr[first + count] - begin;
        count++;
    }
    d->rowptr[count] = rows->rowptr[first + count] - begin;
    spgemm_csr piece = spgemm_csr_view(
        count, rows->ncols, d->rowptr[count], d->rowptr,
        (const char *)rows->colidx +
            (size_t)begin * index_bytes(rows->index_type),
        rows->values ? (const char *)rows->values +
                           (size_t)begin * spgemm_value_bytes(rows->value_type)
                     : NULL,
        rows->index_type, rows->value_type);
    piece.flags = rows->flags;
    return piece;
}

/* A spgemm_stream_sink. */
static int put(void *context, const spgemm_csr *rows, int64_t first_row)
{
    destination *d = context;
    (void)first_row;
    for (int64_t first = 0; first < rows->nrows;) {
        const spgemm_csr piece = next_piece(d, rows, first);
        d->status = row_stream_rows(d->stream, &piece);
        if (d->status != TOOL_OK || interrupt_signal() != 0)
            return 1;
        first += piece.nrows;
    }
    return 0;
}

/* The file appears; *done: a signal came before. */
static int close_stream(row_stream *stream, spgemm_status *done)
{
    const int status = row_stream_close(stream);
    const int signal_number = interrupt_signal();
    if (signal_number == 0 || status != interrupt_status(signal_number))
        return status;
    *done = SPGEMM_ERROR_CANCELLED;
    return TOOL_OK;
}

bool stream_product_can_write(const char *path)
{
    return strcmp(path, "-") != 0 && !result_is_packed(path) &&
           !place_is_special(path);
}

int stream_product(const product *p, const char *path, spgemm_report *report,
                   spgemm_status *done)
{
    static destination d;
    *done = SPGEMM_ERROR_CANCELLED;
    d.status = result_stream_open(&d.stream, path, p->nrows, p->ncols,
                                  p->A->index_type, p->A->value_type);
    if (d.status != TOOL_OK)
        return d.status;
    progress_begin("multiplying");
    *done = spgemm_stream(p->A, p->B, &p->options, 0, put, &d, report);
    progress_end();
    if (interrupt_signal() != 0)
        *done = SPGEMM_ERROR_CANCELLED;
    if (*done == SPGEMM_SUCCESS)
        return close_stream(d.stream, done);
    row_stream_abandon(d.stream);
    return d.status;
}
