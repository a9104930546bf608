/* SPDX-License-Identifier: BSD-3-Clause */
#include "callbacks.h"

#include <math.h>
#include <string.h>

#include "arena.h"
#include "scalars.h"

double lying_row_nnz(void *context, int64_t row, int64_t products)
{
    const mischief *m = context;
    dice d = {m->seed + (uint64_t)row};
    switch (m->lie) {
    case 0:
        return 0;
    case 1:
        return NAN;
    case 2:
        return INFINITY;
    case 3:
        return -1e300;
    case 4:
        return 1e300;
    case 5:
        return 0.1;
    case 6:
        return (double)products;
    default:
        return 2 * dice_unit(&d) * (double)products - 1;
    }
}

int watch_progress(void *context, double done)
{
    mischief *m = context;
    if (!(done >= m->least_told && done <= 1))
        m->is_told_wrong = true;
    m->least_told = done;
    const bool cancels = m->asked++ == m->cancel_at;
    m->has_cancelled |= cancels;
    return cancels;
}

/* Neither commutes nor associates: another order is another result. */
static void multiply_bytes(void *context, void *term, const void *a,
                           const void *b)
{
    const size_t bytes = *(const size_t *)context;
    unsigned char *to = term;
    for (size_t at = 0; at < bytes; at++)
        to[at] = (unsigned char)(3 * ((const unsigned char *)a)[at] +
                                 5 * ((const unsigned char *)b)[at] + 1);
}

static void add_bytes(void *context, void *sum, const void *term)
{
    const size_t bytes = *(const size_t *)context;
    unsigned char *to = sum;
    for (size_t at = 0; at < bytes; at++)
        to[at] =
            (unsigned char)(7 * to[at] + ((const unsigned char *)term)[at]);
}

spgemm_user_semiring draw_user_semiring(dice *d, spgemm_value_type type)
{
    size_t *bytes = arena_take(sizeof *bytes);
    *bytes = bytes_of_type(type);
    unsigned char *zero = arena_take(*bytes);
    for (size_t at = 0; at < *bytes; at++)
        zero[at] = (unsigned char)dice_below(d, 3);
    return (spgemm_user_semiring){bytes, zero, multiply_bytes, add_bytes};
}
