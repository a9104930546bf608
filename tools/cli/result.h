/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices to files: a name that ends in .npz is one that SciPy reads, one that
   ends in .mtx or has no extension is Matrix Market, and packed by gzip one that
   ends in .mtx.gz. A file appears whole or not at all. Each function returns how
   the program ends otherwise, after a message. */
#ifndef TOOLS_RESULT_H
#define TOOLS_RESULT_H

#include "arguments.h"
#include "spgemm/spgemm.h"

/** Whether a path may be written, before anything is computed for it: it has no
    extension of another format, and is none of the files that are read. */
int result_check(const char *path, const arguments *args);

/** Whether it is none of the files that are read: operands, and options. */
int result_check_read(const char *path, const arguments *args);

/** Whether a name ends as this, in either case: "npz". */
bool result_ends(const char *path, const char *ending);

/** Whether a path's name asks for a packed file. */
bool result_is_packed(const char *path);

/** Write A to a path, or as Matrix Market to standard output for "-". */
int result_write(const spgemm_csr *A, const char *path);

/** A matrix whose rows come block by block, its entries not counted. */
typedef struct result_stream result_stream;

/** Begin an nrows-by-ncols matrix; SPGEMM_BOOL is for patterns, too. Matrix
    Market needs a regular file. On success to be ended by close or abandon. */
int result_stream_open(result_stream **stream, const char *path, int64_t nrows,
                       int64_t ncols, spgemm_index_type index_type,
                       spgemm_value_type value_type);

/** The next rows->nrows rows. */
int result_stream_rows(result_stream *stream, const spgemm_csr *rows);

/** After the last row: the file appears. Frees the stream, on failure too. */
int result_stream_close(result_stream *stream);

/** Nothing is left of it. NULL is accepted. */
void result_stream_abandon(result_stream *stream);

/** End standard output; a message and TOOL_FAILURE if not all was written. */
int result_finish(int status);

#endif
