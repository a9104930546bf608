/* SPDX-License-Identifier: BSD-3-Clause */
/* Words stand in the picture: it needs no script and no style beside it. */
#include "bars.h"

#include <math.h>

#include "amount.h"
#include "markup.h"

/* Units of the picture, which the page scales. */
enum {
    WIDTH = 720,
    BEGIN = 190, /* of the bars; labels are left of it */
    LENGTH = 400,
    ROW = 34,
    THICK = 18,
    AXIS_ROOM = 28
};

static void begin(FILE *stream, const char *title, int height)
{
    fprintf(stream, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
            WIDTH, height);
    markup_text(stream, title);
    fputs("\">\n", stream);
}

static void put_words(FILE *stream, double x, double y, const char *anchor,
                      const char *words)
{
    fprintf(stream, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y,
            anchor);
    markup_text(stream, words);
    fputs("</text>\n", stream);
}

static void put_line(FILE *stream, double x1, double x2, double y1, double y2)
{
    fprintf(stream, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\"/>\n",
            x1, x2, y1, y2);
}

/* What a bar or its last sample reaches. */
static double reach(const bar *b)
{
    return b->nsamples > 0 ? fmax(b->value, b->samples[b->nsamples - 1])
                           : b->value;
}

static void draw_bar(FILE *stream, const bar *b, double top, double unit)
{
    const double middle = top + ROW / 2.0;
    put_words(stream, BEGIN - 10, middle + 5, "end", b->label);
    fprintf(stream,
            "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%d\"/>\n", BEGIN,
            middle - THICK / 2.0, unit * b->value, THICK);
    if (b->nsamples > 0)
        put_line(stream, BEGIN + unit * b->samples[0],
                 BEGIN + unit * b->samples[b->nsamples - 1], middle, middle);
    for (int k = 0; k < b->nsamples; k++)
        fprintf(stream, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
                BEGIN + unit * b->samples[k], middle);
    put_words(stream, BEGIN + unit * reach(b) + 10, middle + 5, "start",
              b->text);
}

void bars_draw(FILE *stream, const char *title, const bar *bars, int count)
{
    double most = 0;
    for (int k = 0; k < count; k++)
        most = fmax(most, reach(&bars[k]));
    begin(stream, title, ROW * count);
    for (int k = 0; k < count; k++)
        draw_bar(stream, &bars[k], (double)ROW * k,
                 most > 0 ? LENGTH / most : 0);
    fputs("</svg>\n", stream);
}

void bars_draw_error(FILE *stream, const char *title, double percent,
                     double margin)
{
    const double zero = BEGIN + LENGTH / 2.0;
    const double most =
        fmax(1e-3, fabs(percent) + (isnan(margin) ? 0 : margin));
    const double unit = 0.45 * LENGTH / most;
    const double x = zero + unit * percent;
    char text[AMOUNT_BYTES];
    char words[AMOUNT_BYTES + 2];
    snprintf(words, sizeof words, "%s %%", amount_percent(text, percent));
    begin(stream, title, 2 * ROW + AXIS_ROOM);
    put_words(stream, BEGIN - 10, ROW + 5, "end", "predicted");
    put_line(stream, BEGIN, BEGIN + LENGTH, ROW, ROW);
    put_line(stream, zero, zero, 6, 2 * ROW);
    if (!isnan(margin))
        fprintf(stream,
                "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>\n",
                x - unit * margin, ROW - THICK / 2, 2 * unit * margin, THICK);
    fprintf(stream, "<circle cx=\"%.1f\" cy=\"%d\" r=\"5\"/>\n", x, ROW);
    put_words(stream, zero, 2 * ROW + 20, "middle", "0 %: what was found");
    put_words(stream, BEGIN + LENGTH + 10, ROW + 5, "start", words);
    fputs("</svg>\n", stream);
}
