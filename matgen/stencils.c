/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,j) != 0 where j is near i: on a grid, or on a line. */
#include "box.h"
#include "common/checked.h"
#include "kind.h"

/* ---- 5 points ------------------------------------------------------------ */

static int64_t stencil5_column(const recipe *r, int64_t i, int64_t k)
{
    static const int64_t steps_x[] = {0, -1, 0, 1, 0};
    static const int64_t steps_y[] = {-1, 0, 0, 0, 1};
    return plane_neighbour(r->sizes, i, steps_x[k], steps_y[k]);
}

static spgemm_status make_stencil5(spgemm_csr *A, const recipe *r)
{
    const int64_t nrows = rows_times(r->sizes[0], r->sizes[1]);
    return make_places(A, r,
                       &(place_rule){.nrows = nrows,
                                     .ncols = nrows,
                                     .degree = 5,
                                     .column = stencil5_column});
}

const matrix_kind kind_stencil5 = {
    .name = "stencil5",
    .help = "NX NY: 5-point stencil on a grid",
    .sizes = {{"NX", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NY", 1, MOST_ROWS, MUST_BE_GIVEN}},
    .make = make_stencil5};

/* ---- 27 points ----------------------------------------------------------- */

static int64_t stencil27_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t node = box_neighbour(r->sizes, i / r->dofs, k / r->dofs);
    return node < 0 ? -1 : node * r->dofs + k % r->dofs;
}

static spgemm_status make_stencil27(spgemm_csr *A, const recipe *r)
{
    const int64_t *n = r->sizes;
    const int64_t nrows =
        rows_times(rows_times(rows_times(n[0], n[1]), n[2]), r->dofs);
    return make_places(A, r,
                       &(place_rule){.nrows = nrows,
                                     .ncols = nrows,
                                     .degree = BOX_NEIGHBOURS * r->dofs,
                                     .column = stencil27_column});
}

const matrix_kind kind_stencil27 = {
    .name = "stencil27",
    .help = "NX NY NZ: 27-point stencil on a grid, --dofs unknowns a node",
    .sizes = {{"NX", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NY", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NZ", 1, MOST_ROWS, MUST_BE_GIVEN}},
    .dofs = 3,
    .make = make_stencil27};

/* ---- A band -------------------------------------------------------------- */

static int64_t banded_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t column = i + k - min_i64(r->sizes[1], r->sizes[0] - 1);
    return column < r->sizes[0] ? column : -1;
}

static spgemm_status make_banded(spgemm_csr *A, const recipe *r)
{
    const int64_t n = r->sizes[0];
    return make_places(
        A, r,
        &(place_rule){.nrows = n,
                      .ncols = n,
                      .degree = 2 * min_i64(r->sizes[1], r->sizes[0] - 1) + 1,
                      .column = banded_column});
}

const matrix_kind kind_banded = {
    .name = "banded",
    .help = "N HALFWIDTH: all entries with |i - j| <= HALFWIDTH",
    .sizes = {{"N", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"HALFWIDTH", 0, INT32_MAX, MUST_BE_GIVEN}},
    .make = make_banded};
