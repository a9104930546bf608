/* SPDX-License-Identifier: BSD-3-Clause */
/* R-MAT: each edge falls into a quadrant of the matrix, a quadrant of that,
   and so on, with the probabilities of Graph500 (0.57, 0.19, 0.19, 0.05).

   D. Chakrabarti, Y. Zhan, C. Faloutsos, SIAM Data Mining 2004,
   doi:10.1137/1.9781611972740.43. */
#include <stdlib.h>

#include "kind.h"

static void draw_edge(const recipe *r, int64_t edge, int32_t *row, int32_t *col)
{
    const uint64_t seed = stream_seed(r, STREAM_COLUMNS);
    *row = 0;
    *col = 0;
    for (int64_t level = 0; level < r->sizes[0]; level++) {
        const double u = rng_unit(seed, (uint64_t)(edge * r->sizes[0] + level));
        const bool is_lower = u >= 0.76;
        const bool is_right = is_lower ? u >= 0.95 : u >= 0.57;
        *row = 2 * *row + is_lower;
        *col = 2 * *col + is_right;
    }
}

static spgemm_status make_rmat(spgemm_csr *A, const recipe *r)
{
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    const int64_t nrows = (int64_t)1 << r->sizes[0];
    const int64_t nedges = nrows * r->sizes[1];
    const size_t count = (size_t)nedges + 1;
    int32_t *rows = calloc(count, sizeof *rows);
    int32_t *cols = calloc(count, sizeof *cols);
    double *values = calloc(count, sizeof *values);
    if (rows && cols && values) {
        for (int64_t edge = 0; edge < nedges; edge++)
            draw_edge(r, edge, &rows[edge], &cols[edge]);
        status = spgemm_csr_from_coo(A, nrows, nrows, nedges, rows, cols,
                                     values, SPGEMM_I32, SPGEMM_FP64, NULL);
    }
    free(rows);
    free(cols);
    free(values);
    return status;
}

const matrix_kind kind_rmat = {
    .name = "rmat",
    .help = "SCALE EDGEFACTOR: R-MAT graph of 2^SCALE nodes, EDGEFACTOR edges "
            "a node",
    .sizes = {{"SCALE", 1, 30, MUST_BE_GIVEN},
              {"EDGEFACTOR", 0, INT32_MAX, MUST_BE_GIVEN}},
    .make = make_rmat};
