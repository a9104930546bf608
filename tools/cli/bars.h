/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a page: horizontal bars, and an error on a line, as SVG. */
#ifndef TOOLS_BARS_H
#define TOOLS_BARS_H

#include <stdio.h>

typedef struct bar {
    const char *label;
    double value;
    const double *samples; /* ascending: a dot each; NULL: none */
    int nsamples;
    char text[64]; /* beside the bar */
} bar;

/** Bars from 0 on one scale; `title` is for those who cannot see them. */
void bars_draw(FILE *stream, const char *title, const bar *bars, int count);

/** A percentage beside 0, give or take `margin` (NaN: not known). */
void bars_draw_error(FILE *stream, const char *title, double percent,
                     double margin);

#endif
