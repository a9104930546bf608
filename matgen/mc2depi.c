/* SPDX-License-Identifier: BSD-3-Clause */
/* A Markov chain on the states (x, y) of an epidemic: (x, y) is reached from
   itself, (x - 1, y), (x + 1, y - 1) and (x, y + 1).

   The structure of mc2depi, on 1025 x 513 states. */
#include "box.h"
#include "kind.h"

static int64_t mc2depi_column(const recipe *r, int64_t i, int64_t k)
{
    static const int64_t steps_x[] = {1, -1, 0, 0};
    static const int64_t steps_y[] = {-1, 0, 0, 1};
    return plane_neighbour(r->sizes, i, steps_x[k], steps_y[k]);
}

static spgemm_status make_mc2depi(spgemm_csr *A, const recipe *r)
{
    const int64_t nrows = rows_times(r->sizes[0], r->sizes[1]);
    return make_places(A, r,
                       &(place_rule){.nrows = nrows,
                                     .ncols = nrows,
                                     .degree = 4,
                                     .column = mc2depi_column});
}

const matrix_kind kind_mc2depi = {
    .name = "mc2depi",
    .help = "[NX NY]: Markov chain of an epidemic on a grid of states "
            "(default: 1025 513)",
    .sizes = {{"NX", 1, MOST_ROWS, 1025}, {"NY", 1, MOST_ROWS, 513}},
    .make = make_mc2depi};
