/* SPDX-License-Identifier: BSD-3-Clause */
/* Bricks with a node at each of their eight corners: NX x NY x NZ of them, side
   by side. 8 x 8 x 256 have the nodes of the cantilever beam cant. */
#include "fem.h"

static int64_t brick_node(const recipe *r, int64_t e, int k)
{
    const int64_t *n = r->sizes;
    const int64_t x = e % n[0] + k % 2;
    const int64_t y = e / n[0] % n[1] + k / 2 % 2;
    const int64_t z = e / n[0] / n[1] + k / 4;
    return (z * (n[1] + 1) + y) * (n[0] + 1) + x;
}

static spgemm_status make_brick(spgemm_csr *A, const recipe *r)
{
    const int64_t *n = r->sizes;
    const mesh m = {.nnodes =
                        rows_times(rows_times(n[0] + 1, n[1] + 1), n[2] + 1),
                    .nelements = rows_times(rows_times(n[0], n[1]), n[2]),
                    .nodes_per_element = 8,
                    .node = brick_node};
    return make_fem(A, r, &m);
}

const matrix_kind kind_fem_brick = {
    .name = "fem-brick",
    .help = "NX NY NZ: finite elements, a box of bricks with 8 nodes each, "
            "--dofs unknowns a node",
    .sizes = {{"NX", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NY", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"NZ", 1, MOST_ROWS, MUST_BE_GIVEN}},
    .dofs = 3,
    .make = make_brick};
