/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm multiply: C = A*B, and what it took. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "input.h"
#include "json.h"
#include "message.h"
#include "parameters.h"
#include "progress.h"
#include "report.h"
#include "resident.h"
#include "result.h"
#include "status.h"

static void print_json(const input_pair *pair,
                       int64_t before_bytes,
                       const spgemm_report *report)
{
    json j;
    json_open(&j, stdout);
    json_integer(&j, "rows", pair->A->nrows);
    json_integer(&j, "cols", pair->B->ncols);
    json_integer(&j, "nnz_a", pair->A->nnz);
    json_integer(&j, "nnz_b", pair->B->nnz);
    json_integer(&j, "input_bytes", input_pair_bytes(pair));
    /* Of the process, A and B included: with peak_bytes, the process's peak. */
    json_integer(&j, "resident_before_bytes", before_bytes);
    report_print_json(&j, report);
    json_close(&j);
}

static void print_words(FILE *stream, const spgemm_report *r)
{
    fprintf(stream, "products   %" PRId64 ", compression %.2f\n", r->products,
            report_compression(r));
    fprintf(stream,
            "predicted  %" PRId64 " entries, found %" PRId64 " (%+.3f %%)\n",
            r->nnz_predicted, r->nnz, report_error_percent(r));
    fprintf(stream,
            "memory     C %.1f MB, peak %.1f MB, upper bound %.1f MB (%s)\n",
            1e-6 * (double)r->c_bytes, 1e-6 * (double)r->peak_bytes,
            1e-6 * (double)r->upper_bound_bytes, r->memory);
    fprintf(stream, "time       %.3f s, %.2f GFLOPS with %d threads (%s)\n",
            r->total_seconds, report_gflops(r, r->total_seconds), r->nthreads,
            r->isa);
}

static int refuse(const spgemm_report *r, size_t limit)
{
    const double entry = sizeof(int32_t) + sizeof(double);
    const double error =
        isfinite(r->nnz_standard_error) ? r->nnz_standard_error : 0;
    return message(TOOL_LIMIT,
                   "multiply: C does not fit %.1f MB: %" PRId64
                   " entries are predicted, %.1f MB, give or take %.1f MB",
                   1e-6 * (double)limit, r->nnz_predicted,
                   1e-6 * entry * (double)r->nnz_predicted,
                   1e-6 * entry * 1.96 * error);
}

int cmd_multiply(const arguments *args)
{
    input_pair pair;
    spgemm_csr C = {0};
    spgemm_report report;
    const char *output = arguments_text(args, "output", NULL);
    const bool to_stdout = output && strcmp(output, "-") == 0;
    spgemm_options options = {
        .predictor = (spgemm_predictor)arguments_predictor(args, "predictor"),
        .seed = (uint64_t)arguments_integer(args, "seed", 0),
        .nthreads = (int)arguments_integer(args, "threads", 0),
        .row_order = arguments_has(args, "unsorted") ? SPGEMM_ROWS_UNSORTED
                                                     : SPGEMM_ROWS_SORTED,
        .memory_limit_bytes =
            (size_t)arguments_integer(args, "memory-limit", 0)};
    if (to_stdout && arguments_has(args, "json"))
        return message(TOOL_USAGE,
                       "multiply: --json and --output - both want standard "
                       "output");
    if (!parameters_set(&options, args, false))
        return TOOL_USAGE;
    int status = input_read_pair(&pair, args);
    const int64_t before_bytes = resident_bytes();
    if (status == TOOL_OK) {
        progress_begin("multiplying");
        const spgemm_status done =
            spgemm_predicted(&C, pair.A, pair.B, &options, &report);
        progress_end();
        if (done == SPGEMM_ERROR_MEMORY_LIMIT)
            status = refuse(&report, options.memory_limit_bytes);
        else if (done < 0)
            status = message_failure("multiply", done);
    }
    if (status == TOOL_OK && output)
        status = result_write(&C, output);
    if (status == TOOL_OK && arguments_has(args, "json"))
        print_json(&pair, before_bytes, &report);
    else if (status == TOOL_OK)
        print_words(stderr, &report);
    spgemm_csr_destroy(&C);
    input_clear_pair(&pair);
    return status;
}
