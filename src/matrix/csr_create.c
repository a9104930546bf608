/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix with room for nnz entries, or a view of the caller's arrays. */
#include "matrix/csr.h"

#include <inttypes.h>

#include "common/checked.h"
#include "common/refusal.h"
#include "common/try.h"

#define KNOWN_FLAGS                                                            \
    ((uint32_t)(SPGEMM_SORTED_ROWS | SPGEMM_OWNS_ARRAYS | SPGEMM_OWNS_ROWPTR))

/* "A.nrows", or "nrows" of a matrix that is only about to be. */
#define NAMED    "%s%s%s"
#define OF(what) name, *name ? "." : "", what

static spgemm_status refuse_count(const char *name, const char *what,
                                  int64_t count)
{
    return spgemm_refuse(SPGEMM_ERROR_INVALID, NAMED " is %" PRId64, OF(what),
                         count);
}

static spgemm_status check_counts(const spgemm_csr *A, const char *name)
{
    if (A->nrows < 0)
        return refuse_count(name, "nrows", A->nrows);
    if (A->ncols < 0)
        return refuse_count(name, "ncols", A->ncols);
    if (A->nnz < 0)
        return refuse_count(name, "nnz", A->nnz);
    return SPGEMM_SUCCESS;
}

static spgemm_status check_kinds(const spgemm_csr *A, const char *name)
{
    if (A->index_type != SPGEMM_I32 && A->index_type != SPGEMM_I64)
        return refuse_count(name, "index_type", A->index_type);
    if (spgemm_value_bytes(A->value_type) == 0)
        return refuse_count(name, "value_type", A->value_type);
    if (A->flags & ~KNOWN_FLAGS)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             NAMED " is 0x%" PRIx32 ", of unknown bits",
                             OF("flags"), A->flags);
    return SPGEMM_SUCCESS;
}

static spgemm_status check_sizes(const spgemm_csr *A, const char *name)
{
    size_t bytes;
    if (!spgemm_index_holds(A->index_type, A->ncols))
        return spgemm_refuse(SPGEMM_ERROR_OVERFLOW,
                             NAMED " is %" PRId64
                                   ", too many for columns of 32 bits",
                             OF("ncols"), A->ncols);
    if (A->nrows == INT64_MAX ||
        !checked_bytes(A->nrows + 1, sizeof(int64_t), &bytes))
        return spgemm_refuse(SPGEMM_ERROR_OVERFLOW,
                             NAMED " is %" PRId64
                                   ", whose bytes do not fit size_t",
                             OF("nrows"), A->nrows);
    if (!checked_bytes(A->nnz, sizeof(int64_t), &bytes) ||
        !checked_bytes(A->nnz, spgemm_value_bytes(A->value_type), &bytes))
        return spgemm_refuse(SPGEMM_ERROR_OVERFLOW,
                             NAMED " is %" PRId64
                                   ", whose bytes do not fit size_t",
                             OF("nnz"), A->nnz);
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_csr_check_header(const spgemm_csr *A, const char *name)
{
    spgemm_status status = SPGEMM_SUCCESS;
    if (!A)
        return spgemm_refuse(SPGEMM_ERROR_INVALID, "%s is NULL", name);
    SPGEMM_TRY(check_counts(A, name));
    SPGEMM_TRY(check_kinds(A, name));
    SPGEMM_TRY(check_sizes(A, name));

cleanup:
    return status;
}

spgemm_status spgemm_csr_check_structure(const spgemm_csr *A, const char *name)
{
    if (!A->rowptr)
        return spgemm_refuse(SPGEMM_ERROR_INVALID, NAMED " is NULL",
                             OF("rowptr"));
    if (A->nnz > 0 && !A->colidx)
        return spgemm_refuse(SPGEMM_ERROR_INVALID,
                             NAMED " is NULL, but nnz is %" PRId64,
                             OF("colidx"), A->nnz);
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_csr_allocate(spgemm_csr *A, memory *m, int64_t nnz,
                                  bool has_values)
{
    spgemm_csr made = *A;
    made.nnz = nnz;
    made.rowptr = NULL;
    made.colidx = NULL;
    made.values = NULL;
    made.flags = SPGEMM_OWNS_ARRAYS;
    made.allocator = spgemm_memory_hooks(m);
    spgemm_status status = spgemm_csr_check_header(&made, "");
    if (status < 0)
        return status;

    made.rowptr =
        spgemm_memory_allocate_zeroed(m, made.nrows + 1, sizeof *made.rowptr);
    SPGEMM_REQUIRE(made.rowptr, SPGEMM_ERROR_OUT_OF_MEMORY);
    made.colidx =
        spgemm_memory_allocate(m, nnz, spgemm_index_size(made.index_type));
    SPGEMM_REQUIRE(made.colidx, SPGEMM_ERROR_OUT_OF_MEMORY);
    if (has_values) {
        made.values =
            spgemm_memory_allocate(m, nnz, spgemm_value_bytes(made.value_type));
        SPGEMM_REQUIRE(made.values, SPGEMM_ERROR_OUT_OF_MEMORY);
    }
    *A = made;
    return SPGEMM_SUCCESS;

cleanup:
    spgemm_csr_release(&made, m);
    return status;
}

spgemm_status spgemm_csr_resize(spgemm_csr *A, memory *m, int64_t nnz)
{
    const size_t index_size = spgemm_index_size(A->index_type);
    void *colidx = spgemm_memory_resize(m, A->colidx, A->nnz, nnz, index_size);
    if (!colidx)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    A->colidx = colidx;
    if (A->values) {
        void *values = spgemm_memory_resize(m, A->values, A->nnz, nnz,
                                            spgemm_value_bytes(A->value_type));
        if (!values) {
            spgemm_memory_release(m, colidx, nnz, index_size);
            A->colidx = NULL;
            return SPGEMM_ERROR_OUT_OF_MEMORY;
        }
        A->values = values;
    }
    A->nnz = nnz;
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_csr_create(spgemm_csr *A, int64_t nrows, int64_t ncols,
                                int64_t nnz, spgemm_index_type index_type,
                                spgemm_value_type value_type,
                                const spgemm_allocator *allocator)
{
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_csr made = {.nrows = nrows,
                       .ncols = ncols,
                       .index_type = index_type,
                       .value_type = value_type};
    memory m;
    spgemm_refusal_begin();
    SPGEMM_REQUIRE(A, spgemm_refuse(SPGEMM_ERROR_INVALID, "A is NULL"));
    SPGEMM_TRY(spgemm_memory_check_hooks(allocator, "allocator"));
    spgemm_memory_init(&m, allocator);
    SPGEMM_TRY(spgemm_csr_allocate(&made, &m, nnz, true));
    *A = made;

cleanup:
    return spgemm_refusal_end(status);
}

spgemm_csr spgemm_csr_view(int64_t nrows, int64_t ncols, int64_t nnz,
                           const int64_t *rowptr, const void *colidx,
                           const void *values, spgemm_index_type index_type,
                           spgemm_value_type value_type)
{
    /* The struct serves owners too; a view's arrays are never written. */
    return (spgemm_csr){.nrows = nrows,
                        .ncols = ncols,
                        .nnz = nnz,
                        .rowptr = (int64_t *)(uintptr_t)rowptr,
                        .colidx = (void *)(uintptr_t)colidx,
                        .values = (void *)(uintptr_t)values,
                        .index_type = index_type,
                        .value_type = value_type};
}
