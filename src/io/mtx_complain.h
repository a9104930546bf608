/* SPDX-License-Identifier: BSD-3-Clause */
/* What is wrong with a line that is not an entry. */
#ifndef SPGEMM_IO_MTX_COMPLAIN_H
#define SPGEMM_IO_MTX_COMPLAIN_H

#include "io/mtx_header.h"

/** Fill in *error for a line that could not be parsed; SPGEMM_ERROR_IO. */
spgemm_status spgemm_mtx_complain(const char *line, int64_t line_number,
                                  const mtx_header *header,
                                  spgemm_mtx_error *error);

#endif
