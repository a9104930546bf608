/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies that widen, narrow and check. */
#include "npz_convert.h"

#include <inttypes.h>
#include <string.h>

#include "common/checked.h"
#include "common/compiler.h"
#include "entries.h"

static ALWAYS_INLINE int64_t integer_at(const void *integers, bool is_wide,
                                        int64_t t)
{
    return is_wide ? ((const int64_t *)integers)[t]
                   : ((const int32_t *)integers)[t];
}

/* Of n integers: the first that is not in [0, limit); n: none. */
static ALWAYS_INLINE int64_t copy_indices(void *to, bool is_to_wide,
                                          const void *from, bool is_from_wide,
                                          int64_t n, int64_t limit)
{
    for (int64_t t = 0; t < n; t++) {
        const int64_t index = integer_at(from, is_from_wide, t);
        if (UNLIKELY((uint64_t)index >= (uint64_t)limit))
            return t;
        if (is_to_wide)
            ((int64_t *)to)[t] = index;
        else
            ((int32_t *)to)[t] = (int32_t)index;
    }
    return n;
}

static int64_t copy_indices_of(void *to, bool is_to_wide, const void *from,
                               bool is_from_wide, int64_t n, int64_t limit)
{
    if (is_to_wide)
        return is_from_wide ? copy_indices(to, true, from, true, n, limit)
                            : copy_indices(to, true, from, false, n, limit);
    return is_from_wide ? copy_indices(to, false, from, true, n, limit)
                        : copy_indices(to, false, from, false, n, limit);
}

spgemm_status npz_convert_indices(void *to, spgemm_index_type type,
                                  npz_member *m, int64_t count, int64_t limit,
                                  spgemm_mtx_error *error)
{
    const int64_t item_bytes = m->header.item_bytes;
    const bool is_from_wide = item_bytes == sizeof(int64_t);
    int64_t done = 0;
    for (int64_t k = 0; k < m->npieces && done < count; k++) {
        const npz_piece *piece = &m->pieces[k];
        const int64_t n =
            min_i64((int64_t)piece->size / item_bytes, count - done);
        const int64_t good = copy_indices_of(
            (char *)to + (size_t)done * index_bytes(type), type == SPGEMM_I64,
            piece->bytes, is_from_wide, n, limit);
        if (good < n)
            return npz_fail(error, SPGEMM_ERROR_IO, m->name,
                            "element %" PRId64 " is %" PRId64
                            ", which is not in 0..%" PRId64,
                            done + good,
                            integer_at(piece->bytes, is_from_wide, good),
                            limit - 1);
        done += n;
        npz_member_drop(m, k);
    }
    return SPGEMM_SUCCESS;
}

spgemm_status npz_convert_rowptr(int64_t *to, npz_member *m, int64_t nnz,
                                 spgemm_mtx_error *error)
{
    const int64_t item_bytes = m->header.item_bytes;
    const bool is_wide = item_bytes == sizeof(int64_t);
    int64_t done = 0;
    int64_t last = 0;
    for (int64_t k = 0; k < m->npieces; k++) {
        const npz_piece *piece = &m->pieces[k];
        const int64_t n = (int64_t)piece->size / item_bytes;
        for (int64_t t = 0; t < n; t++, done++) {
            const int64_t next = integer_at(piece->bytes, is_wide, t);
            if (UNLIKELY(next < last || next > nnz || (done == 0 && next != 0)))
                return npz_fail(error, SPGEMM_ERROR_IO, m->name,
                                "element %" PRId64 " is %" PRId64
                                ", which is not in %" PRId64 "..%" PRId64,
                                done, next, last, done == 0 ? 0 : nnz);
            to[done] = next;
            last = next;
        }
        npz_member_drop(m, k);
    }
    return SPGEMM_SUCCESS;
}

/* n numbers of a piece as values of the library. */
static void copy_values(void *to, const npy_header *h, const void *from,
                        int64_t n)
{
    if (h->kind == 'b') {
        for (int64_t t = 0; t < n; t++)
            ((uint8_t *)to)[t] = ((const uint8_t *)from)[t] != 0;
    } else if (h->kind == 'u' && h->item_bytes == 1) {
        for (int64_t t = 0; t < n; t++)
            ((int32_t *)to)[t] = ((const uint8_t *)from)[t];
    } else if (h->kind == 'i' && h->item_bytes == 1) {
        for (int64_t t = 0; t < n; t++)
            ((int32_t *)to)[t] = ((const int8_t *)from)[t];
    } else if (h->kind == 'u' && h->item_bytes == 2) {
        for (int64_t t = 0; t < n; t++)
            ((int32_t *)to)[t] = ((const uint16_t *)from)[t];
    } else if (h->kind == 'i' && h->item_bytes == 2) {
        for (int64_t t = 0; t < n; t++)
            ((int32_t *)to)[t] = ((const int16_t *)from)[t];
    } else if (h->kind == 'u' && h->item_bytes == 4) {
        for (int64_t t = 0; t < n; t++)
            ((int64_t *)to)[t] = ((const uint32_t *)from)[t];
    } else {
        memcpy(to, from, (size_t)(n * h->item_bytes));
    }
}

void npz_convert_values(void *to, npz_member *m, int64_t count)
{
    const npy_header *h = &m->header;
    spgemm_value_type type;
    npy_is_value(h, &type);
    char *at = to;
    int64_t done = 0;
    for (int64_t k = 0; k < m->npieces && done < count; k++) {
        const int64_t n =
            min_i64((int64_t)m->pieces[k].size / h->item_bytes, count - done);
        copy_values(at, h, m->pieces[k].bytes, n);
        at += (size_t)n * spgemm_value_bytes(type);
        done += n;
        npz_member_drop(m, k);
    }
}
