/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix to a file, whose rows come block by block and whose entries nobody has
   counted. Each function returns how the program ends otherwise, after a
   message. */
#ifndef TOOLS_ROW_STREAM_H
#define TOOLS_ROW_STREAM_H

#include "spgemm/spgemm.h"
#include "target.h"

typedef struct row_stream row_stream;

/** A format. Its functions write to the target, or beside it. */
typedef struct row_format {
    size_t bytes; /* of what begins with a row_stream, zeroed but for that */

    /* Before the first row. */
    int (*begin)(row_stream *stream);

    /* Rows of the shape and the types that were announced. */
    int (*put)(row_stream *stream, const spgemm_csr *rows);

    /* After the last row: what is left to be written. */
    int (*end)(row_stream *stream);

    /* Give back what it took; NULL: nothing. Called in any case. */
    void (*clear)(row_stream *stream);
} row_format;

struct row_stream {
    const row_format *format;
    target target;
    int64_t nrows;
    int64_t ncols;
    spgemm_index_type index_type;
    spgemm_value_type value_type; /* SPGEMM_BOOL: a pattern, too */
    int64_t rows_done;
    int64_t nnz; /* of those */
};

/** Mtx: the count of the entries stands before them, and is put there in the
    end, into a regular file only. Npz: the arrays grow in files without a name
    beside the target, some MB of memory are taken. */
extern const row_format row_format_mtx;
extern const row_format row_format_npz;

/** Begin an nrows-by-ncols matrix. On success to be ended by one of the last
    two. */
int row_stream_open(row_stream **stream, const row_format *format,
                    const char *path, int64_t nrows, int64_t ncols,
                    spgemm_index_type index_type, spgemm_value_type value_type);

/** The next rows->nrows rows; those of a pattern may have no values. */
int row_stream_rows(row_stream *stream, const spgemm_csr *rows);

/** After the last row: the file appears, unless a signal was noted, which ends
    it by interrupt_status() without a message. Frees the stream in any case. */
int row_stream_close(row_stream *stream);

/** Nothing is left of it. NULL is accepted. */
void row_stream_abandon(row_stream *stream);

#endif
