/* SPDX-License-Identifier: BSD-3-Clause */
/* Of a ZIP archive the members that SciPy gives a sparse matrix, in any order,
   each read into pieces of its own; then the matrix is allocated, and filled
   from them. */
#include "npz_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/checked.h"
#include "common/try.h"
#include "entries.h"
#include "npz_convert.h"
#include "npz_member.h"
#include "npz_members.h"

typedef enum layout { CSR, CSC, COO } layout;

typedef struct reader {
    members *archive;
    const npz_limits *limits;
    spgemm_mtx_error *error;
    int64_t *bytes;
    npz_member members[NPZ_MEMBERS];
    layout layout;
    int64_t nrows;
    int64_t ncols;
    spgemm_index_type index_type;
    spgemm_value_type value_type;
} reader;

/* ---- The archive -------------------------------------------------------- */

/* bytes or text: "csr". */
static spgemm_status parse_format(reader *r)
{
    static const char *const names[] = {
        [CSR] = "csr", [CSC] = "csc", [COO] = "coo"};
    const npz_member *m = &r->members[NPZ_FORMAT];
    const npy_header *h = &m->header;
    const int64_t stride = h->kind == 'U' ? 4 : 1;
    const int64_t length = h->item_bytes / stride;
    char text[16] = "";
    if ((h->kind != 'S' && h->kind != 'U') || m->count != 1)
        return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                        "dtype \"%s\" is no name of a format", h->dtype);
    for (int64_t c = 0; c < length && c < (int64_t)sizeof text - 1; c++) {
        const char letter = (char)m->pieces[0].bytes[c * stride];
        if (letter == '\0')
            break;
        text[c] = letter > ' ' && letter <= '~' ? letter : '?';
    }
    for (int k = CSR; k <= COO; k++) {
        r->layout = (layout)k;
        if (strcmp(text, names[k]) == 0)
            return SPGEMM_SUCCESS;
    }
    return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, m->name,
                    "format \"%s\" is not read: csr, csc and coo are", text);
}

static spgemm_status read_members(reader *r)
{
    const char *name;
    while ((name = r->archive->next(r->archive)) != NULL) {
        npz_member *m = r->members;
        while (strcmp(name, m->name) != 0)
            m++;
        spgemm_status status = npz_member_read(m, r->archive, r->limits->memory,
                                               r->bytes, r->error);
        if (status == SPGEMM_SUCCESS && m == &r->members[NPZ_FORMAT])
            status = parse_format(r);
        if (status < 0)
            return status;
    }
    if (r->archive->status < 0)
        snprintf(r->error->text, sizeof r->error->text, "%s", r->archive->why);
    return r->archive->status;
}

/* ---- Checks ------------------------------------------------------------- */

static spgemm_status require(const reader *r, int k, int ndims)
{
    const npz_member *m = &r->members[k];
    if (!m->is_read) {
        snprintf(r->error->text, sizeof r->error->text,
                 "a ZIP archive without %s is no sparse matrix of SciPy's",
                 m->name);
        return SPGEMM_ERROR_IO;
    }
    if (m->header.ndims == ndims)
        return SPGEMM_SUCCESS;
    return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                    "an array of %d dimensions, not of %d", m->header.ndims,
                    ndims);
}

/* An array of int32 or int64, and so many of them; count < 0: any number. */
static spgemm_status require_indices(const reader *r, int k, int64_t count)
{
    spgemm_index_type type;
    const npz_member *m = &r->members[k];
    const spgemm_status status = require(r, k, 1);
    if (status < 0)
        return status;
    if (!npy_is_index(&m->header, &type))
        return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, m->name,
                        "dtype \"%s\" is neither int32 nor int64",
                        m->header.dtype);
    if (count >= 0 && m->count != count)
        return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                        "%" PRId64
                        " elements, where the shape asks for %" PRId64,
                        m->count, count);
    return SPGEMM_SUCCESS;
}

static spgemm_status check_shape(reader *r)
{
    const npz_member *m = &r->members[NPZ_SHAPE];
    const spgemm_status status = require_indices(r, NPZ_SHAPE, -1);
    if (status < 0)
        return status;
    if (m->count != 2)
        return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, m->name,
                        "%" PRId64 " numbers: a matrix has two", m->count);
    r->nrows = npz_member_index(m, 0);
    r->ncols = npz_member_index(m, 1);
    const int64_t pointed = r->layout == CSC ? r->ncols : r->nrows;
    if (r->nrows < 0 || r->ncols < 0 || pointed == INT64_MAX)
        return npz_fail(r->error, SPGEMM_ERROR_IO, m->name,
                        "%" PRId64 " x %" PRId64 " is no shape", r->nrows,
                        r->ncols);
    r->index_type = r->nrows <= INT32_MAX && r->ncols <= INT32_MAX ? SPGEMM_I32
                                                                   : SPGEMM_I64;
    return SPGEMM_SUCCESS;
}

/* Rows that no entry can fill: of csc and coo they have no array in the file,
   and that of csr may be packed zeros. So for the columns of csc. */
static spgemm_status check_count(const reader *r, int64_t count,
                                 const char *what)
{
    const int64_t entries = r->members[NPZ_DATA].count;
    const int64_t limit = r->limits->empty_rows;
    if (count <= saturating_add_i64(entries, limit / (int64_t)sizeof(int64_t)))
        return SPGEMM_SUCCESS;
    return npz_fail(r->error, SPGEMM_ERROR_MEMORY_LIMIT,
                    npz_member_names[NPZ_SHAPE],
                    "%" PRId64 " %s for %" PRId64
                    " entries: pointers of empty %s may take %" PRId64 " bytes",
                    count, what, entries, what, limit);
}

static spgemm_status check_members(reader *r)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const npz_member *data = &r->members[NPZ_DATA];
    SPGEMM_TRY(require(r, NPZ_FORMAT, r->members[NPZ_FORMAT].header.ndims));
    SPGEMM_TRY(check_shape(r));
    SPGEMM_TRY(require(r, NPZ_DATA, 1));
    if (!npy_is_value(&data->header, &r->value_type))
        return npz_fail(r->error, SPGEMM_ERROR_UNSUPPORTED, data->name,
                        "dtype \"%s\" is not read: float32 and float64, "
                        "complex64 and complex128, int8 to int64, uint8 to "
                        "uint32 and bool are",
                        data->header.dtype);
    if (r->layout == COO) {
        SPGEMM_TRY(require_indices(r, NPZ_ROW, data->count));
        SPGEMM_TRY(require_indices(r, NPZ_COL, data->count));
    } else {
        SPGEMM_TRY(require_indices(
            r, NPZ_INDPTR, 1 + (r->layout == CSR ? r->nrows : r->ncols)));
        SPGEMM_TRY(require_indices(r, NPZ_INDICES, -1));
    }
    SPGEMM_TRY(check_count(r, r->nrows, "rows"));
    if (r->layout == CSC)
        SPGEMM_TRY(check_count(r, r->ncols, "columns"));
cleanup:
    return status;
}

/* ---- The matrix --------------------------------------------------------- */

/* Entries of csr or csc: what the last pointer says, which the arrays may have
   more of. */
static spgemm_status count_entries(const reader *r, int64_t *nnz)
{
    const npz_member *indptr = &r->members[NPZ_INDPTR];
    const npz_member *const arrays[] = {&r->members[NPZ_INDICES],
                                        &r->members[NPZ_DATA]};
    *nnz = npz_member_index(indptr, indptr->count - 1);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        if (*nnz < 0 || *nnz > arrays[k]->count)
            return npz_fail(r->error, SPGEMM_ERROR_IO, indptr->name,
                            "its last element is %" PRId64
                            ", but %s has %" PRId64 " elements",
                            *nnz, arrays[k]->name, arrays[k]->count);
    return SPGEMM_SUCCESS;
}

static bool has_sorted_rows(const spgemm_csr *A)
{
    const int32_t *narrow = A->index_type == SPGEMM_I32 ? A->colidx : NULL;
    const int64_t *wide = A->index_type == SPGEMM_I64 ? A->colidx : NULL;
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i] + 1; p < A->rowptr[i + 1]; p++)
            if (narrow ? narrow[p - 1] >= narrow[p] : wide[p - 1] >= wide[p])
                return false;
    return true;
}

/* The matrix of indptr, indices and data, nrows-by-ncols. */
static spgemm_status build_rows(reader *r, spgemm_csr *A, int64_t nrows,
                                int64_t ncols)
{
    spgemm_status status = SPGEMM_SUCCESS;
    int64_t nnz;
    SPGEMM_TRY(count_entries(r, &nnz));
    SPGEMM_TRY(spgemm_csr_create(A, nrows, ncols, nnz, r->index_type,
                                 r->value_type, NULL));
    SPGEMM_TRY(
        npz_convert_rowptr(A->rowptr, &r->members[NPZ_INDPTR], nnz, r->error));
    SPGEMM_TRY(npz_convert_indices(A->colidx, r->index_type,
                                   &r->members[NPZ_INDICES], nnz, ncols,
                                   r->error));
    npz_convert_values(A->values, &r->members[NPZ_DATA], nnz);
    if (has_sorted_rows(A))
        A->flags |= SPGEMM_SORTED_ROWS;
cleanup:
    return status;
}

static spgemm_status build_columns(reader *r, spgemm_csr *A)
{
    spgemm_csr transposed = {0};
    spgemm_status status = build_rows(r, &transposed, r->ncols, r->nrows);
    if (status == SPGEMM_SUCCESS)
        status = spgemm_csr_transpose(A, &transposed);
    spgemm_csr_destroy(&transposed);
    return status;
}

/* Room for so many; never NULL for none. */
static void *allocate(int64_t count, size_t size)
{
    size_t bytes;
    return checked_bytes(count, size, &bytes) ? malloc(bytes + 1) : NULL;
}

static spgemm_status build_triplets(reader *r, spgemm_csr *A)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const int64_t count = r->members[NPZ_DATA].count;
    void *rows = allocate(count, index_bytes(r->index_type));
    void *cols = allocate(count, index_bytes(r->index_type));
    void *values = allocate(count, spgemm_value_bytes(r->value_type));
    SPGEMM_REQUIRE(rows && cols && values, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(npz_convert_indices(rows, r->index_type, &r->members[NPZ_ROW],
                                   count, r->nrows, r->error));
    SPGEMM_TRY(npz_convert_indices(cols, r->index_type, &r->members[NPZ_COL],
                                   count, r->ncols, r->error));
    npz_convert_values(values, &r->members[NPZ_DATA], count);
    SPGEMM_TRY(spgemm_csr_from_coo(A, r->nrows, r->ncols, count, rows, cols,
                                   values, r->index_type, r->value_type, NULL));
cleanup:
    free(rows);
    free(cols);
    free(values);
    return status;
}

static spgemm_status build_matrix(reader *r, spgemm_csr *A)
{
    switch (r->layout) {
    case CSR:
        return build_rows(r, A, r->nrows, r->ncols);
    case CSC:
        return build_columns(r, A);
    default:
        return build_triplets(r, A);
    }
}

static spgemm_status read_archive(reader *r, spgemm_csr *A)
{
    spgemm_status status = SPGEMM_SUCCESS;
    SPGEMM_TRY(read_members(r));
    SPGEMM_TRY(check_members(r));
    SPGEMM_TRY(build_matrix(r, A));
cleanup:
    return status;
}

spgemm_status npz_read(spgemm_csr *A, members *archive,
                       const npz_limits *limits, int64_t *bytes,
                       spgemm_mtx_error *error)
{
    spgemm_csr made = {0};
    reader r = {
        .archive = archive, .limits = limits, .error = error, .bytes = bytes};
    *bytes = 0;
    *error = (spgemm_mtx_error){0};
    for (int k = 0; k < NPZ_MEMBERS; k++)
        r.members[k].name = npz_member_names[k];
    const spgemm_status status = read_archive(&r, &made);
    for (int k = 0; k < NPZ_MEMBERS; k++)
        npz_member_clear(&r.members[k]);
    if (status == SPGEMM_SUCCESS)
        *A = made;
    else
        spgemm_csr_destroy(&made);
    if (status < 0 && !error->text[0])
        snprintf(error->text, sizeof error->text, "%s",
                 spgemm_status_string(status));
    return status;
}
