/* SPDX-License-Identifier: BSD-3-Clause */
/* P(|x - y| < r) for x, y uniform in a body B is the integral over d < r of
   3 d^2 |B meets B + d| / |B|^2, volumes in units of the unit ball's. */
#include "hollow_ball.h"

#include "hilbert.h"
#include "kind.h"

static bool is_inside(const uint32_t *point)
{
    int64_t square = 0;
    for (int axis = 0; axis < BALL_AXES; axis++) {
        const int64_t x = (int64_t)point[axis] - BALL_RADIUS;
        square += x * x;
    }
    return square <= (int64_t)BALL_RADIUS * BALL_RADIUS &&
           square >= (int64_t)BALL_HOLE * BALL_HOLE;
}

/* Point by point, the first of its random places that is inside. */
bool hollow_ball_draw(ball_point *points, int64_t npoints, uint64_t seed)
{
    uint32_t point[BALL_AXES];
    uint64_t *numbers = malloc((size_t)npoints * sizeof *numbers);
    if (!numbers)
        return false;
    for (int64_t i = 0; i < npoints; i++) {
        const uint64_t own = rng_bits(seed, (uint64_t)i);
        uint64_t k = 0;
        do {
            numbers[i] = rng_bits(own, k++) >> (64 - BALL_AXES * BALL_BITS);
            hilbert_point(numbers[i], BALL_AXES, BALL_BITS, point);
        } while (!is_inside(point));
    }
    sort_keys(numbers, npoints);
    for (int64_t i = 0; i < npoints; i++) {
        hilbert_point(numbers[i], BALL_AXES, BALL_BITS, point);
        for (int axis = 0; axis < BALL_AXES; axis++)
            points[i][axis] = (int32_t)point[axis];
    }
    free(numbers);
    return true;
}

/* The volume that balls of radius a >= b have in common at distance d. */
static double common_volume(double a, double b, double d)
{
    const double depth = a + b - d;
    if (d <= a - b)
        return b * b * b;
    if (depth <= 0)
        return 0;
    return depth * depth * (d * d + 2 * d * (a + b) - 3 * (a - b) * (a - b)) /
           (16 * d);
}

int64_t hollow_ball_reach(int64_t npoints, int64_t degree)
{
    const double h = (double)BALL_HOLE / BALL_RADIUS;
    const double volume = 1 - h * h * h;
    double expected = 1;
    int64_t reach = 0;
    while (reach < BALL_SIDE && expected < (double)degree) {
        const double d = ((double)reach + 0.5) / BALL_RADIUS;
        const double common = common_volume(1, 1, d) -
                              2 * common_volume(1, h, d) +
                              common_volume(h, h, d);
        expected += (double)(npoints - 1) * 3 * d * d * common /
                    (volume * volume * BALL_RADIUS);
        reach++;
    }
    return reach;
}
