/* SPDX-License-Identifier: BSD-3-Clause */
/* The prolongator of a multigrid method: nodes are aggregated in cubes of
   three by three by three, and smoothing makes the row of a node hold the
   aggregates of all its neighbours on the 27-point stencil. */
#include "box.h"
#include "kind.h"

static int64_t aggregates(int64_t nodes)
{
    return nodes / 3 + (nodes % 3 != 0);
}

static int64_t aggregation_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t *n = r->sizes;
    const int64_t j = box_neighbour(n, i, k);
    const int64_t x = j % n[0] / 3;
    const int64_t y = j / n[0] % n[1] / 3;
    const int64_t z = j / n[0] / n[1] / 3;
    return j < 0 ? -1 : (z * aggregates(n[1]) + y) * aggregates(n[0]) + x;
}

static spgemm_status make_aggregation(spgemm_csr *A, const recipe *r)
{
    const int64_t *n = r->sizes;
    const place_rule rule = {
        .nrows = rows_times(rows_times(n[0], n[1]), n[2]),
        .ncols = rows_times(rows_times(aggregates(n[0]), aggregates(n[1])),
                            aggregates(n[2])),
        .degree = BOX_NEIGHBOURS,
        .column = aggregation_column};
    return make_places(A, r, &rule);
}

const matrix_kind kind_aggregation = {
    .name = "aggregation",
    .help =
        "NX NY NZ: prolongator of smoothed aggregates of 3 x 3 x 3 grid nodes",
    .sizes = {{"NX", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NY", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NZ", 1, MOST_ROWS, MUST_BE_GIVEN}},
    .make = make_aggregation};
