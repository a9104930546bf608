/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices to files. */
#ifndef TOOLS_RESULT_H
#define TOOLS_RESULT_H

#include "spgemm/spgemm.h"

/**
 * Write A to a path, or to standard output for "-". A file appears whole or
 * not at all: it is written beside its place, brought to the disk and renamed.
 * How the program ends otherwise, after a message.
 */
int result_write(const spgemm_csr *A, const char *path);

/** End standard output; a message and TOOL_FAILURE if not all was written. */
int result_finish(int status);

#endif
