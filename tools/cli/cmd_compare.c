/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm compare: three ways to multiply, their time and their memory. */
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "comparison.h"
#include "input.h"
#include "json.h"
#include "message.h"
#include "progress.h"
#include "report.h"
#include "status.h"
#include "table.h"

static void print_variant(json *j, const comparison *c, const variant *v)
{
    const spgemm_report *r = &v->report;
    const double median = variant_median_seconds(c, v);
    json_begin_object(j, NULL);
    json_text(j, "name", v->name);
    json_number(j, "seconds_min", v->seconds[0]);
    json_number(j, "seconds_median", median);
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

static void print_json(const input_pair *pair, const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    json j;
    json_open(&j, stdout);
    json_integer(&j, "rows", pair->A->nrows);
    json_integer(&j, "cols", pair->B->ncols);
    json_integer(&j, "nnz_a", pair->A->nnz);
    json_integer(&j, "nnz_b", pair->B->nnz);
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

static void print_words(const input_pair *pair, const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    table t = {0};
    comparison_head(&t, "variant");
    for (int k = 0; k < VARIANT_COUNT; k++) {
        table_begin_row(&t);
        table_cell(&t, "%s", c->variants[k].name);
        comparison_cells(&t, c, &c->variants[k]);
    }
    printf("A: %lld x %lld, %lld entries; C: %lld entries, %.1f MB\n",
           (long long)pair->A->nrows, (long long)pair->A->ncols,
           (long long)pair->A->nnz, (long long)r->nnz,
           1e-6 * (double)r->c_bytes);
    printf("products %lld, compression %.2f; %d threads, %s, %s\n\n",
           (long long)r->products, report_compression(r), r->nthreads, r->isa,
           r->memory);
    table_print(&t, stdout);
    printf("\nC is %s in all variants\n",
           c->is_identical ? "the same, bit for bit," : "NOT the same");
}

int cmd_compare(const arguments *args)
{
    input_pair pair;
    comparison *c = calloc(1, sizeof *c);
    if (!c)
        return message(TOOL_FAILURE, "out of memory");
    int status = input_read_pair(&pair, args);
    if (status == TOOL_OK) {
        progress_begin("comparing");
        const spgemm_status done = comparison_run(
            c, pair.A, pair.B,
            (int)arguments_integer(args, "repeat", COMPARISON_REPEAT),
            (int)arguments_integer(args, "threads", 0));
        progress_end();
        if (done < 0)
            status = message_failure("compare", done);
        else if (arguments_has(args, "json"))
            print_json(&pair, c);
        else
            print_words(&pair, c);
    }
    if (status == TOOL_OK && !c->is_identical)
        status = message(TOOL_DIFFERENT, "the variants do not agree");
    input_clear_pair(&pair);
    free(c);
    return status;
}
