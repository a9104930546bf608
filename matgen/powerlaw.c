/* SPDX-License-Identifier: BSD-3-Clause */
/* A web: most rows have a few entries, rows of d entries occur like d^-2.5,
   and some rows spread over the graph have an eighth of all columns. */
#include <math.h>

#include "common/checked.h"
#include "kind.h"

static bool is_giant(const recipe *r, int64_t i)
{
    const int64_t giants = min_i64(r->sizes[1], r->sizes[0]);
    if (giants == 0)
        return false;
    const int64_t stride = r->sizes[0] / giants;
    return i % stride == stride / 2 && i / stride < giants;
}

static int64_t powerlaw_degree(const recipe *r, int64_t i)
{
    const int64_t most = r->sizes[0] / 8 + 1;
    if (is_giant(r, i))
        return most;
    const double u = rng_unit(stream_seed(r, STREAM_DEGREES), (uint64_t)i);
    return checked_capacity(2 * pow(1 - u, -1 / 1.5), 1, most);
}

/* Half of the links go to neighbours, half to popular pages. */
static int64_t powerlaw_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t n = r->sizes[0];
    const uint64_t seed = rng_bits(stream_seed(r, STREAM_COLUMNS), (uint64_t)i);
    const double u = rng_unit(seed, (uint64_t)k);
    if (is_giant(r, i))
        return (int64_t)(u * (double)n);
    if (k % 2 == 0)
        return (i + 1 + (int64_t)(64 * u)) % n;
    return (int64_t)(u * u * (double)n);
}

static spgemm_status make_powerlaw(spgemm_csr *A, const recipe *r)
{
    const int64_t n = r->sizes[0];
    return make_places(A, r,
                       &(place_rule){.nrows = n,
                                     .ncols = n,
                                     .degree_of = powerlaw_degree,
                                     .column = powerlaw_column});
}

const matrix_kind kind_powerlaw = {
    .name = "powerlaw",
    .help =
        "N [GIANTS]: web-like graph; GIANTS rows (default: 4) have N/8 entries",
    .sizes = {{"N", 1, MOST_ROWS, MUST_BE_GIVEN}, {"GIANTS", 0, INT32_MAX, 4}},
    .make = make_powerlaw};
