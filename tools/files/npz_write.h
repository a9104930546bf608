/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices to files that scipy.sparse.load_npz() reads: in one piece, or as
   blocks of rows whose entries nobody has counted. */
#ifndef TOOLS_NPZ_WRITE_H
#define TOOLS_NPZ_WRITE_H

#include "spgemm/spgemm.h"

/** Write A to a path. A file appears whole or not at all. How the program ends
    otherwise, after a message. Values of a pattern are true. */
int npz_write(const spgemm_csr *A, const char *path);

typedef struct npz_stream npz_stream;

/**
 * Begin an nrows-by-ncols matrix whose rows come block by block, of these
 * types. The arrays grow in files without a name beside `path`, some MB of
 * memory are taken, and the .npz is put together of them in the end.
 *
 * Each function returns how the program ends otherwise, after a message.
 *
 * @param[out] stream  on success to be ended by one of the last two
 */
int npz_stream_open(npz_stream **stream, const char *path, int64_t nrows,
                    int64_t ncols, spgemm_index_type index_type,
                    spgemm_value_type value_type);

/** The next rows->nrows rows; without values they are true, or 1. */
int npz_stream_rows(npz_stream *stream, const spgemm_csr *rows);

/** After the last row: the file appears. Frees the stream, on failure too. */
int npz_stream_close(npz_stream *stream);

/** Nothing is left of it. NULL is accepted. */
void npz_stream_abandon(npz_stream *stream);

#endif
