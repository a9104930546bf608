/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of entries to triplets, in parallel. */
#ifndef SPGEMM_IO_MTX_ENTRIES_H
#define SPGEMM_IO_MTX_ENTRIES_H

#include <locale.h>

#include "io/mtx_header.h"
#include "matrix/csr_from_coo.h"

/** All entries read so far, one piece for each slice of the text. */
typedef struct mtx_entries {
    memory *m;
    const mtx_header *header;
    locale_t c_locale; /* numbers are English whatever the process has set */
    int nthreads;
    spgemm_index_type index_type;
    spgemm_value_type value_type;
    coo_piece *pieces; /* [npieces], room for `capacity` */
    int64_t npieces;
    int64_t capacity;
    int64_t used; /* entries in all pieces */
} mtx_entries;

/** Whether the mirror images of a symmetric matrix are triplets of their own:
    those of doubles are left to who places them. */
bool spgemm_mtx_entries_are_expanded(const mtx_entries *entries);

void spgemm_mtx_entries_clear(mtx_entries *entries);

/**
 * Append the entries of whole lines, the first of which has number *line;
 * *line moves on by their number. On failure *line is not moved.
 */
spgemm_status spgemm_mtx_parse_entries(mtx_entries *entries, const char *begin,
                                       const char *end, int64_t *line,
                                       spgemm_mtx_error *error);

#endif
