/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a text was refused: the line, and a sentence about it. */
#ifndef SPGEMM_IO_MTX_ERROR_H
#define SPGEMM_IO_MTX_ERROR_H

#include "spgemm/mtx.h"

/** Fill in *error; returns `status`, so that a function can end with it. */
__attribute__((format(printf, 4, 5))) spgemm_status
spgemm_mtx_fail(spgemm_mtx_error *error, spgemm_status status, int64_t line,
                const char *format, ...);

/** Bytes of a text that can be put into a sentence. */
enum { MTX_QUOTE_BYTES = 48 };

/** [begin, end) fit to be printed: shortened, odd bytes as '?'. */
const char *spgemm_mtx_quote(char quote[MTX_QUOTE_BYTES], const char *begin,
                             const char *end);

/** A read ends: why it failed to *error, unless that is NULL, and to
    spgemm_error_text(). Returns `status`. */
spgemm_status spgemm_mtx_end(spgemm_status status, spgemm_mtx_error *reason,
                             spgemm_mtx_error *error);

#endif
