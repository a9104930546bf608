/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices to files: a name that ends in .npz is one that SciPy reads, one that
   ends in .mtx or has no extension is Matrix Market, and packed by gzip one that
   ends in .mtx.gz. A file appears whole or not at all. Each function returns how
   the program ends otherwise, after a message. */
#ifndef TOOLS_RESULT_H
#define TOOLS_RESULT_H

#include "arguments.h"
#include "row_stream.h"
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

/** Begin a matrix whose rows come block by block: row_stream_open(), the format
    by the path. */
int result_stream_open(row_stream **stream, const char *path, int64_t nrows,
                       int64_t ncols, spgemm_index_type index_type,
                       spgemm_value_type value_type);

/** End standard output; a message and TOOL_FAILURE if not all was written:
    a status that is an answer, as "does not fit" is, does not say so. */
int result_finish(int status);

#endif
