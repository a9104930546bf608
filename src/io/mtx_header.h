/* SPDX-License-Identifier: BSD-3-Clause */
/* What a Matrix Market file says of itself before its entries. */
#ifndef SPGEMM_IO_MTX_HEADER_H
#define SPGEMM_IO_MTX_HEADER_H

#include "spgemm/mtx.h"

typedef enum mtx_field {
    MTX_REAL,
    MTX_INTEGER,
    MTX_PATTERN,
    MTX_COMPLEX
} mtx_field;

typedef enum mtx_symmetry {
    MTX_GENERAL,
    MTX_SYMMETRIC,
    MTX_SKEW_SYMMETRIC,
    MTX_HERMITIAN
} mtx_symmetry;

typedef struct mtx_header {
    mtx_field field;
    mtx_symmetry symmetry;
    int64_t nrows;
    int64_t ncols;
    int64_t nentries; /* lines of entries announced, each triangle once */
} mtx_header;

/** "%%MatrixMarket matrix coordinate FIELD SYMMETRY", in any case. */
spgemm_status spgemm_mtx_parse_banner(mtx_header *header, const char *line,
                                      int64_t line_number,
                                      spgemm_mtx_error *error);

/** "NROWS NCOLS NENTRIES". */
spgemm_status spgemm_mtx_parse_sizes(mtx_header *header, const char *line,
                                     int64_t line_number,
                                     spgemm_mtx_error *error);

#endif
