/* SPDX-License-Identifier: BSD-3-Clause */
/* Pieces are mapped, twice as long each time up to a bound, and given back to
   the system one by one as they are used up: a header that lies costs nothing,
   and an array is never held twice. */
#include "npz_member.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/checked.h"
#include "progress.h"

/* Multiples of every element's size. */
#define FIRST_PIECE_BYTES ((size_t)64 << 10)
#define LARGEST_PIECE     ((size_t)32 << 20)

spgemm_status npz_fail(spgemm_mtx_error *error, spgemm_status status,
                       const char *name, const char *format, ...)
{
    va_list list;
    const int used = snprintf(error->text, sizeof error->text, "%s: ", name);
    va_start(list, format);
    vsnprintf(error->text + used, sizeof error->text - (size_t)used, format,
              list);
    va_end(list);
    error->line = 0;
    return status;
}

/* Up to `size` bytes of the member; fewer at its end; -1: failed. */
static ptrdiff_t read_bytes(members *archive, void *bytes, size_t size)
{
    size_t used = 0;
    while (used < size) {
        const ptrdiff_t got =
            archive->read(archive, (char *)bytes + used, size - used);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        used += (size_t)got;
    }
    return (ptrdiff_t)used;
}

/* The archive's reason, which names the member. */
static spgemm_status fail_archive(const members *archive,
                                  spgemm_mtx_error *error)
{
    snprintf(error->text, sizeof error->text, "%s", archive->why);
    return archive->status;
}

static spgemm_status read_header(npz_member *m, members *archive,
                                 spgemm_mtx_error *error)
{
    unsigned char prefix[NPY_PREFIX_BYTES];
    spgemm_status status = SPGEMM_SUCCESS;
    ptrdiff_t got = read_bytes(archive, prefix, sizeof prefix);
    if (got < 0)
        return fail_archive(archive, error);
    const size_t length =
        (size_t)got < sizeof prefix ? 0 : npy_header_bytes(prefix);
    if (length == 0)
        return npz_fail(error, SPGEMM_ERROR_IO, m->name,
                        "not an array of NumPy's, version 1 to 3");
    if (length > NPY_LONGEST_HEADER)
        return npz_fail(error, SPGEMM_ERROR_IO, m->name,
                        "its header is longer than %d bytes",
                        NPY_LONGEST_HEADER);
    char *header = malloc(length);
    if (!header)
        return npz_fail(error, SPGEMM_ERROR_OUT_OF_MEMORY, m->name,
                        "no memory for its header");
    memcpy(header, prefix, sizeof prefix);
    got = read_bytes(archive, header + sizeof prefix, length - sizeof prefix);
    if (got < 0) {
        status = fail_archive(archive, error);
    } else if ((size_t)got < length - sizeof prefix) {
        status = npz_fail(error, SPGEMM_ERROR_IO, m->name,
                          "it ends within its header");
    } else {
        const char *why = npy_parse(&m->header, header, length);
        if (why)
            status = npz_fail(error, SPGEMM_ERROR_IO, m->name, "%s", why);
    }
    free(header);
    return status;
}

/* How many elements, of which every array here has one dimension or none. */
static spgemm_status count_elements(npz_member *m, int64_t limit, int64_t held,
                                    spgemm_mtx_error *error)
{
    const npy_header *h = &m->header;
    const char *why = npy_refusal(h);
    if (why)
        return npz_fail(error, SPGEMM_ERROR_UNSUPPORTED, m->name,
                        "dtype \"%s\": %s", h->dtype, why);
    if (h->ndims > 1)
        return npz_fail(error, SPGEMM_ERROR_IO, m->name,
                        "an array of %d dimensions, not of one", h->ndims);
    m->count = h->ndims == 1 ? h->shape[0] : 1;
    size_t bytes;
    if (!checked_bytes(m->count, (size_t)h->item_bytes, &bytes))
        return npz_fail(error, SPGEMM_ERROR_OVERFLOW, m->name,
                        "%" PRId64 " elements do not fit the memory", m->count);
    if ((int64_t)bytes > limit - held)
        return npz_fail(error, SPGEMM_ERROR_MEMORY_LIMIT, m->name,
                        "its header says %" PRId64
                        " elements, %zu bytes, beside %" PRId64
                        " of others; the limit is %" PRId64,
                        m->count, bytes, held, limit);
    return SPGEMM_SUCCESS;
}

/* A piece more, of so many bytes; NULL: no memory. */
static npz_piece *add_piece(npz_member *m, size_t size)
{
    if (m->npieces == m->capacity) {
        const int64_t capacity = 2 * m->capacity + 8;
        npz_piece *pieces =
            realloc(m->pieces, (size_t)capacity * sizeof *pieces);
        if (!pieces)
            return NULL;
        m->pieces = pieces;
        m->capacity = capacity;
    }
    npz_piece *piece = &m->pieces[m->npieces];
    piece->bytes = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece->bytes == MAP_FAILED)
        return NULL;
    /* Each page is written once: fewer take half of the time. */
    (void)madvise(piece->bytes, size, MADV_HUGEPAGE);
    piece->size = size;
    m->npieces++;
    return piece;
}

static spgemm_status read_elements(npz_member *m, members *archive,
                                   int64_t *bytes, spgemm_mtx_error *error)
{
    const size_t all = (size_t)(m->count * m->header.item_bytes);
    char beyond;
    for (size_t used = 0; used < all;) {
        size_t size = used < FIRST_PIECE_BYTES ? FIRST_PIECE_BYTES : used;
        size = size < LARGEST_PIECE ? size : LARGEST_PIECE;
        size = size < all - used ? size : all - used;
        const npz_piece *piece = add_piece(m, size);
        if (!piece)
            return npz_fail(error, SPGEMM_ERROR_OUT_OF_MEMORY, m->name,
                            "no memory after %zu of %zu bytes", used, all);
        const ptrdiff_t got = read_bytes(archive, piece->bytes, size);
        if (got < 0)
            return fail_archive(archive, error);
        used += (size_t)got;
        *bytes += got;
        progress_bytes(NULL, *bytes);
        if ((size_t)got < size)
            return npz_fail(error, SPGEMM_ERROR_IO, m->name,
                            "it ends after %zu of the %zu bytes that its "
                            "header announces",
                            used, all);
    }
    /* At the end its checksum is looked at, too. */
    const ptrdiff_t got = read_bytes(archive, &beyond, 1);
    if (got < 0)
        return fail_archive(archive, error);
    if (got > 0)
        return npz_fail(error, SPGEMM_ERROR_IO, m->name,
                        "it holds more than the %zu bytes that its header "
                        "announces",
                        all);
    return SPGEMM_SUCCESS;
}

spgemm_status npz_member_read(npz_member *m, members *archive, int64_t limit,
                              int64_t *bytes, spgemm_mtx_error *error)
{
    if (m->is_read)
        return npz_fail(error, SPGEMM_ERROR_IO, m->name, "it is there twice");
    spgemm_status status = read_header(m, archive, error);
    if (status == SPGEMM_SUCCESS)
        status = count_elements(m, limit, *bytes, error);
    if (status == SPGEMM_SUCCESS)
        status = read_elements(m, archive, bytes, error);
    m->is_read = status == SPGEMM_SUCCESS;
    return status;
}

void npz_member_drop(npz_member *m, int64_t k)
{
    if (m->pieces[k].bytes)
        munmap(m->pieces[k].bytes, m->pieces[k].size);
    m->pieces[k].bytes = NULL;
}

void npz_member_clear(npz_member *m)
{
    for (int64_t k = 0; k < m->npieces; k++)
        npz_member_drop(m, k);
    free(m->pieces);
    m->pieces = NULL;
    m->npieces = 0;
    m->capacity = 0;
}

int64_t npz_member_index(const npz_member *m, int64_t k)
{
    int64_t wide;
    int32_t narrow;
    const size_t item_bytes = (size_t)m->header.item_bytes;
    size_t at = (size_t)k * item_bytes;
    const npz_piece *piece = m->pieces;
    for (; at >= piece->size; piece++)
        at -= piece->size;
    if (item_bytes == sizeof wide) {
        memcpy(&wide, piece->bytes + at, sizeof wide);
        return wide;
    }
    memcpy(&narrow, piece->bytes + at, sizeof narrow);
    return narrow;
}
