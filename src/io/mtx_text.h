/* SPDX-License-Identifier: BSD-3-Clause */
/* A source of text as pieces of whole lines. */
#ifndef SPGEMM_IO_MTX_TEXT_H
#define SPGEMM_IO_MTX_TEXT_H

#include "alloc/memory.h"
#include "spgemm/mtx.h"

/* Room for a last line break, and for a reader that looks seven bytes ahead. */
enum { MTX_TEXT_MARGIN = 8 };

typedef struct mtx_text {
    memory *m;
    const spgemm_mtx_source *source;
    char *buffer;  /* of a piece, and MTX_TEXT_MARGIN */
    int64_t piece; /* bytes given out last: from 0 */
    int64_t used;  /* bytes in the buffer */
    int64_t bytes; /* read from the source so far */
    bool is_at_end;
} mtx_text;

spgemm_status spgemm_mtx_text_init(mtx_text *text, memory *m,
                                   const spgemm_mtx_source *source);

void spgemm_mtx_text_clear(mtx_text *text);

/**
 * The next lines, [*begin, *end), every one ended by '\n'; none at the end.
 * They stay until the next call. `line` is the number of the first of them.
 */
spgemm_status spgemm_mtx_text_next(mtx_text *text, const char **begin,
                                   const char **end, int64_t line,
                                   spgemm_mtx_error *error);

#endif
