/* SPDX-License-Identifier: BSD-3-Clause */
/* Figures of a report. */
#include "report.h"

#include <math.h>
#include <string.h>

double report_compression(const spgemm_report *r)
{
    return r->nnz > 0 ? (double)r->products / (double)r->nnz : 0;
}

double report_error_percent(const spgemm_report *r)
{
    const double excess = (double)r->nnz_predicted - (double)r->nnz;
    if (excess == 0)
        return 0;
    return r->nnz > 0 ? 100 * excess / (double)r->nnz : (double)NAN;
}

double report_gflops(const spgemm_report *r, double seconds)
{
    return 2e-9 * (double)r->products / seconds;
}

char *report_memory(char text[REPORT_MEMORY_BYTES], const spgemm_report *r)
{
    snprintf(text, REPORT_MEMORY_BYTES, "%.*s", (int)strcspn(r->memory, "-"),
             r->memory);
    return text;
}

static void print_seconds(json *j, const spgemm_report *r)
{
    json_begin_object(j, "seconds");
    json_number(j, "check", r->check_seconds);
    json_number(j, "products", r->products_seconds);
    json_number(j, "predict", r->predict_seconds);
    json_number(j, "allocate", r->allocate_seconds);
    json_number(j, "multiply", r->multiply_seconds);
    json_number(j, "finish", r->compact_seconds);
    json_number(j, "total", r->total_seconds);
    json_end_object(j);
}

void report_print_json(json *j, const spgemm_report *r)
{
    json_text(j, "predictor", spgemm_predictor_name(r->predictor));
    json_integer(j, "threads", r->nthreads);
    json_text(j, "isa", r->isa);
    json_text(j, "memory", r->memory);
    json_integer(j, "products", r->products);
    json_integer(j, "nnz_predicted", r->nnz_predicted);
    json_number(j, "nnz_standard_error", r->nnz_standard_error);
    json_integer(j, "nnz_c", r->nnz);
    json_number(j, "relative_error_percent", report_error_percent(r));
    json_number(j, "compression", report_compression(r));
    json_integer(j, "rows_sampled", r->rows_sampled);
    json_integer(j, "products_sampled", r->products_sampled);
    json_integer(j, "blocks", r->blocks);
    json_integer(j, "chunks", r->chunks);
    json_integer(j, "overflow_rows", r->overflow_rows);
    json_integer(j, "overflow_entries", r->overflow_entries);
    json_begin_object(j, "rows_by_accumulator");
    for (int k = 0; k < SPGEMM_ACCUMULATOR_COUNT; k++)
        json_integer(j, spgemm_accumulator_name((spgemm_accumulator)k),
                     r->rows_by_accumulator[k]);
    json_end_object(j);
    json_integer(j, "c_bytes", (int64_t)r->c_bytes);
    json_integer(j, "allocated_bytes", (int64_t)r->allocated_bytes);
    json_integer(j, "peak_bytes", (int64_t)r->peak_bytes);
    json_integer(j, "upper_bound_bytes", (int64_t)r->upper_bound_bytes);
    json_number(j, "gflops", report_gflops(r, r->total_seconds));
    print_seconds(j, r);
}
