/* SPDX-License-Identifier: BSD-3-Clause */
/* The grid points (x, y, z) of a box, numbered (z n[1] + y) n[0] + x, or (x, y)
   of a plane, and their neighbours. */
#ifndef MATGEN_BOX_H
#define MATGEN_BOX_H

#include <stdbool.h>
#include <stdint.h>

/** The point (x + dx, y + dy) of a plane of n[0] by n[1] points; -1: outside. */
static inline int64_t plane_neighbour(const int64_t *n, int64_t point,
                                      int64_t dx, int64_t dy)
{
    const int64_t x = point % n[0] + dx;
    const int64_t y = point / n[0] + dy;
    const bool is_inside = x >= 0 && x < n[0] && y >= 0 && y < n[1];
    return is_inside ? y * n[0] + x : -1;
}

enum { BOX_NEIGHBOURS = 27 };

/** Neighbour k in 0..26 of a node, itself among them; -1: outside. */
static inline int64_t box_neighbour(const int64_t *n, int64_t node, int64_t k)
{
    const int64_t x = node % n[0] + k % 3 - 1;
    const int64_t y = node / n[0] % n[1] + k / 3 % 3 - 1;
    const int64_t z = node / n[0] / n[1] + k / 9 - 1;
    const bool is_inside =
        x >= 0 && x < n[0] && y >= 0 && y < n[1] && z >= 0 && z < n[2];
    return is_inside ? (z * n[1] + y) * n[0] + x : -1;
}

#endif
