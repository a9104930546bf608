/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow heads along the diagonal: of each block the first row, the first column and
   the diagonal, and (i, j) where EVERY divides i + j. In a product few rows keep all
   that they have, beside many that keep little. */
#include "kind.h"

static int64_t arrow_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t first = i - i % r->sizes[1];
    const int64_t j = first + k;
    const bool is_other = r->sizes[2] > 0 && (i + j) % r->sizes[2] == 0;
    return i == first || j == first || i == j || is_other ? j : -1;
}

static spgemm_status make_arrow(spgemm_csr *A, const recipe *r)
{
    const int64_t n = rows_times(r->sizes[0], r->sizes[1]);
    return make_places(A, r,
                       &(place_rule){.nrows = n,
                                     .ncols = n,
                                     .degree = r->sizes[1],
                                     .column = arrow_column});
}

const matrix_kind kind_arrow = {
    .name = "arrow",
    .help =
        "HEADS SIZE [EVERY]: dense first row and column of each of HEADS "
        "blocks along the diagonal, and one in EVERY others (default: none)",
    .sizes = {{"HEADS", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"SIZE", 1, MOST_ROWS, MUST_BE_GIVEN},
              {"EVERY", 0, INT32_MAX, 0}},
    .make = make_arrow};
