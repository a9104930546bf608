/* SPDX-License-Identifier: BSD-3-Clause */
/* Random points of a ball less the ball of three quarters its radius about the
   same centre: a body with as much surface as a protein has. */
#ifndef MATGEN_HOLLOW_BALL_H
#define MATGEN_HOLLOW_BALL_H

#include <stdbool.h>
#include <stdint.h>

/* The ball fills a cube of 2^20 grid points a side. */
enum {
    BALL_AXES = 3,
    BALL_BITS = 20,
    BALL_SIDE = 1 << BALL_BITS,
    BALL_RADIUS = BALL_SIDE / 2,
    BALL_HOLE = BALL_RADIUS / 4 * 3
};

typedef int32_t ball_point[BALL_AXES];

/** Points along Hilbert's curve; false: out of memory. */
bool hollow_ball_draw(ball_point *points, int64_t npoints, uint64_t seed);

/** The distance within which a point expects `degree` points, itself among
    them; the ball's diameter if there are not as many. */
int64_t hollow_ball_reach(int64_t npoints, int64_t degree);

#endif
