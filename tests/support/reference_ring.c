/* SPDX-License-Identifier: BSD-3-Clause */
/* Floating values are doubles that are rounded to their type after every
   operation, which gives the bits of float arithmetic: a double has more than
   twice the digits, and two. */
#include "reference_ring.h"

#include <math.h>
#include <string.h>

typedef enum addition { PLUS, MIN, MAX, OR, ANY } addition;

typedef enum multiplication {
    TIMES,
    PAIR,
    FIRST,
    SECOND,
    LEAST,
    GREATEST,
    SUM,
    AND
} multiplication;

typedef struct operations {
    addition add;
    multiplication multiply;
} operations;

static const operations operations_of[SPGEMM_SEMIRING_COUNT] = {
    [SPGEMM_PLUS_TIMES] = {PLUS, TIMES}, [SPGEMM_PLUS_PAIR] = {PLUS, PAIR},
    [SPGEMM_PLUS_FIRST] = {PLUS, FIRST}, [SPGEMM_PLUS_SECOND] = {PLUS, SECOND},
    [SPGEMM_PLUS_MIN] = {PLUS, LEAST},   [SPGEMM_MIN_PLUS] = {MIN, SUM},
    [SPGEMM_MAX_PLUS] = {MAX, SUM},      [SPGEMM_MIN_MAX] = {MIN, GREATEST},
    [SPGEMM_MAX_MIN] = {MAX, LEAST},     [SPGEMM_OR_AND] = {OR, AND},
    [SPGEMM_ANY_PAIR] = {ANY, PAIR},
};

const char *ring_text(spgemm_semiring semiring)
{
    static const char *const names[SPGEMM_SEMIRING_COUNT] = {
        "plus_times", "plus_pair", "plus_first", "plus_second",
        "plus_min",   "min_plus",  "max_plus",   "min_max",
        "max_min",    "or_and",    "any_pair",   "user"};
    return (unsigned)semiring < SPGEMM_SEMIRING_COUNT ? names[semiring] : "?";
}

bool ring_exists(spgemm_semiring semiring, spgemm_value_type type)
{
    if (semiring == SPGEMM_USER)
        return true;
    if ((unsigned)type >= SPGEMM_VALUE_TYPE_COUNT)
        return false;
    const operations o = operations_of[semiring];
    return !is_complex(type) ||
           ((o.add == PLUS || o.add == ANY) && o.multiply <= SECOND);
}

bool ring_reads_first(spgemm_semiring semiring)
{
    const multiplication m = operations_of[semiring].multiply;
    return semiring == SPGEMM_USER || (m != PAIR && m != SECOND);
}

bool ring_reads_second(spgemm_semiring semiring)
{
    const multiplication m = operations_of[semiring].multiply;
    return semiring == SPGEMM_USER || (m != PAIR && m != FIRST);
}

/* ---- Values -------------------------------------------------------------- */

static double rounded(spgemm_value_type type, double x)
{
    const bool is_short = type == SPGEMM_FP32 || type == SPGEMM_CFP32;
    return is_short ? (double)(float)x : x;
}

static int64_t wrapped(spgemm_value_type type, uint64_t bits)
{
    int64_t n = 0;
    int32_t low = 0;
    if (type == SPGEMM_INT32) {
        const uint32_t low_bits = (uint32_t)bits;
        memcpy(&low, &low_bits, sizeof low);
        return low;
    }
    memcpy(&n, &bits, sizeof n);
    return n;
}

static scalar plus(spgemm_value_type type, scalar x, scalar y)
{
    if (type == SPGEMM_BOOL)
        return (scalar){.n = x.n || y.n};
    if (!is_floating(type))
        return (scalar){.n = wrapped(type, (uint64_t)x.n + (uint64_t)y.n)};
    return (scalar){.re = rounded(type, x.re + y.re),
                    .im = is_complex(type) ? rounded(type, x.im + y.im) : 0};
}

static scalar times(spgemm_value_type type, scalar x, scalar y)
{
    if (type == SPGEMM_BOOL)
        return (scalar){.n = x.n && y.n};
    if (!is_floating(type))
        return (scalar){.n = wrapped(type, (uint64_t)x.n * (uint64_t)y.n)};
    if (!is_complex(type))
        return (scalar){.re = rounded(type, x.re * y.re)};
    const double rr = rounded(type, x.re * y.re);
    const double ii = rounded(type, x.im * y.im);
    const double ri = rounded(type, x.re * y.im);
    const double ir = rounded(type, x.im * y.re);
    return (scalar){.re = rounded(type, rr - ii), .im = rounded(type, ri + ir)};
}

static bool is_less(spgemm_value_type type, scalar x, scalar y)
{
    return is_floating(type) ? x.re < y.re : x.n < y.n;
}

static scalar least(spgemm_value_type type, scalar x, scalar y)
{
    return is_less(type, y, x) ? y : x;
}

static scalar greatest(spgemm_value_type type, scalar x, scalar y)
{
    return is_less(type, x, y) ? y : x;
}

static bool is_nan(spgemm_value_type type, scalar x)
{
    return is_floating(type) && isnan(x.re);
}

/* As "*": NaN is ignored wherever it stands. */
static scalar least_of(spgemm_value_type type, scalar a, scalar b)
{
    return is_nan(type, a) ? b : is_nan(type, b) ? a : least(type, a, b);
}

static scalar greatest_of(spgemm_value_type type, scalar a, scalar b)
{
    return is_nan(type, a) ? b : is_nan(type, b) ? a : greatest(type, a, b);
}

static bool is_true(spgemm_value_type type, scalar x)
{
    return is_floating(type) ? x.re != 0 : x.n != 0;
}

static scalar truth(spgemm_value_type type, bool is_so)
{
    return scalar_of(type, is_so);
}

static scalar smallest_of(spgemm_value_type type)
{
    if (is_floating(type))
        return (scalar){.re = -INFINITY};
    if (type == SPGEMM_BOOL)
        return (scalar){.n = 0};
    return (scalar){.n = type == SPGEMM_INT64 ? INT64_MIN : INT32_MIN};
}

static scalar largest_of(spgemm_value_type type)
{
    if (is_floating(type))
        return (scalar){.re = INFINITY};
    if (type == SPGEMM_BOOL)
        return (scalar){.n = 1};
    return (scalar){.n = type == SPGEMM_INT64 ? INT64_MAX : INT32_MAX};
}

static scalar term_of(multiplication m, spgemm_value_type t, scalar a, scalar b)
{
    switch (m) {
    case TIMES:
        return times(t, a, b);
    case FIRST:
        return a;
    case SECOND:
        return b;
    case LEAST:
        return least_of(t, a, b);
    case GREATEST:
        return greatest_of(t, a, b);
    case SUM:
        return plus(t, a, b);
    case AND:
        return truth(t, is_true(t, a) && is_true(t, b));
    default:
        return scalar_of(t, 1);
    }
}

static scalar sum_of(addition add, spgemm_value_type t, scalar x, scalar y)
{
    switch (add) {
    case PLUS:
        return plus(t, x, y);
    case MIN:
        return least(t, x, y);
    case MAX:
        return greatest(t, x, y);
    case OR:
        return truth(t, is_true(t, x) || is_true(t, y));
    default:
        return y;
    }
}

/* ---- Elements ------------------------------------------------------------ */

void ring_zero(const ring *r, void *sum)
{
    const addition add = operations_of[r->semiring].add;
    if (r->semiring == SPGEMM_USER)
        memcpy(sum, r->user->zero, bytes_of_type(r->type));
    else if (add == MIN)
        write_scalar(r->type, sum, 0, largest_of(r->type));
    else if (add == MAX)
        write_scalar(r->type, sum, 0, smallest_of(r->type));
    else
        write_scalar(r->type, sum, 0, scalar_of(r->type, 0));
}

static scalar read_one(spgemm_value_type type, const void *x)
{
    return x ? read_scalar(type, x, 0) : (scalar){0};
}

void ring_multiply(const ring *r, void *term, const void *a, const void *b)
{
    if (r->semiring == SPGEMM_USER)
        r->user->multiply(r->user->context, term, a, b);
    else
        write_scalar(r->type, term, 0,
                     term_of(operations_of[r->semiring].multiply, r->type,
                             read_one(r->type, a), read_one(r->type, b)));
}

void ring_add(const ring *r, void *sum, const void *term)
{
    if (r->semiring == SPGEMM_USER)
        r->user->add(r->user->context, sum, term);
    else
        write_scalar(r->type, sum, 0,
                     sum_of(operations_of[r->semiring].add, r->type,
                            read_one(r->type, sum), read_one(r->type, term)));
}

/* The same as the two, but that what is between them is not stored. */
void ring_add_product(const ring *r, void *sum, const void *a, const void *b,
                      void *term)
{
    const operations o = operations_of[r->semiring];
    if (r->semiring == SPGEMM_USER) {
        ring_multiply(r, term, a, b);
        ring_add(r, sum, term);
        return;
    }
    const scalar x = term_of(o.multiply, r->type, read_one(r->type, a),
                             read_one(r->type, b));
    write_scalar(r->type, sum, 0,
                 sum_of(o.add, r->type, read_one(r->type, sum), x));
}
