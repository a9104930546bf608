/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm multiply: C = A*B, and what it took. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "amount.h"
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "message.h"
#include "parameters.h"
#include "place.h"
#include "product.h"
#include "progress.h"
#include "report.h"
#include "result.h"
#include "status.h"
#include "stream_product.h"

/* What this process has in memory before a product: with the product's own peak
   it makes the process's, so that the report can be held against the system's
   count. 0: not known. */
static int64_t resident_bytes(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file)
        return 0;
    int64_t pages = 0;
    const int fields = fscanf(file, "%*d %" SCNd64, &pages);
    fclose(file);
    return fields == 1 ? pages * (int64_t)sysconf(_SC_PAGESIZE) : 0;
}

static void print_json(const product *p, int64_t before_bytes,
                       const spgemm_report *report)
{
    json j;
    json_open(&j, stdout);
    product_print_json(&j, p);
    json_integer(&j, "input_bytes", product_input_bytes(p));
    /* Of the process, A and B included: with peak_bytes, the process's peak. */
    json_integer(&j, "resident_before_bytes", before_bytes);
    report_print_json(&j, report);
    json_close(&j);
}

/* What C was allocated for: a bound is no prediction, and has no error. */
static void print_entries(FILE *stream, const spgemm_report *r)
{
    char text[3][AMOUNT_BYTES];
    amount_count(text[0], r->nnz_predicted);
    amount_count(text[1], r->nnz);
    if (r->predictor == SPGEMM_PREDICTOR_UPPER_BOUND)
        fprintf(stream, "room       for %s entries (upper bound), found %s\n",
                text[0], text[1]);
    else
        fprintf(stream, "predicted  %s entries, found %s (%s %%)\n", text[0],
                text[1], amount_percent(text[2], report_error_percent(r)));
}

static void print_words(FILE *stream, const spgemm_report *r)
{
    char text[3][AMOUNT_BYTES];
    char memory[REPORT_MEMORY_BYTES];
    fprintf(stream, "products   %s, compression %.2f\n",
            amount_count(text[0], r->products), report_compression(r));
    print_entries(stream, r);
    fprintf(stream, "memory     C %s, peak %s, upper bound %s (%s)\n",
            amount_bytes(text[0], (double)r->c_bytes),
            amount_bytes(text[1], (double)r->peak_bytes),
            amount_bytes(text[2], (double)r->upper_bound_bytes),
            report_memory(memory, r));
    fprintf(stream, "time       %s, %.2f GFLOPS with %s (%s)\n",
            amount_seconds(text[0], r->total_seconds),
            report_gflops(r, r->total_seconds),
            amount_threads(text[1], r->nthreads), r->isa);
}

typedef struct job {
    product product;
    spgemm_report report;
    const char *output; /* NULL: none is wanted */
} job;

/* Of a C whose size is known: counted, or predicted. */
static int refuse_size(const job *j, const char *limit)
{
    const spgemm_report *r = &j->report;
    const double error = r->nnz_standard_error;
    char text[3][AMOUNT_BYTES];
    amount_count(text[0], r->nnz_predicted);
    amount_bytes(text[1], product_bytes(&j->product, (double)r->nnz_predicted));
    if (error == 0)
        return message(TOOL_LIMIT,
                       "multiply: C does not fit %s: C has %s entries and "
                       "takes %s, and more while it is computed",
                       limit, text[0], text[1]);
    amount_bytes(text[2],
                 1.96 * error * (double)input_entry_bytes(j->product.A));
    return message(TOOL_LIMIT,
                   "multiply: C does not fit %s: %s entries are predicted, "
                   "%s%s%s",
                   limit, text[0], text[1],
                   isfinite(error) ? ", give or take " : "",
                   isfinite(error) ? text[2] : "");
}

static int refuse(const job *j, bool is_streamed)
{
    const spgemm_report *r = &j->report;
    char text[2][AMOUNT_BYTES];
    amount_bytes(text[0],
                 (double)j->product.options.resources.memory_limit_bytes);
    if (is_streamed)
        return message(TOOL_LIMIT,
                       "multiply: %s are not enough even for one row of C at a "
                       "time",
                       text[0]);
    if (r->nnz_predicted == 0)
        return message(
            TOOL_LIMIT,
            "multiply: %s are not enough to begin: %s are row "
            "pointers of C and counts of products",
            text[0],
            amount_bytes(text[1], 16.0 * (double)(j->product.nrows + 1)));
    return refuse_size(j, text[0]);
}

/* How the program ends, given how the product did. */
static int judge(const job *j, spgemm_status done, bool is_streamed)
{
    if (interrupt_signal() != 0) {
        message(0, "multiply: cancelled");
        return interrupt_status(interrupt_signal());
    }
    if (done == SPGEMM_ERROR_MEMORY_LIMIT)
        return refuse(j, is_streamed);
    return done < 0 ? product_failure("multiply", done) : TOOL_OK;
}

static int multiply_whole(job *j)
{
    spgemm_csr C = {0};
    interrupt_begin();
    progress_begin("multiplying");
    const spgemm_status done = spgemm_predicted(
        &C, j->product.A, j->product.B, &j->product.options, &j->report);
    progress_end();
    int status = judge(j, done, false);
    interrupt_end();
    if (status == TOOL_OK && j->output)
        status = result_write(&C, j->output);
    spgemm_csr_destroy(&C);
    return status;
}

static int multiply_streamed(job *j)
{
    spgemm_status done;
    interrupt_begin();
    int status = stream_product(&j->product, j->output, &j->report, &done);
    /* A signal that came after the file was whole came too late. */
    if (status == TOOL_OK && done < 0)
        status = judge(j, done, true);
    interrupt_end();
    return status;
}

/* With a limit, a file is written while C is made, and C need not fit. */
static int multiply(job *j)
{
    return j->output && j->product.options.resources.memory_limit_bytes > 0 &&
                   stream_product_can_write(j->output)
               ? multiply_streamed(j)
               : multiply_whole(j);
}

int cmd_multiply(const arguments *args)
{
    job j = {.output = arguments_text(args, "output", NULL)};
    spgemm_options chosen = {
        .predict.method =
            (spgemm_predictor)arguments_predictor(args, "predictor")};
    if (j.output && arguments_has(args, "json") &&
        place_is_standard_output(j.output))
        return message(TOOL_USAGE,
                       "multiply: --json and --output %s both want standard "
                       "output",
                       j.output);
    int status = j.output ? result_check(j.output, args) : TOOL_OK;
    if (status != TOOL_OK || !parameters_set(&chosen, args, false))
        return TOOL_USAGE;
    status = product_read(&j.product, args);
    spgemm_options *options = &j.product.options;
    chosen.predict.seed = options->predict.seed;
    options->predict = chosen.predict;
    options->product.row_order = arguments_has(args, "unsorted")
                                     ? SPGEMM_ROWS_UNSORTED
                                     : SPGEMM_ROWS_SORTED;
    options->resources.memory_limit_bytes =
        (size_t)arguments_integer(args, "memory-limit", 0);
    options->resources.progress = progress_share;
    const int64_t before_bytes = resident_bytes();
    if (status == TOOL_OK)
        status = multiply(&j);
    if (status == TOOL_OK && arguments_has(args, "json"))
        print_json(&j.product, before_bytes, &j.report);
    else if (status == TOOL_OK)
        print_words(stderr, &j.report);
    product_clear(&j.product);
    return status;
}
