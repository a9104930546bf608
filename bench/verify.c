/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether C = A*B: |C - AB| <= 1e-10 |A||B|, entry by entry. */
#include "verify.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-10;

static bool is_positive(const spgemm_csr *A)
{
    const double *values = A->values;
    for (int64_t p = 0; p < A->nnz; p++)
        if (!(values[p] >= 0))
            return false;
    return true;
}

static bool create_magnitudes(spgemm_csr *M, const spgemm_csr *A)
{
    if (spgemm_csr_create(M, A->nrows, A->ncols, A->nnz, A->index_type,
                          A->value_type, NULL) < 0)
        return false;
    const double *from = A->values;
    double *to = M->values;
    memcpy(M->rowptr, A->rowptr, ((size_t)A->nrows + 1) * sizeof(int64_t));
    memcpy(M->colidx, A->colidx, (size_t)A->nnz * sizeof(int32_t));
    for (int64_t p = 0; p < A->nnz; p++)
        to[p] = fabs(from[p]);
    return true;
}

static bool create_bound(spgemm_csr *bound, const spgemm_csr *A,
                         const spgemm_csr *B)
{
    spgemm_csr a = {0};
    spgemm_csr b = {0};
    const bool is_made =
        create_magnitudes(&a, A) && (A == B || create_magnitudes(&b, B)) &&
        spgemm_precise(bound, &a, A == B ? &a : &b, NULL, NULL) >= 0;
    spgemm_csr_destroy(&a);
    spgemm_csr_destroy(&b);
    return is_made;
}

bool reference_create(reference *r, const spgemm_csr *A, const spgemm_csr *B)
{
    spgemm_report report;
    *r = (reference){0};
    if (spgemm_precise(&r->C, A, B, NULL, &report) < 0)
        return false;
    r->products = report.products;
    const bool is_made = (is_positive(A) && (A == B || is_positive(B))) ||
                         create_bound(&r->bound, A, B);
    if (!is_made)
        reference_destroy(r);
    spgemm_memory_trim();
    return is_made;
}

void reference_destroy(reference *r)
{
    spgemm_csr_destroy(&r->C);
    spgemm_csr_destroy(&r->bound);
    spgemm_memory_trim();
}

static bool is_increasing(const spgemm_csr *C)
{
    const int32_t *Cj = C->colidx;
    for (int64_t i = 0; i < C->nrows; i++)
        for (int64_t p = C->rowptr[i] + 1; p < C->rowptr[i + 1]; p++)
            if (Cj[p - 1] >= Cj[p])
                return false;
    return true;
}

/* Both rows are sorted; where only one has an entry, the other has a zero. */
static const char *compare_row(const reference *r, const spgemm_csr *C,
                               int64_t i)
{
    const int32_t *Rj = r->C.colidx;
    const int32_t *Cj = C->colidx;
    const double *Rx = r->C.values;
    const double *Cx = C->values;
    const double *bound = r->bound.values ? r->bound.values : Rx;
    const int64_t p_end = r->C.rowptr[i + 1];
    const int64_t q_end = C->rowptr[i + 1];
    int64_t p = r->C.rowptr[i];
    int64_t q = C->rowptr[i];
    while (p < p_end || q < q_end) {
        const bool takes_p = q == q_end || (p < p_end && Rj[p] <= Cj[q]);
        const bool takes_q = p == p_end || (q < q_end && Cj[q] <= Rj[p]);
        const double x = takes_p ? Rx[p] : 0;
        const double y = takes_q ? Cx[q] : 0;
        const double most = takes_p ? tolerance * bound[p] : 0;
        if (!(fabs(x - y) <= most))
            return !takes_q   ? "lacks an entry"
                   : !takes_p ? "has an entry too many"
                              : "has a wrong value";
        p += takes_p;
        q += takes_q;
    }
    return NULL;
}

const char *verify(const reference *r, spgemm_csr *C, spgemm_row_order order)
{
    spgemm_csr *const c = C;
    c->flags = 0;
    if (c->nrows != r->C.nrows || c->ncols != r->C.ncols)
        return "has the wrong shape";
    if (spgemm_csr_check(c, NULL) < 0)
        return "is no matrix";
    if (!is_increasing(c)) {
        if (order == SPGEMM_ROWS_SORTED)
            return "has rows that are not sorted";
        if (spgemm_csr_sort_rows(c) < 0)
            return "cannot be sorted to be compared";
        if (!is_increasing(c))
            return "has two entries at one place";
    }
    const char *why = NULL;
    for (int64_t i = 0; !why && i < c->nrows; i++)
        why = compare_row(r, c, i);
    return why;
}
