/* SPDX-License-Identifier: BSD-3-Clause */
/* Each figure with the sentence that says how to read it, and all numbers once
   more as a table. */
#include "comparison_page.h"

#include <math.h>
#include <stdlib.h>

#include "amount.h"
#include "bars.h"
#include "markup.h"
#include "memory_file.h"
#include "message.h"
#include "report.h"
#include "status.h"
#include "target.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<link rel=\"icon\" href=\"data:,\">\n<style>\n"
    "body{font:16px/1.5 sans-serif;color:#222;background:#fff;"
    "max-width:960px;margin:0 auto;padding:16px;overflow-wrap:anywhere}\n"
    "h1{font-size:1.5em}h2{font-size:1.15em;margin:1.6em 0 .3em}\n"
    "figure{margin:0}figcaption{color:#555}\n"
    "svg{display:block;width:100%;font:14px sans-serif}\n"
    "rect{fill:#6baed6}circle{fill:#08306b}line{stroke:#08306b}\n"
    "table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n"
    "th,td{padding:.2em .7em;text-align:right;border-bottom:1px solid #ddd}\n"
    "th:first-child,td:first-child{text-align:left}\n"
    "</style>\n";

/* The options that were given, as they were. */
static void put_options(FILE *stream, const arguments *args)
{
    const option *o;
    for (int k = 0; (o = command_option(args->command, k)) != NULL; k++) {
        if (!args->texts[k] || o->kind == OPTION_OUTPUT)
            continue;
        fprintf(stream, " --%s%s", o->name, *args->texts[k] ? " " : "");
        markup_text(stream, args->texts[k]);
    }
}

static void put_title(FILE *stream, const comparison *c, const product *p,
                      const arguments *args)
{
    const spgemm_report *r = &c->variants[0].report;
    char memory[REPORT_MEMORY_BYTES];
    char text[4][AMOUNT_BYTES];
    fputs("<title>spgemm compare ", stream);
    markup_text(stream, p->a.name);
    fputs("</title>\n</head>\n<body>\n<h1>Three ways to compute one "
          "product</h1>\n"
          "<p><code>spgemm compare",
          stream);
    for (int k = 0; k < args->noperands; k++) {
        fputc(' ', stream);
        markup_text(stream, args->operands[k]);
    }
    put_options(stream, args);
    fprintf(stream,
            "</code></p>\n<p>A has %s x %s places and %s entries. C has %s x ",
            amount_count(text[0], p->A->nrows),
            amount_count(text[1], p->A->ncols),
            amount_count(text[2], p->A->nnz), amount_count(text[3], p->nrows));
    fprintf(stream, "%s places and %s entries, from %s products: %.2f each. ",
            amount_count(text[0], p->ncols), amount_count(text[1], r->nnz),
            amount_count(text[2], r->products), report_compression(r));
    fprintf(stream, "%s, %s, %s, spgemm %s.</p>\n",
            amount_threads(text[0], r->nthreads), r->isa,
            report_memory(memory, r), spgemm_version());
}

static void begin_figure(FILE *stream, const char *name)
{
    fprintf(stream, "<h2>%s</h2>\n<figure>\n", name);
}

static void end_figure(FILE *stream, const char *caption)
{
    fprintf(stream, "<figcaption>%s</figcaption>\n</figure>\n", caption);
}

static void put_times(FILE *stream, const comparison *c)
{
    bar bars[VARIANT_COUNT];
    char text[COMPARISON_WORDS_BYTES];
    begin_figure(stream, "Time");
    for (int k = 0; k < VARIANT_COUNT; k++) {
        const variant *v = &c->variants[k];
        bars[k] = (bar){.label = v->name,
                        .value = comparison_median(c, v->seconds),
                        .samples = v->seconds,
                        .nsamples = c->nrepetitions};
        amount_seconds(bars[k].text, bars[k].value);
    }
    bars_draw(stream, "Time of each way", bars, VARIANT_COUNT);
    end_figure(stream, "A bar is the median of the repetitions, a dot is one "
                       "of them. The ways took turns.");
    for (int k = 1; k < VARIANT_COUNT; k++)
        fprintf(stream, "<p>predicted is %s.</p>\n",
                comparison_words(text, c, &c->variants[k]));
}

static void put_memory(FILE *stream, const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    bar bars[VARIANT_COUNT + 2] = {
        {.label = "C", .value = (double)r->c_bytes},
        [VARIANT_COUNT + 1] = {.label = "bound of C",
                               .value = (double)r->upper_bound_bytes}};
    begin_figure(stream, "Memory");
    for (int k = 0; k < VARIANT_COUNT; k++)
        bars[k + 1] = (bar){.label = c->variants[k].name,
                            .value = (double)c->variants[k].report.peak_bytes};
    for (int k = 0; k < VARIANT_COUNT + 2; k++)
        amount_bytes(bars[k].text, bars[k].value);
    bars_draw(stream, "Memory of each way", bars, VARIANT_COUNT + 2);
    end_figure(stream,
               "The most that each way held at one time, C included, A and B "
               "not; beside it C alone, and what C's arrays take if each row "
               "gets as many entries as it has products, or columns.");
}

static void put_error(FILE *stream, const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    const double error = report_error_percent(r);
    const double margin =
        r->nnz > 0 ? 196 * r->nnz_standard_error / (double)r->nnz : NAN;
    char text[2][AMOUNT_BYTES];
    begin_figure(stream, "Prediction");
    bars_draw_error(stream, "Error of the prediction, in per cent",
                    isnan(error) ? 0 : error, margin);
    end_figure(stream, isnan(margin)
                           ? "Entries of C as they were predicted. How far off "
                             "that may be was not known."
                           : "Entries of C as they were predicted, in per cent "
                             "of those found; the bar is where the prediction "
                             "says the truth is, with 95 %.");
    fprintf(stream, "<p>%s entries were predicted, %s were found.</p>\n",
            amount_count(text[0], r->nnz_predicted),
            amount_count(text[1], r->nnz));
}

static void put_accumulators(FILE *stream, const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    bar bars[SPGEMM_ACCUMULATOR_COUNT];
    int used = 0;
    begin_figure(stream, "Rows by accumulator");
    for (int k = 0; k < SPGEMM_ACCUMULATOR_COUNT; k++) {
        const int64_t rows = r->rows_by_accumulator[k];
        if (rows == 0)
            continue;
        bars[used] =
            (bar){.label = spgemm_accumulator_name((spgemm_accumulator)k),
                  .value = (double)rows};
        amount_count(bars[used++].text, rows);
    }
    bars_draw(stream, "Rows of C by accumulator", bars, used);
    end_figure(stream, "How the products of each row of C were summed. Parts "
                       "of giant rows count each.");
}

static void put_table(FILE *stream, const comparison *c)
{
    table t;
    comparison_fill(&t, c);
    fputs("<h2>Numbers</h2>\n<table>\n", stream);
    for (int row = 0; row < t.nrows; row++) {
        fputs("<tr>", stream);
        for (int k = 0; k < t.ncols; k++)
            fprintf(stream, "%s%s", row == 0 ? "<th>" : "<td>",
                    t.cells[row][k]);
        fputs("</tr>\n", stream);
    }
    fprintf(stream, "</table>\n<p>C is %s in all variants.</p>\n",
            c->is_identical ? "the same, bit for bit," : "NOT the same");
}

int comparison_page_write(const char *path, const comparison *c,
                          const product *p, const arguments *args)
{
    memory_file m;
    if (!memory_file_open(&m))
        return message(TOOL_FAILURE, "out of memory");
    FILE *stream = m.stream;
    fputs(head, stream);
    put_title(stream, c, p, args);
    put_times(stream, c);
    put_memory(stream, c);
    put_error(stream, c);
    put_accumulators(stream, c);
    put_table(stream, c);
    fputs("</body>\n</html>\n", stream);
    const int status = memory_file_close(&m)
                           ? target_write_file(path, m.bytes, m.size)
                           : message(TOOL_FAILURE, "out of memory");
    free(m.bytes);
    return status;
}
