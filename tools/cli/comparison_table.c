/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison for people: a table of 80 columns, and its ratios in words. */
#include <stdio.h>

#include "amount.h"
#include "comparison.h"
#include "report.h"

static void add_row(table *t, const comparison *c, const variant *v)
{
    char text[AMOUNT_BYTES];
    const spgemm_report *r = &v->report;
    const double median = comparison_median(c, v->seconds);
    table_begin_row(t);
    table_cell(t, "%s", v->name);
    table_cell(t, "%s", amount_seconds(text, median));
    table_cell(t, "%s", amount_seconds(text, v->seconds[0]));
    table_cell(t, "%s", amount_seconds(text, v->seconds[c->nrepetitions - 1]));
    table_cell(t, "%.2f", report_gflops(r, median));
    table_cell(t, "%s", amount_percent(text, report_error_percent(r)));
    table_cell(t, "%s", amount_bytes(text, (double)r->allocated_bytes));
    table_cell(t, "%s", amount_bytes(text, (double)r->peak_bytes));
}

char *comparison_words(char text[COMPARISON_WORDS_BYTES], const comparison *c,
                       const variant *v)
{
    const int last = c->nrepetitions - 1;
    const int length =
        snprintf(text, COMPARISON_WORDS_BYTES, "%.2f times as fast as %s",
                 comparison_median(c, v->ratios), v->name);
    if (last > 0)
        snprintf(text + length, COMPARISON_WORDS_BYTES - (size_t)length,
                 " (%.2f to %.2f)", v->ratios[0], v->ratios[last]);
    return text;
}

void comparison_fill(table *t, const comparison *c)
{
    static const char *const heads[] = {"variant",   "median", "least",
                                        "most",      "GFLOPS", "error %",
                                        "allocated", "peak"};
    *t = (table){0};
    table_begin_row(t);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        table_cell(t, "%s", heads[k]);
    for (int k = 0; k < VARIANT_COUNT; k++)
        add_row(t, c, &c->variants[k]);
}

void comparison_print(const comparison *c)
{
    char text[COMPARISON_WORDS_BYTES];
    table t;
    comparison_fill(&t, c);
    table_print(&t, stdout);
    puts("");
    for (int k = 1; k < VARIANT_COUNT; k++)
        printf("%s%s%s", k == 1 ? "predicted is " : ",\nand ",
               comparison_words(text, c, &c->variants[k]),
               k + 1 == VARIANT_COUNT ? "\n" : "");
    printf("C is %s in all variants\n",
           c->is_identical ? "the same, bit for bit," : "NOT the same");
}
