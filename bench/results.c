/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSV: one row a repetition, comments for what there is no row of. */
#include "results.h"

#include <inttypes.h>
#include <string.h>

static const char done_mark[] = "# done: ";
static const char columns[] =
    "matrix,nrows,products,nnz_c,method,order,threads,memory,repetition,"
    "seconds,cpu_seconds,check_seconds,products_seconds,predict_seconds,"
    "allocate_seconds,multiply_seconds,compact_seconds,nnz_predicted,"
    "overflow_rows,c_bytes,allocated_bytes,peak_bytes,upper_bound_bytes,"
    "floor_seconds\n";

enum { LINE_BYTES = 1024 };

/* ---- Former runs --------------------------------------------------------- */

static bool is_done(FILE *file, const char *name, size_t length)
{
    char line[LINE_BYTES];
    const size_t mark = sizeof done_mark - 1;
    bool is_found = false;
    const long place = ftell(file);
    rewind(file);
    while (!is_found && fgets(line, sizeof line, file))
        is_found = strncmp(line, done_mark, mark) == 0 &&
                   strcspn(line + mark, "\n") == length &&
                   strncmp(line + mark, name, length) == 0;
    fseek(file, place, SEEK_SET);
    return is_found;
}

bool results_has(const char *path, const char *name)
{
    FILE *file = path ? fopen(path, "r") : NULL;
    const bool has = file && is_done(file, name, strlen(name));
    if (file)
        fclose(file);
    return has;
}

/* Comments, and the rows of products that were completed. Rows of a product
   follow each other: it is looked for once. */
static void copy_complete(FILE *to, FILE *from)
{
    char line[LINE_BYTES];
    char name[LINE_BYTES] = "";
    bool is_complete = false;
    while (fgets(line, sizeof line, from)) {
        const size_t length = strcspn(line, ",");
        const bool is_row = line[0] != '#' && strcmp(line, columns) != 0;
        if (is_row &&
            (strlen(name) != length || strncmp(name, line, length) != 0)) {
            snprintf(name, sizeof name, "%.*s", (int)length, line);
            is_complete = is_done(from, name, length);
        }
        if (!is_row || is_complete)
            fputs(line, to);
    }
}

static FILE *resume(const char *path)
{
    char other[LINE_BYTES];
    FILE *from = fopen(path, "r");
    if (!from)
        return fopen(path, "w+");
    snprintf(other, sizeof other, "%s.part", path);
    FILE *to = fopen(other, "w+");
    if (to)
        copy_complete(to, from);
    fclose(from);
    if (to && rename(other, path) != 0) {
        fclose(to);
        to = NULL;
    }
    return to;
}

FILE *results_open(const char *path, bool is_resumed)
{
    if (!path)
        return stdout;
    return is_resumed ? resume(path) : fopen(path, "w+");
}

/* ---- Rows ---------------------------------------------------------------- */

const char *results_order(spgemm_row_order order)
{
    return order == SPGEMM_ROWS_SORTED ? "sorted" : "unsorted";
}

void results_columns(FILE *file)
{
    char line[LINE_BYTES];
    bool is_there = false;
    if (file != stdout) {
        rewind(file);
        while (!is_there && fgets(line, sizeof line, file))
            is_there = strcmp(line, columns) == 0;
        fseek(file, 0, SEEK_END);
    }
    if (!is_there)
        fputs(columns, file);
}

static void write_report(FILE *file, const spgemm_report *r)
{
    fprintf(file, "%.7f,%.7f,%.7f,%.7f,%.7f,%.7f,%" PRId64 ",%" PRId64,
            r->check_seconds, r->products_seconds, r->predict_seconds,
            r->allocate_seconds, r->multiply_seconds, r->compact_seconds,
            r->nnz_predicted, r->overflow_rows);
    fprintf(file, ",%zu,%zu,%zu,%zu", r->c_bytes, r->allocated_bytes,
            r->peak_bytes, r->upper_bound_bytes);
}

void results_write(FILE *file, const results_product *product,
                   const results_row *row, const answer *a)
{
    fprintf(file, "%s,%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%s,%d,%s,%d",
            product->name, product->nrows, product->products, product->nnz_c,
            row->method, results_order(row->order), row->nthreads,
            row->is_kept ? "kept" : "returned", row->repetition);
    fprintf(file, ",%.7f,%.7f,", a->seconds, a->cpu_seconds);
    if (a->report.c_bytes)
        write_report(file, &a->report);
    else
        fputs(",,,,,,,,,,,", file);
    fprintf(file, ",%.9f\n", product->floor_seconds);
    fflush(file);
}

void results_skip(FILE *file, const results_product *product,
                  const results_row *row, const char *why)
{
    fprintf(file, "# skipped: %s,%s,%s,%d: %s\n", product->name, row->method,
            results_order(row->order), row->nthreads, why);
    fprintf(stderr, "bench_spgemm: %s: %s, %s, threads %d: %s\n", product->name,
            row->method, results_order(row->order), row->nthreads, why);
    fflush(file);
}

void results_done(FILE *file, const char *name)
{
    fprintf(file, "%s%s\n", done_mark, name);
    fflush(file);
}
