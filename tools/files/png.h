/* SPDX-License-Identifier: BSD-3-Clause */
/* PNG pictures of shades. */
#ifndef TOOLS_PNG_H
#define TOOLS_PNG_H

#include <stdbool.h>
#include <stdio.h>

/** Write width * height shades, 0 white to 255 dark blue, row by row. false: no
    memory. */
bool png_write(FILE *stream, const unsigned char *shades, int width,
               int height);

#endif
