/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row draws its columns, all with the same probability. */
#include "kind.h"

/* ---- Square -------------------------------------------------------------- */

static int64_t erdos_renyi_column(const recipe *r, int64_t i, int64_t k)
{
    return rng_below(stream_seed(r, STREAM_COLUMNS),
                     (uint64_t)(i * r->sizes[1] + k), r->sizes[0]);
}

static spgemm_status make_erdos_renyi(spgemm_csr *A, const recipe *r)
{
    const int64_t n = r->sizes[0];
    return make_places(A, r,
                       &(place_rule){.nrows = n,
                                     .ncols = n,
                                     .degree = r->sizes[1],
                                     .column = erdos_renyi_column});
}

const matrix_kind kind_erdos_renyi = {
    .name = "erdos-renyi",
    .help = "N DEGREE: DEGREE columns a row, each drawn at random",
    .sizes = {{"N", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"DEGREE", 0, INT32_MAX, MUST_BE_GIVEN}},
    .make = make_erdos_renyi};

/* ---- Of any shape -------------------------------------------------------- */

static int64_t random_column(const recipe *r, int64_t i, int64_t k)
{
    return rng_below(stream_seed(r, STREAM_COLUMNS),
                     (uint64_t)(i * r->sizes[2] + k), r->sizes[1]);
}

static spgemm_status make_random(spgemm_csr *A, const recipe *r)
{
    return make_places(A, r,
                       &(place_rule){.nrows = r->sizes[0],
                                     .ncols = r->sizes[1],
                                     .degree = r->sizes[2],
                                     .column = random_column});
}

const matrix_kind kind_random = {
    .name = "random",
    .help = "NROWS NCOLS DEGREE: DEGREE columns a row, each drawn at random",
    .sizes = {{"NROWS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NCOLS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"DEGREE", 0, INT32_MAX, MUST_BE_GIVEN}},
    .make = make_random};
