/* SPDX-License-Identifier: BSD-3-Clause */
/* A palette, and one byte a pixel, deflated in one piece. ISO/IEC 15948:2004,
   clauses 5 and 11. */
#include "png.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { SHADES = 256, KIND_BYTES = 4 };

static void put_number(unsigned char bytes[4], uint32_t n)
{
    for (int k = 0; k < 4; k++)
        bytes[k] = (unsigned char)(n >> (24 - 8 * k));
}

static void put_chunk(FILE *stream, const char *kind, const void *bytes,
                      size_t size)
{
    unsigned char number[4];
    uLong checksum = crc32(0, (const Bytef *)kind, KIND_BYTES);
    checksum = crc32(checksum, bytes, (uInt)size);
    put_number(number, (uint32_t)size);
    fwrite(number, 1, sizeof number, stream);
    fwrite(kind, 1, KIND_BYTES, stream);
    fwrite(bytes, 1, size, stream);
    put_number(number, (uint32_t)checksum);
    fwrite(number, 1, sizeof number, stream);
}

/* From white over light to dark blue. */
static void put_palette(FILE *stream)
{
    static const int stops[3][3] = {
        {255, 255, 255}, {107, 174, 214}, {8, 48, 107}};
    unsigned char colours[3 * SHADES];
    for (int s = 0; s < SHADES; s++) {
        const int half = s >= SHADES / 2;
        const int part = s - half * SHADES / 2;
        for (int c = 0; c < 3; c++)
            colours[3 * s + c] =
                (unsigned char)(stops[half][c] +
                                (stops[half + 1][c] - stops[half][c]) * part /
                                    (SHADES / 2 - 1));
    }
    put_chunk(stream, "PLTE", colours, sizeof colours);
}

/* Each row after the number of its filter: none. */
static unsigned char *filter_rows(const unsigned char *shades, int width,
                                  int height)
{
    const size_t length = (size_t)width + 1;
    unsigned char *rows = calloc((size_t)height, length);
    for (int i = 0; rows && i < height; i++)
        memcpy(rows + (size_t)i * length + 1,
               shades + (size_t)i * (size_t)width, (size_t)width);
    return rows;
}

bool png_write(FILE *stream, const unsigned char *shades, int width, int height)
{
    unsigned char head[13] = {[8] = 8, [9] = 3}; /* bits; palette */
    const uLong all = ((uLong)width + 1) * (uLong)height;
    uLong size = compressBound(all);
    unsigned char *rows = filter_rows(shades, width, height);
    unsigned char *packed = malloc(size);
    const bool is_well =
        rows && packed &&
        compress2(packed, &size, rows, all, Z_BEST_COMPRESSION) == Z_OK;
    if (is_well) {
        fputs("\x89PNG\r\n\x1a\n", stream);
        put_number(head, (uint32_t)width);
        put_number(head + 4, (uint32_t)height);
        put_chunk(stream, "IHDR", head, sizeof head);
        put_palette(stream);
        put_chunk(stream, "IDAT", packed, size);
        put_chunk(stream, "IEND", "", 0);
    }
    free(packed);
    free(rows);
    return is_well;
}
