/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices from SciPy's .npz files, as scipy.sparse.save_npz() writes them. */
#ifndef TOOLS_NPZ_READ_H
#define TOOLS_NPZ_READ_H

#include "members.h"
#include "spgemm/mtx.h"

/** Bytes. */
typedef struct npz_limits {
    int64_t memory;     /* of all arrays of the file */
    int64_t empty_rows; /* row pointers of rows that no entry can fill */
} npz_limits;

/**
 * Read a matrix from the members of its file: csr as it is, csc transposed, coo
 * summed up. Values keep their type, or get the smallest that
 * holds them; columns are SPGEMM_I32 where nrows and ncols allow it. The rows
 * of csr keep their order, and are flagged as sorted if they are.
 *
 * @param[out] A      written on success only; free with spgemm_csr_destroy()
 * @param[out] bytes  of arrays, once unpacked, as far as they were read
 * @param[out] error  on failure: the member, and what is wrong with it
 * @retval SPGEMM_ERROR_IO           unreadable, malformed or truncated
 * @retval SPGEMM_ERROR_UNSUPPORTED  a format or type of numbers that is not read
 * @retval SPGEMM_ERROR_MEMORY_LIMIT  a header announces more than a limit
 * @retval SPGEMM_ERROR_OVERFLOW, SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Memory follows what the file holds, never what its headers announce.
 */
spgemm_status npz_read(spgemm_csr *A, members *archive,
                       const npz_limits *limits, int64_t *bytes,
                       spgemm_mtx_error *error);

#endif
