/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market text of a matrix that comes block by block. */
#ifndef TOOLS_MTX_STREAM_H
#define TOOLS_MTX_STREAM_H

#include "spgemm/spgemm.h"

typedef struct mtx_stream mtx_stream;

/**
 * Begin an nrows-by-ncols matrix whose rows come block by block. Their entries
 * are counted as they come; the count, which stands before them, is put there
 * in the end: into a regular file only.
 *
 * Each function returns how the program ends otherwise, after a message.
 *
 * @param[in]  value_type  SPGEMM_BOOL: a pattern
 * @param[out] stream      on success to be ended by one of the last two
 */
int mtx_stream_open(mtx_stream **stream, const char *path, int64_t nrows,
                    int64_t ncols, spgemm_value_type value_type);

/** The next rows->nrows rows. */
int mtx_stream_rows(mtx_stream *stream, const spgemm_csr *rows);

/** After the last row: the file appears. Frees the stream, on failure too. */
int mtx_stream_close(mtx_stream *stream);

/** Nothing is left of it. NULL is accepted. */
void mtx_stream_abandon(mtx_stream *stream);

#endif
