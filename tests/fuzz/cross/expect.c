/* SPDX-License-Identifier: BSD-3-Clause */
#include "expect.h"

#include <math.h>
#include <string.h>

#include "arena.h"
#include "build_csr.h"
#include "run.h"
#include "scalars.h"

/* ---- Before -------------------------------------------------------------- */

before expect_begin(crossing *x)
{
    mischief *m = &x->mischief;
    m->asked = 0;
    m->has_cancelled = false;
    m->least_told = 0;
    hostile_heap_arm(x->heap, m->fail_at, m->fails_forever);
    arena_seal();
    x->called_at = seconds_now();
    return (before){x->heap->live, x->heap->live_bytes};
}

void expect_disarm(crossing *x)
{
    x->mischief.fail_at = -1;
    x->mischief.cancel_at = -1;
    x->args->options.resources.memory_limit_bytes = 0;
}

/* ---- Status -------------------------------------------------------------- */

/* What hooks, limits and callbacks may make of a call that is right. */
static status_set provoked(const crossing *x)
{
    status_set set = 0;
    if (x->heap->failures + x->context_heap->failures > 0)
        set |= status_bit(SPGEMM_ERROR_OUT_OF_MEMORY);
    if (x->args->options.resources.memory_limit_bytes > 0)
        set |= status_bit(SPGEMM_ERROR_MEMORY_LIMIT);
    if (x->mischief.has_cancelled)
        set |= status_bit(SPGEMM_ERROR_CANCELLED);
    return set;
}

static bool is_documented(const crossing *x, const causes *c, spgemm_status s)
{
    status_set set = c->must | c->may | provoked(x);
    if (!c->must && !x->mischief.has_cancelled)
        set |= status_bit(SPGEMM_SUCCESS);
    return s <= 0 && s > -32 && (set & status_bit(s)) != 0;
}

/* Refused before anything was computed. */
static bool is_refusal(spgemm_status status)
{
    return status < 0 && status != SPGEMM_ERROR_OUT_OF_MEMORY &&
           status != SPGEMM_ERROR_MEMORY_LIMIT &&
           status != SPGEMM_ERROR_CANCELLED;
}

bool expect_reason(crossing *x, spgemm_status status, const char *text)
{
    const bool is_missing = status < 0 && text[0] == '\0';
    if (is_missing || (status == SPGEMM_SUCCESS && text[0] != '\0'))
        return cross_fails(x, "reason", "\"%s\" of status %d", text,
                           (int)status);
    return strcmp(text, spgemm_error_text()) == 0 ||
           cross_fails(x, "reason", "\"%s\", and of the thread \"%s\"", text,
                       spgemm_error_text());
}

bool expect_status(crossing *x, const causes *c, spgemm_status status,
                   const before *b)
{
    const hostile_heap *h = x->heap;
    if (h->harm || x->context_heap->harm)
        return cross_fails(x, "hooks", "%s",
                           h->harm ? h->harm : x->context_heap->harm);
    if (!arena_is_intact(is_refusal(status)))
        return cross_fails(x, "caller's memory", "written to, status %d",
                           (int)status);
    if (!is_documented(x, c, status))
        return cross_fails(x, "status", "%d, where %#x must and %#x may be",
                           (int)status, c->must, c->may | provoked(x));
    if (!expect_reason(x, status, spgemm_error_text()))
        return false;
    if (x->mischief.is_told_wrong)
        return cross_fails(x, "progress", "went back, or left [0, 1]");
    if (status < 0 && h->live != b->live)
        return cross_fails(x, "leak", "%ld blocks, status %d",
                           h->live - b->live, (int)status);
    return true;
}

/* ---- C ------------------------------------------------------------------- */

static bool is_well_formed(crossing *x, const spgemm_csr *C)
{
    spgemm_fault fault;
    const spgemm_status status = spgemm_csr_check(C, &fault);
    if (status == SPGEMM_SUCCESS)
        return true;
    return cross_fails(x, "C is malformed", "%d, %s[%lld]", (int)status,
                       fault.array ? fault.array : "",
                       (long long)fault.position);
}

static bool is_one_nan(const void *part, bool is_short)
{
    const double wide = NAN;
    const float narrow = NAN;
    return is_short ? memcmp(part, &narrow, sizeof narrow) == 0
                    : memcmp(part, &wide, sizeof wide) == 0;
}

/* Every NaN is the one of positive sign and no payload; but a semiring of the
   caller's answers for its own bits. */
static bool has_one_nan(const crossing *x, const spgemm_csr *C)
{
    const bool is_short =
        C->value_type == SPGEMM_FP32 || C->value_type == SPGEMM_CFP32;
    const int64_t parts = is_complex(C->value_type) ? 2 * C->nnz : C->nnz;
    if (!is_floating(C->value_type) || !C->values ||
        x->args->options.product.semiring == SPGEMM_USER)
        return true;
    for (int64_t p = 0; p < parts; p++) {
        const double *const wide = (const double *)C->values + p;
        const float *const narrow = (const float *)C->values + p;
        if (is_short ? isnan(*narrow) && !is_one_nan(narrow, true)
                     : isnan(*wide) && !is_one_nan(wide, false))
            return false;
    }
    return true;
}

bool expect_entries(crossing *x, spgemm_csr *C, const spgemm_csr *want)
{
    char text[200];
    const bool is_sorted = C->flags & SPGEMM_SORTED_ROWS;
    if (C->nnz < 0 || !is_well_formed(x, C))
        return x->wrong == NULL && cross_fails(x, "C is malformed", "nnz");
    if (!is_sorted) {
        if (x->args->options.product.row_order == SPGEMM_ROWS_SORTED)
            return cross_fails(x, "flags", "%u, not sorted", C->flags);
        sort_typed(C);
    }
    if (!typed_agree(C, want, text, sizeof text))
        return cross_fails(x, "C", "%s", text);
    return has_one_nan(x, C) || cross_fails(x, "NaN", "is another one");
}

static bool is_in_place(crossing *x, const spgemm_csr *C)
{
    const spgemm_out *out = x->args->options.resources.out;
    const bool fits = out && C->nnz <= out->capacity;
    const uint32_t owned =
        C->flags & (uint32_t)(SPGEMM_OWNS_ARRAYS | SPGEMM_OWNS_ROWPTR);
    if (!fits)
        return (owned == SPGEMM_OWNS_ARRAYS && !arena_holds(C->rowptr) &&
                !arena_holds(C->colidx) && !arena_holds(C->values)) ||
               cross_fails(x, "out", "C is not its own, flags %u", C->flags);
    return (owned == 0 && C->rowptr == out->rowptr &&
            C->colidx == out->colidx &&
            (!C->values || C->values == out->values)) ||
           cross_fails(x, "out", "C is not in out, flags %u", C->flags);
}

bool expect_product(crossing *x, spgemm_csr *C, const spgemm_csr *want)
{
    return is_in_place(x, C) && expect_entries(x, C, want);
}

/* ---- Report -------------------------------------------------------------- */

/* An empty array takes a byte. */
static size_t bytes_of_c(const crossing *x, const spgemm_csr *C)
{
    const size_t nnz = (size_t)C->nnz;
    const size_t index = C->index_type == SPGEMM_I64 ? 8 : 4;
    const size_t value =
        product_has_values(x) ? bytes_of_type(C->value_type) : 0;
    const size_t rowptr = 8 * ((size_t)C->nrows + 1);
    return nnz > 0 ? rowptr + nnz * (index + value) : rowptr + 1 + (value > 0);
}

/* Whether C has other entries than A*B. */
static bool has_form(const spgemm_options *o)
{
    return o->filter.mask || o->product.D || o->filter.drop_zeros ||
           o->filter.drop_tolerance > 0 || o->filter.keep_top > 0;
}

static bool has_zero(const spgemm_csr *C)
{
    const size_t size = bytes_of_type(C->value_type);
    for (int64_t p = 0; p < C->nnz; p++)
        if (is_zero_value(C->value_type,
                          (const char *)C->values + (size_t)p * size))
            return true;
    return false;
}

static bool is_of_product(crossing *x, const spgemm_report *r,
                          const spgemm_csr *want)
{
    if (r->nnz != want->nnz)
        return cross_fails(x, "report", "nnz %lld of %lld", (long long)r->nnz,
                           (long long)want->nnz);
    if (r->lacks_zeros && product_has_values(x) && has_zero(want))
        return cross_fails(x, "report", "lacks_zeros, and C has some");
    if (x->entry == ENTRY_STREAM || x->entry == ENTRY_REPEAT)
        return true;
    if (r->c_bytes != bytes_of_c(x, want))
        return cross_fails(x, "report", "c_bytes %zu of %zu", r->c_bytes,
                           bytes_of_c(x, want));
    if (r->upper_bound_bytes < r->c_bytes)
        return cross_fails(x, "report", "upper_bound_bytes %zu below %zu",
                           r->upper_bound_bytes, r->c_bytes);
    if (r->nnz_predicted < 0 || r->nthreads < 1 || !r->isa || !r->memory)
        return cross_fails(x, "report", "a member is not filled in");
    if (r->nnz_standard_error == 0 && r->nnz_predicted != want->nnz)
        return cross_fails(x,
                           has_form(&x->args->options)
                               ? "standard error of a form"
                               : "standard error",
                           "0, %lld predicted, %lld entries, by %d",
                           (long long)r->nnz_predicted, (long long)want->nnz,
                           (int)r->predictor);
    return true;
}

/* Whose fault it is. */
static const spgemm_csr *operand_of(const crossing *x, const char *name)
{
    const spgemm_options *o = &x->args->options;
    return !name                       ? NULL
           : strcmp(name, "A") == 0    ? x->A
           : strcmp(name, "B") == 0    ? x->B
           : strcmp(name, "R") == 0    ? x->R
           : strcmp(name, "P") == 0    ? x->B
           : strcmp(name, "mask") == 0 ? o->filter.mask
           : strcmp(name, "D") == 0    ? o->product.D
                                       : NULL;
}

bool expect_fault(crossing *x, const spgemm_fault *fault)
{
    const spgemm_csr *X = operand_of(x, fault->operand);
    if (!X || !fault->array)
        return cross_fails(x, "fault", "is not named");
    const bool is_rowptr = strcmp(fault->array, "rowptr") == 0;
    const int64_t length = is_rowptr ? X->nrows + 1 : X->nnz;
    if (fault->position < 0 || fault->position >= length)
        return cross_fails(x, "fault", "is nowhere");
    if (fault->value != (is_rowptr ? X->rowptr[fault->position]
                                   : column_of(X, fault->position)))
        return cross_fails(x, "fault", "has another value");
    return true;
}

bool expect_report(crossing *x, const spgemm_report *r, spgemm_status status,
                   const spgemm_csr *want, const before *b)
{
    const hostile_heap *h = x->heap;
    const size_t limit = x->args->options.resources.memory_limit_bytes;
    const size_t held = h->peak_bytes - b->live_bytes;
    if (x->has_hooks && limit > 0 && held > limit)
        return cross_fails(x, "memory limit", "%zu held of %zu", held, limit);
    if (!x->has_report)
        return true;
    if (!expect_reason(x, status, r->refusal))
        return false;
    if (x->has_hooks && held > r->peak_bytes)
        return cross_fails(x, "peak", "%zu held, %zu reported", held,
                           r->peak_bytes);
    if (status == SPGEMM_ERROR_STRUCTURE && !expect_fault(x, &r->fault))
        return false;
    return status < 0 || is_of_product(x, r, want);
}

bool expect_nothing_left(crossing *x)
{
    const hostile_heap *h = x->heap;
    const hostile_heap *other = x->context_heap;
    if (h->harm || other->harm)
        return cross_fails(x, "hooks", "%s", h->harm ? h->harm : other->harm);
    if (h->live != 0 || other->live != 0)
        return cross_fails(x, "leak", "%ld blocks at the end",
                           h->live + other->live);
    return true;
}
