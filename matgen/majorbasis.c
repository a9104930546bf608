/* SPDX-License-Identifier: BSD-3-Clause */
/* Four fields on a grid, in a ring and one after another: at its own point an
   unknown meets its field and the fields before and after, and one of the three
   at the nine nearest points: its own, or for the last two fields each other.

   The counts of majorbasis, on 200 x 200 points, were what it was found by. */
#include "box.h"
#include "kind.h"

enum { FIELDS = 4, NEAR = 9, IN_PLACE = 3 };

static int64_t majorbasis_column(const recipe *r, int64_t i, int64_t k)
{
    static const int64_t field_near[FIELDS] = {0, 1, 3, 2};
    const int64_t n[] = {r->sizes[0], r->sizes[1], 1};
    const int64_t points = n[0] * n[1];
    const int64_t field = i / points;
    const int64_t point = i % points;
    if (k >= NEAR) {
        const int64_t step = FIELDS - 1 + k - NEAR;
        return (field + step) % FIELDS * points + point;
    }
    const int64_t near = box_neighbour(n, point, NEAR + k);
    return near < 0 ? -1 : field_near[field] * points + near;
}

static spgemm_status make_majorbasis(spgemm_csr *A, const recipe *r)
{
    const int64_t nrows =
        rows_times(rows_times(r->sizes[0], r->sizes[1]), FIELDS);
    return make_places(A, r,
                       &(place_rule){.nrows = nrows,
                                     .ncols = nrows,
                                     .degree = NEAR + IN_PLACE,
                                     .column = majorbasis_column});
}

const matrix_kind kind_majorbasis = {
    .name = "majorbasis",
    .help = "[NX NY]: 4 fields on a grid, 11 entries a row (default: 200 200)",
    .sizes = {{"NX", 1, MOST_ROWS, 200}, {"NY", 1, MOST_ROWS, 200}},
    .make = make_majorbasis};
