/* SPDX-License-Identifier: BSD-3-Clause */
/* Delaunay's triangulation of points in the plane. */
#ifndef MATGEN_TRIANGULATE_H
#define MATGEN_TRIANGULATE_H

#include "spgemm/spgemm.h"

/* Coordinates are below 2^30, so that every predicate is exact. */
enum { PLANE_BITS = 30, PLANE_POINTS = 1 << 28 };

typedef struct plane_point {
    int32_t x;
    int32_t y;
} plane_point;

/* Corners in counterclockwise order, and the triangle across from each. Beyond
   each edge of the hull is a triangle whose third corner is the ghost, number
   npoints: all together close to a sphere. */
typedef struct triangle {
    int32_t corner[3];
    int32_t across[3];
} triangle;

typedef struct triangulation {
    int64_t npoints;
    int64_t ntriangles; /* 2 npoints - 2, ghosts among them */
    triangle *triangles;
} triangulation;

/** Triangulate 3 points or more, all different, in this order: points that
    follow one another should be near one another. No point is inside the
    circle of a triangle.
    INVALID: all points are on one line. OUT_OF_MEMORY. */
spgemm_status triangulate(triangulation *T, const plane_point *points,
                          int64_t npoints);

/** Accepts a zeroed struct. */
void triangulation_destroy(triangulation *T);

#endif
