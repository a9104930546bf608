/* SPDX-License-Identifier: BSD-3-Clause */
/* Wilson's hopping matrix of lattice QCD: on a periodic lattice in four
   dimensions, unknown 12 site + 3 spin + colour meets the colours of the same
   spin and of another one at the six neighbours in space, and of the same spin
   at one of the two neighbours in time (gamma_4 is diagonal).

   The structure of conf5_4-8x8-05, on 8 x 8 x 8 x 8 sites. */
#include "kind.h"

enum { AXES = 4, TIME = 3, COLOURS = 3, SPINS = 4, IN_SPACE = 36 };

/* The site one step from `site` along an axis. */
static int64_t step(const recipe *r, int64_t site, int axis, int64_t by)
{
    int64_t stride = 1;
    for (int a = 0; a < axis; a++)
        stride *= r->sizes[0];
    const int64_t n = r->sizes[axis == TIME];
    const int64_t x = site / stride % n;
    return site + ((x + n + by) % n - x) * stride;
}

/* The other spin that gamma_1, gamma_2 or gamma_3 couples to. */
static int64_t other_spin(int axis, int64_t spin)
{
    return axis < 2 ? SPINS - 1 - spin : (spin + 2) % SPINS;
}

static int64_t conf5_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t site = i / (SPINS * COLOURS);
    const int64_t spin = i / COLOURS % SPINS;
    const int64_t colour = k % COLOURS;
    const int axis = (int)(k / (4 * COLOURS));
    const bool is_other = k / COLOURS % 2 == 1 && axis != TIME;
    const bool is_back = axis == TIME ? spin < 2 : k / (2 * COLOURS) % 2 == 1;
    const int64_t there = step(r, site, axis, is_back ? -1 : 1);
    const int64_t spin_there = is_other ? other_spin(axis, spin) : spin;
    return (there * SPINS + spin_there) * COLOURS + colour;
}

static spgemm_status make_conf5(spgemm_csr *A, const recipe *r)
{
    int64_t nrows = rows_times(SPINS * COLOURS, r->sizes[1]);
    for (int axis = 0; axis < TIME; axis++)
        nrows = rows_times(nrows, r->sizes[0]);
    return make_places(A, r,
                       &(place_rule){.nrows = nrows,
                                     .ncols = nrows,
                                     .degree = IN_SPACE + COLOURS,
                                     .column = conf5_column});
}

const matrix_kind kind_conf5 = {
    .name = "conf5",
    .help = "[L T]: hopping of lattice QCD, L x L x L x T sites (default: 8 8)",
    .sizes = {{"L", 3, 390, 8}, {"T", 3, 6628035, 8}},
    .make = make_conf5};
