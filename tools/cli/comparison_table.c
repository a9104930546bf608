/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as cells of a table. */
#include "comparison.h"
#include "report.h"
#include "table.h"

void comparison_head(table *t, const char *first)
{
    static const char *const heads[] = {"seconds", "GFLOPS",  "predicted nnz",
                                        "error %", "C MB",    "allocated MB",
                                        "peak MB", "bound MB"};
    table_begin_row(t);
    table_cell(t, "%s", first);
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
        table_cell(t, "%s", heads[k]);
}

void comparison_cells(table *t, const comparison *c, const variant *v)
{
    const spgemm_report *r = &v->report;
    const double median = variant_median_seconds(c, v);
    table_cell(t, "%.4f", median);
    table_cell(t, "%.2f", report_gflops(r, median));
    table_count(t, r->nnz_predicted);
    table_cell(t, "%+.2f", report_error_percent(r));
    table_cell(t, "%.1f", 1e-6 * (double)r->c_bytes);
    table_cell(t, "%.1f", 1e-6 * (double)r->allocated_bytes);
    table_cell(t, "%.1f", 1e-6 * (double)r->peak_bytes);
    table_cell(t, "%.1f", 1e-6 * (double)r->upper_bound_bytes);
}
