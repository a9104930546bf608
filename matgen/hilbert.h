/* SPDX-License-Identifier: BSD-3-Clause */
/* The point with number d on Hilbert's curve through a grid of 2^(bits axes)
   points.

   J. Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707,
   2004, doi:10.1063/1.1751381. */
#ifndef MATGEN_HILBERT_H
#define MATGEN_HILBERT_H

#include <stdint.h>

static inline void hilbert_point(uint64_t d, int naxes, int nbits,
                                 uint32_t *point)
{
    for (int axis = 0; axis < naxes; axis++)
        point[axis] = 0;
    for (int bit = 0; bit < naxes * nbits; bit++)
        point[naxes - 1 - bit % naxes] |= (uint32_t)(d >> bit & 1)
                                          << (bit / naxes);
    const uint32_t gray = point[naxes - 1] >> 1;
    for (int axis = naxes - 1; axis > 0; axis--)
        point[axis] ^= point[axis - 1];
    point[0] ^= gray;
    for (uint32_t bit = 2; bit != (uint32_t)1 << nbits; bit *= 2) {
        const uint32_t low = bit - 1;
        for (int axis = naxes - 1; axis >= 0; axis--) {
            const uint32_t swap = (point[0] ^ point[axis]) & low;
            if (point[axis] & bit) {
                point[0] ^= low;
            } else {
                point[0] ^= swap;
                point[axis] ^= swap;
            }
        }
    }
}

#endif
