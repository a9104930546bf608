/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm compare: three ways to multiply, their time and their memory. */
#include <stdio.h>
#include <stdlib.h>

#include "amount.h"
#include "commands.h"
#include "comparison.h"
#include "comparison_page.h"
#include "json.h"
#include "message.h"
#include "product.h"
#include "progress.h"
#include "report.h"
#include "result.h"
#include "status.h"

static void print_variant(json *j, const comparison *c, const variant *v)
{
    const spgemm_report *r = &v->report;
    const double median = comparison_median(c, v->seconds);
    json_begin_object(j, NULL);
    json_text(j, "name", v->name);
    json_begin_array(j, "seconds");
    for (int t = 0; t < c->nrepetitions; t++)
        json_number(j, NULL, v->seconds[t]);
    json_end_array(j);
    json_number(j, "seconds_min", v->seconds[0]);
    json_number(j, "seconds_median", median);
    json_number(j, "seconds_max", v->seconds[c->nrepetitions - 1]);
    json_number(j, "times_median", comparison_median(c, v->ratios));
    json_number(j, "predict_seconds", r->predict_seconds);
    json_number(j, "gflops", report_gflops(r, median));
    json_integer(j, "nnz_predicted", r->nnz_predicted);
    json_number(j, "relative_error_percent", report_error_percent(r));
    json_integer(j, "allocated_bytes", (int64_t)r->allocated_bytes);
    json_integer(j, "peak_bytes", (int64_t)r->peak_bytes);
    json_integer(j, "overflow_rows", r->overflow_rows);
    json_bits(j, "checksum", v->checksum);
    json_end_object(j);
}

static void print_json(const product *p, const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    json j;
    json_open(&j, stdout);
    product_print_json(&j, p);
    json_integer(&j, "products", r->products);
    json_integer(&j, "nnz_c", r->nnz);
    json_number(&j, "compression", report_compression(r));
    json_integer(&j, "c_bytes", (int64_t)r->c_bytes);
    json_integer(&j, "upper_bound_bytes", (int64_t)r->upper_bound_bytes);
    json_integer(&j, "threads", r->nthreads);
    json_text(&j, "isa", r->isa);
    json_text(&j, "memory", r->memory);
    json_integer(&j, "repetitions", c->nrepetitions);
    json_begin_array(&j, "variants");
    for (int k = 0; k < VARIANT_COUNT; k++)
        print_variant(&j, c, &c->variants[k]);
    json_end_array(&j);
    json_boolean(&j, "identical", c->is_identical);
    json_close(&j);
}

static void print_words(const product *p, const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    char text[3][AMOUNT_BYTES];
    char memory[REPORT_MEMORY_BYTES];
    printf("C: %lld x %lld, %s entries, %s, bound %s\n", (long long)p->nrows,
           (long long)p->ncols, amount_count(text[0], r->nnz),
           amount_bytes(text[1], (double)r->c_bytes),
           amount_bytes(text[2], (double)r->upper_bound_bytes));
    printf("products %s, compression %.2f; %s, %s, %s\n\n",
           amount_count(text[0], r->products), report_compression(r),
           amount_threads(text[1], r->nthreads), r->isa,
           report_memory(memory, r));
    comparison_print(c);
}

static int compare(const product *p, comparison *c, const arguments *args)
{
    const char *page = arguments_text(args, "report", NULL);
    progress_begin("comparing");
    const spgemm_status done = comparison_run(
        c, p->A, p->B, &p->options,
        (int)arguments_integer(args, "repeat", COMPARISON_REPEAT));
    progress_end();
    if (done < 0)
        return product_failure("compare", done);
    const int written =
        page ? comparison_page_write(page, c, p, args) : TOOL_OK;
    if (written != TOOL_OK)
        return written;
    if (arguments_has(args, "json"))
        print_json(p, c);
    else
        print_words(p, c);
    return c->is_identical
               ? TOOL_OK
               : message(TOOL_DIFFERENT, "the variants do not agree");
}

int cmd_compare(const arguments *args)
{
    product p;
    const char *page = arguments_text(args, "report", NULL);
    if (page && !result_ends(page, "html"))
        return message(TOOL_USAGE, "compare: %s: a report ends in .html", page);
    if (page && result_check_read(page, args) != TOOL_OK)
        return TOOL_USAGE;
    comparison *c = calloc(1, sizeof *c);
    if (!c)
        return message(TOOL_FAILURE, "out of memory");
    int status = product_read(&p, args);
    if (status == TOOL_OK)
        status = compare(&p, c, args);
    product_clear(&p);
    free(c);
    return status;
}
