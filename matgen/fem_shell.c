/* SPDX-License-Identifier: BSD-3-Clause */
/* Quadrilaterals with a node at each corner, the surface of a tube: AROUND
   nodes on a circle, ALONG circles. 160 and 227 are near the wind tunnel
   pwtk. */
#include "fem.h"

static int64_t shell_node(const recipe *r, int64_t e, int k)
{
    const int64_t around = r->sizes[0];
    const int64_t x = (e % around + k % 2) % around;
    const int64_t y = e / around + k / 2;
    return y * around + x;
}

static spgemm_status make_shell(spgemm_csr *A, const recipe *r)
{
    const mesh m = {.nnodes = rows_times(r->sizes[0], r->sizes[1]),
                    .nelements = r->sizes[0] * (r->sizes[1] - 1),
                    .nodes_per_element = 4,
                    .node = shell_node};
    return make_fem(A, r, &m);
}

const matrix_kind kind_fem_shell = {
    .name = "fem-shell",
    .help = "AROUND ALONG: finite elements, a tube of shells with 4 nodes "
            "each, --dofs unknowns a node (default: 6)",
    .sizes = {{"AROUND", 3, MOST_ROWS, MUST_BE_GIVEN},
              {"ALONG", 2, MOST_ROWS, MUST_BE_GIVEN}},
    .dofs = 6,
    .make = make_shell};
