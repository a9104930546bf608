/* SPDX-License-Identifier: BSD-3-Clause */
/* A density as text for a terminal, as PNG, and as SVG. */
#ifndef TOOLS_PICTURE_H
#define TOOLS_PICTURE_H

#include <stdbool.h>
#include <stdio.h>

#include "density.h"

/** Lines of characters in a frame. */
void picture_print(FILE *stream, const density *d);

/** Each cell a square of as many pixels as make the longer side `size`, about.
    false: no memory. */
bool picture_png(FILE *stream, const density *d, int size);

/** A picture of `size` units in a frame, and what it is. false: no memory. */
bool picture_svg(FILE *stream, const density *d, int size, const char *title);

#endif
