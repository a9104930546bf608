/* SPDX-License-Identifier: BSD-3-Clause */
/* A product whose rows have the same products and entries, and compress or not:
   groups N E RARE times repeated N M D E. Rows of the one meet E rows of the other
   that are one, but for one row in RARE, which meets others at random. */
#include "kind.h"

/* ---- Rows that meet a group ---------------------------------------------- */

static int64_t groups_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t n = r->sizes[0];
    const int64_t each = r->sizes[1];
    const int64_t rare = r->sizes[2];
    const uint64_t rows = stream_seed(r, STREAM_DEGREES);
    const uint64_t columns = stream_seed(r, STREAM_COLUMNS);
    if (rare > 0 && rng_below(rows, (uint64_t)(2 * i), rare) == 0)
        return rng_below(columns, (uint64_t)(i * each + k), n);
    const int64_t group = rng_below(rows, (uint64_t)(2 * i + 1), n / each);
    return group * each + k;
}

static spgemm_status make_groups(spgemm_csr *A, const recipe *r)
{
    const int64_t n = r->sizes[0];
    if (r->sizes[1] > n)
        return SPGEMM_ERROR_INVALID;
    return make_places(A, r,
                       &(place_rule){.nrows = n,
                                     .ncols = n,
                                     .degree = r->sizes[1],
                                     .column = groups_column});
}

const matrix_kind kind_groups = {
    .name = "groups",
    .help = "N EACH [RARE]: EACH columns side by side in a row; in one row in "
            "RARE (default: none) at random",
    .sizes = {{"N", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"EACH", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"RARE", 0, INT32_MAX, 0}},
    .make = make_groups};

/* ---- Rows that repeat ---------------------------------------------------- */

static int64_t repeated_column(const recipe *r, int64_t i, int64_t k)
{
    return rng_below(stream_seed(r, STREAM_POINTS),
                     (uint64_t)(i / r->sizes[3] * r->sizes[2] + k),
                     r->sizes[1]);
}

static spgemm_status make_repeated(spgemm_csr *A, const recipe *r)
{
    return make_places(A, r,
                       &(place_rule){.nrows = r->sizes[0],
                                     .ncols = r->sizes[1],
                                     .degree = r->sizes[2],
                                     .column = repeated_column});
}

const matrix_kind kind_repeated = {
    .name = "repeated",
    .help =
        "NROWS NCOLS DEGREE EACH: as random, and EACH rows after one another "
        "are equal",
    .sizes = {{"NROWS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NCOLS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"DEGREE", 0, INT32_MAX, MUST_BE_GIVEN},
              {"EACH", 1, INT32_MAX, MUST_BE_GIVEN}},
    .make = make_repeated};
