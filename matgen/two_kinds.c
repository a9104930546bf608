/* SPDX-License-Identifier: BSD-3-Clause */
/* A product with a few giant rows, every other one of which meets rows that have
   few columns together: giants N G L D times halves 2N M F D. */
#include "common/checked.h"
#include "kind.h"

/* ---- Giant rows on either half of the columns ----------------------------- */

/* Which of the giant rows row i is; -1: none. They are spread evenly. */
static int64_t giant_of(const recipe *r, int64_t i)
{
    const int64_t giants = min_i64(r->sizes[1], r->sizes[0]);
    if (giants == 0)
        return -1;
    const int64_t stride = r->sizes[0] / giants;
    return i % stride == stride / 2 && i / stride < giants ? i / stride : -1;
}

static int64_t giants_degree(const recipe *r, int64_t i)
{
    return giant_of(r, i) < 0 ? r->sizes[3] : r->sizes[2];
}

static int64_t giants_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t n = r->sizes[0];
    const uint64_t seed = rng_bits(stream_seed(r, STREAM_COLUMNS), (uint64_t)i);
    const int64_t giant = giant_of(r, i);
    if (giant < 0)
        return rng_below(seed, (uint64_t)k, 2 * n);
    return giant % 2 * n + rng_below(seed, (uint64_t)k, n);
}

static spgemm_status make_giants(spgemm_csr *A, const recipe *r)
{
    const int64_t n = r->sizes[0];
    return make_places(A, r,
                       &(place_rule){.nrows = n,
                                     .ncols = 2 * n,
                                     .degree_of = giants_degree,
                                     .column = giants_column});
}

const matrix_kind kind_giants = {
    .name = "giants",
    .help =
        "N GIANTS LENGTH DEGREE: N x 2N, DEGREE columns a row at random; of "
        "GIANTS rows LENGTH, left and right in turn",
    .sizes = {{"N", 1, MOST_ROWS / 2, MUST_BE_GIVEN},
              {"GIANTS", 0, INT32_MAX, MUST_BE_GIVEN},
              {"LENGTH", 0, INT32_MAX, MUST_BE_GIVEN},
              {"DEGREE", 0, INT32_MAX, MUST_BE_GIVEN}},
    .make = make_giants};

/* ---- Rows of two kinds --------------------------------------------------- */

static int64_t halves_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t few = min_i64(r->sizes[2], r->sizes[1]);
    return rng_below(stream_seed(r, STREAM_POINTS),
                     (uint64_t)(i * r->sizes[3] + k),
                     i < r->sizes[0] / 2 ? few : r->sizes[1]);
}

static spgemm_status make_halves(spgemm_csr *A, const recipe *r)
{
    return make_places(A, r,
                       &(place_rule){.nrows = r->sizes[0],
                                     .ncols = r->sizes[1],
                                     .degree = r->sizes[3],
                                     .column = halves_column});
}

const matrix_kind kind_halves = {
    .name = "halves",
    .help =
        "NROWS NCOLS FEW DEGREE: DEGREE columns a row at random; above of the "
        "first FEW, below of all",
    .sizes = {{"NROWS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NCOLS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"FEW", 1, INT32_MAX, MUST_BE_GIVEN},
              {"DEGREE", 0, INT32_MAX, MUST_BE_GIVEN}},
    .make = make_halves};
