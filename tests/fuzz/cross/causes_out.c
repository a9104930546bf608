/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays as intervals of addresses: those of `out` are nobody else's. */
#include "causes.h"

/* Bytes that the library may write, or is to read. */
typedef struct region {
    uintptr_t begin;
    uintptr_t end;
} region;

static region region_of(const void *block, int64_t count, size_t bytes)
{
    const uintptr_t begin = (uintptr_t)block;
    const bool is_empty = !block || count <= 0;
    return (region){begin, is_empty ? begin : begin + (size_t)count * bytes};
}

static bool meet(const region *x, const region *y)
{
    return x->begin < x->end && y->begin < y->end && x->begin < y->end &&
           y->begin < x->end;
}

static bool meets_matrix(const region *r, const spgemm_csr *X)
{
    if (!X)
        return false;
    const size_t index = X->index_type == SPGEMM_I64 ? 8 : 4;
    const region rowptr = region_of(X->rowptr, X->nrows + 1, 8);
    const region colidx = region_of(X->colidx, X->nnz, index);
    const region values =
        region_of(X->values, X->nnz, spgemm_value_bytes(X->value_type));
    return meet(r, &rowptr) || meet(r, &colidx) || meet(r, &values);
}

bool out_is_shared(const crossing *x)
{
    const spgemm_options *o = &x->args->options;
    const spgemm_out *out = o->resources.out;
    if (!out || !x->A || !x->B)
        return false;
    const size_t index = x->A->index_type == SPGEMM_I64 ? 8 : 4;
    const region rows = region_of(o->product.rows, o->product.nrows, 8);
    const region cols = region_of(o->product.cols, o->product.ncols, 8);
    const region of[] = {region_of(out->rowptr, product_nrows(x) + 1, 8),
                         region_of(out->colidx, out->capacity, index),
                         region_of(out->values, out->capacity,
                                   spgemm_value_bytes(x->A->value_type))};
    for (int t = 0; t < 3; t++)
        if (meets_matrix(&of[t], x->A) || meets_matrix(&of[t], x->B) ||
            meets_matrix(&of[t], x->factors[0]) ||
            meets_matrix(&of[t], x->factors[1]) ||
            meets_matrix(&of[t], o->filter.mask) ||
            meets_matrix(&of[t], o->product.D) || meet(&of[t], &rows) ||
            meet(&of[t], &cols) || meet(&of[t], &of[(t + 1) % 3]))
            return true;
    return false;
}
