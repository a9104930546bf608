/* SPDX-License-Identifier: BSD-3-Clause */
/* A view of arrays whose row pointers have 32 bits: these are widened. */
#include "matrix/csr.h"

#include <inttypes.h>

#include "common/refusal.h"
#include "common/try.h"

/* How many there are before the first that is negative. */
static int64_t widen(int64_t *to, const int32_t *from, int64_t count)
{
    int32_t signs = 0;
    int64_t good = 0;
    for (int64_t i = 0; i < count; i++) {
        signs |= from[i];
        to[i] = from[i];
    }
    while (signs < 0 && from[good] >= 0)
        good++;
    return signs < 0 ? good : count;
}

static spgemm_status refuse_null(const char *name)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID, "%s is NULL", name);
}

static spgemm_status refuse_negative(const int32_t *rowptr, int64_t i)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID,
                         "rowptr[%" PRId64 "] is %" PRId32
                         ", and must be at least 0",
                         i, rowptr[i]);
}

spgemm_status spgemm_csr_view32(spgemm_csr *A, int64_t nrows, int64_t ncols,
                                const int32_t *rowptr, const int32_t *colidx,
                                const void *values,
                                spgemm_value_type value_type,
                                const spgemm_allocator *allocator)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr made = {0};
    memory m;
    spgemm_refusal_begin();
    SPGEMM_REQUIRE(A, refuse_null("A"));
    SPGEMM_REQUIRE(nrows >= 0,
                   spgemm_refuse(SPGEMM_ERROR_INVALID,
                                 "nrows is %" PRId64 ", and must be at least 0",
                                 nrows));
    SPGEMM_REQUIRE(rowptr, refuse_null("rowptr"));
    SPGEMM_REQUIRE(rowptr[nrows] >= 0, refuse_negative(rowptr, nrows));
    SPGEMM_TRY(spgemm_memory_check_hooks(allocator, "allocator"));
    spgemm_memory_init(&m, allocator);
    made = spgemm_csr_view(nrows, ncols, rowptr[nrows], NULL, colidx, values,
                           SPGEMM_I32, value_type);
    SPGEMM_TRY(spgemm_csr_check_header(&made, ""));
    SPGEMM_REQUIRE(made.nnz == 0 || colidx, refuse_null("colidx"));
    made.rowptr = spgemm_memory_allocate(&m, nrows + 1, sizeof *made.rowptr);
    SPGEMM_REQUIRE(made.rowptr, SPGEMM_ERROR_OUT_OF_MEMORY);
    made.flags = SPGEMM_OWNS_ROWPTR;
    made.allocator = spgemm_memory_hooks(&m);
    const int64_t good = widen(made.rowptr, rowptr, nrows + 1);
    SPGEMM_REQUIRE(good > nrows, refuse_negative(rowptr, good));
    *A = made;
    made = (spgemm_csr){0};

cleanup:
    spgemm_csr_destroy(&made);
    return spgemm_refusal_end(status);
}
