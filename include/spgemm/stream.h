/* SPDX-License-Identifier: BSD-3-Clause */
/* Products larger than memory: C block by block. */
#ifndef SPGEMM_STREAM_H
#define SPGEMM_STREAM_H

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Takes rows first_row .. first_row + rows->nrows - 1 of C, which are the
 * library's, and gone when it returns. Not 0: the call ends with CANCELLED.
 */
typedef int spgemm_stream_sink(void *context, const spgemm_csr *rows,
                               int64_t first_row);

/**
 * C = A*B, handed to `sink` as consecutive blocks of rows, in order, each of at
 * most block_bytes.
 *
 * The blocks are cut by the predicted nnz of their rows and its error bar. One
 * that grows beyond its budget all the same is multiplied again in halves:
 * nothing is handed over twice, and C is the same, bit for bit, as in one piece.
 *
 * @param[in] options      NULL for defaults. memory_limit_bytes is of all that
 *                         the call holds, the block included; `out` is refused
 * @param[in] block_bytes  of rowptr, colidx and values of a block; 0: a half of
 *                         memory_limit_bytes, or 256 MB without one, or of a single
 *                         row that is larger what there is room for
 * @param[in] sink         called by the thread that called
 * @retval SPGEMM_ERROR_MEMORY_LIMIT  a single row does not fit
 * @retval SPGEMM_ERROR_CANCELLED     sink or progress asked to stop
 * @retval as spgemm_predicted()
 * @note Time as spgemm_predicted(): A and B are checked, and products counted
 *       and predicted, once.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_stream(const spgemm_csr *A, const spgemm_csr *B,
              const spgemm_options *options, size_t block_bytes,
              spgemm_stream_sink *sink, void *context, spgemm_report *report);

#ifdef __cplusplus
}
#endif
#endif
