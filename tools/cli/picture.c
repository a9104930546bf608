/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells become characters, pixels, or a picture of one pixel a cell that SVG
   enlarges. */
#include "picture.h"

#include <math.h>
#include <stdlib.h>

#include "amount.h"
#include "markup.h"
#include "memory_file.h"
#include "png.h"

/* From no entry to the densest cell. */
static const char ramp[] = " .:-=+*#%@";

static void print_edge(FILE *stream, int width)
{
    fputc('+', stream);
    for (int j = 0; j < width; j++)
        fputc('-', stream);
    fputs("+\n", stream);
}

void picture_print(FILE *stream, const density *d)
{
    const double most = density_most(d);
    const int last = (int)sizeof ramp - 2;
    print_edge(stream, d->width);
    for (int i = 0; i < d->height; i++) {
        fputc('|', stream);
        for (int j = 0; j < d->width; j++)
            fputc(ramp[lrint(last * density_shade(d, most, i, j))], stream);
        fputs("|\n", stream);
    }
    print_edge(stream, d->width);
}

/* A picture has a pixel, though there be no row or no column. */
static int at_least_one(int n)
{
    return n > 0 ? n : 1;
}

/* `scale` by `scale` pixels a cell. */
static bool write_pixels(FILE *stream, const density *d, int scale)
{
    const double most = density_most(d);
    const int width = scale * at_least_one(d->width);
    const int height = scale * at_least_one(d->height);
    unsigned char *shades = calloc((size_t)width, (size_t)height);
    if (!shades)
        return false;
    for (int y = 0; y < scale * d->height; y++)
        for (int x = 0; x < scale * d->width; x++)
            shades[(size_t)y * (size_t)width + (size_t)x] =
                (unsigned char)lrint(
                    255 * density_shade(d, most, y / scale, x / scale));
    const bool is_well = png_write(stream, shades, width, height);
    free(shades);
    return is_well;
}

static int longer(const density *d)
{
    return d->width > d->height ? d->width : d->height;
}

bool picture_png(FILE *stream, const density *d, int size)
{
    const int cells = at_least_one(longer(d));
    return write_pixels(stream, d, size > cells ? size / cells : 1);
}

/* <image> of the pixels. */
static bool embed(FILE *stream, const density *d, double width, double height)
{
    memory_file m;
    if (!memory_file_open(&m))
        return false;
    bool is_well = write_pixels(m.stream, d, 1);
    is_well = memory_file_close(&m) && is_well;
    fprintf(stream,
            "<image x=\"1\" y=\"41\" width=\"%.1f\" height=\"%.1f\" "
            "preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
            "href=\"data:image/png;base64,",
            width, height);
    if (is_well)
        markup_base64(stream, (const unsigned char *)m.bytes, m.size);
    fputs("\"/>\n", stream);
    free(m.bytes);
    return is_well;
}

bool picture_svg(FILE *stream, const density *d, int size, const char *title)
{
    char counts[3][AMOUNT_BYTES];
    const double unit = longer(d) > 0 ? (double)size / longer(d) : 1;
    const double width = unit * d->width;
    const double height = unit * d->height;
    const double room = fmax(width, 320); /* of the words */
    fprintf(stream,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.1f "
            "%.1f\" width=\"%.0f\" height=\"%.0f\" font-family=\"sans-serif\" "
            "font-size=\"13\">\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"#fff\"/>\n<text x=\"1\" y=\"14\" font-weight=\"bold\">",
            room + 2, height + 42, room + 2, height + 42);
    markup_text(stream, title);
    fprintf(
        stream, "</text>\n<text x=\"1\" y=\"32\">%s x %s, %s entries</text>\n",
        amount_count(counts[0], d->nrows), amount_count(counts[1], d->ncols),
        amount_count(counts[2], (int64_t)llrint(d->nnz)));
    const bool is_well =
        d->width * d->height == 0 || embed(stream, d, width, height);
    fprintf(stream,
            "<rect x=\"0.5\" y=\"40.5\" width=\"%.1f\" height=\"%.1f\" "
            "fill=\"none\" stroke=\"#777\"/>\n</svg>\n",
            width + 1, height + 1);
    return is_well;
}
