/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices from files, for programs that measure. */
#ifndef BENCH_MATRIX_FILE_H
#define BENCH_MATRIX_FILE_H

#include <stdbool.h>

#include "spgemm/spgemm.h"

enum { MATRIX_FILE_WHY_BYTES = 1024 };

/** Read a Matrix Market file, plain or packed, of double and 32-bit columns.
    false: `why` is "PATH: why" or "PATH:LINE: why". */
bool matrix_file_read(spgemm_csr *A, const char *path, int nthreads,
                      char why[MATRIX_FILE_WHY_BYTES]);

#endif
