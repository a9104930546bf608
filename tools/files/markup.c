/* SPDX-License-Identifier: BSD-3-Clause */
/* Text and pictures inside SVG and HTML. */
#include "markup.h"

#include "plain.h"

void markup_text(FILE *stream, const char *text)
{
    char plain[PLAIN_BYTES];
    for (const char *c = plain_text(plain, sizeof plain, text); *c; c++)
        switch (*c) {
        case '<':
            fputs("&lt;", stream);
            break;
        case '>':
            fputs("&gt;", stream);
            break;
        case '&':
            fputs("&amp;", stream);
            break;
        case '"':
            fputs("&quot;", stream);
            break;
        default:
            fputc(*c, stream);
        }
}

void markup_base64(FILE *stream, const unsigned char *bytes, size_t size)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t at = 0; at < size; at += 3) {
        unsigned triple = 0;
        for (size_t k = 0; k < 3; k++)
            triple = triple << 8 | (at + k < size ? bytes[at + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            fputc(at + k > size ? '=' : digits[triple >> (18 - 6 * k) & 63],
                  stream);
    }
}
