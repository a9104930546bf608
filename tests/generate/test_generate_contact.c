/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hilbert.h"
#include "hollow_ball.h"
#include "kind.h"
#include "make_kind.h"

static int64_t square_distance(const int32_t *a, const int32_t *b)
{
    int64_t sum = 0;
    for (int axis = 0; axis < BALL_AXES; axis++)
        sum += ((int64_t)a[axis] - b[axis]) * ((int64_t)a[axis] - b[axis]);
    return sum;
}

static spgemm_csr make_contact(int64_t natoms, int64_t degree, int dofs)
{
    char text[64];
    snprintf(text, sizeof text, "contact %" PRId64 " %" PRId64 " --dofs %d",
             natoms, degree, dofs);
    return make_kind(text);
}

/* The same points, and all pairs of them. */
Test(generate_contact, has_the_pairs_within_reach_and_no_others)
{
    static const int64_t cases[][2] = {
        {1, 1}, {2, 2}, {300, 1}, {300, 7}, {300, 60}, {300, 299}, {900, 20}};
    for (int k = 0; k < 7; k++) {
        const int64_t n = cases[k][0];
        const int64_t reach = hollow_ball_reach(n, cases[k][1]);
        const recipe r = {0};
        ball_point *atoms = calloc((size_t)n, sizeof *atoms);
        cr_assert(atoms &&
                  hollow_ball_draw(atoms, n, stream_seed(&r, STREAM_POINTS)));
        spgemm_csr A = make_contact(n, cases[k][1], 1);
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++)
                cr_assert_eq(has_entry(&A, i, j),
                             square_distance(atoms[i], atoms[j]) <=
                                 reach * reach);
        spgemm_csr_destroy(&A);
        free(atoms);
    }
}

Test(generate_contact, has_about_as_many_contacts_as_asked_for)
{
    static const int64_t cases[][2] = {
        {2000, 2}, {2000, 40}, {2000, 500}, {2000, 1900}, {20000, 15}};
    for (int k = 0; k < 5; k++) {
        spgemm_csr A = make_contact(cases[k][0], cases[k][1], 1);
        const double degree = (double)A.nnz / (double)A.nrows;
        cr_expect(fabs(degree - (double)cases[k][1]) <
                      0.03 * (double)cases[k][1],
                  "%g neighbours for %" PRId64, degree, cases[k][1]);
        spgemm_csr_destroy(&A);
    }
}

Test(generate_contact, has_a_block_for_two_atoms)
{
    spgemm_csr A = make_contact(50, 6, 1);
    spgemm_csr B = make_contact(50, 6, 3);
    cr_expect(has_symmetric_places(&A));
    cr_assert_eq(B.nrows, 150);
    cr_expect_eq(B.nnz, 9 * A.nnz);
    for (int64_t i = 0; i < B.nrows; i++)
        for (int64_t j = 0; j < B.ncols; j++)
            cr_assert_eq(has_entry(&B, i, j), has_entry(&A, i / 3, j / 3));
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
}

Test(hollow_ball, has_its_points_between_two_spheres)
{
    enum { COUNT = 1000 };
    static ball_point points[COUNT];
    static const int32_t centre[] = {BALL_RADIUS, BALL_RADIUS, BALL_RADIUS};
    cr_assert(hollow_ball_draw(points, COUNT, 9));
    for (int k = 0; k < COUNT; k++) {
        const double distance =
            sqrt((double)square_distance(points[k], centre));
        cr_assert(distance >= BALL_HOLE && distance <= BALL_RADIUS);
    }
}

/* ---- Hilbert's curve ----------------------------------------------------- */

/* Points that follow one another are neighbours, and none is met twice. */
static void expect_curve(int naxes, int nbits)
{
    uint32_t last[3] = {0};
    const uint64_t count = (uint64_t)1 << (naxes * nbits);
    bool *is_met = calloc(count, sizeof *is_met);
    cr_assert_not_null(is_met);
    for (uint64_t d = 0; d < count; d++) {
        uint32_t point[3];
        int64_t distance = 0;
        uint64_t place = 0;
        hilbert_point(d, naxes, nbits, point);
        for (int axis = 0; axis < naxes; axis++) {
            cr_assert_lt(point[axis], 1u << nbits);
            distance += llabs((int64_t)point[axis] - last[axis]);
            place = place << nbits | point[axis];
            last[axis] = point[axis];
        }
        cr_assert_not(is_met[place]);
        cr_assert_eq(distance, d > 0);
        is_met[place] = true;
    }
    free(is_met);
}

Test(hilbert, steps_to_a_neighbour_each_time_and_meets_every_point)
{
    expect_curve(2, 1);
    expect_curve(2, 7);
    expect_curve(3, 1);
    expect_curve(3, 4);
}
