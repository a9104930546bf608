/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices to files that scipy.sparse.load_npz() reads. */
#ifndef TOOLS_NPZ_WRITE_H
#define TOOLS_NPZ_WRITE_H

#include "spgemm/spgemm.h"

/** Write A to a path. A file appears whole or not at all. How the program ends
    otherwise, after a message. Values of a pattern are true. */
int npz_write(const spgemm_csr *A, const char *path);

#endif
