/* SPDX-License-Identifier: BSD-3-Clause */
/* The CSV of bench_accuracy. A block of rows is written at once and ends with
   `# done: A,B`: what follows the last of these lines is a torn block. */
#include "accuracy_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "heading.h"

static const char title[] = "bench_accuracy";
static const char run_mark[] = "# run: ";
static const char matrix_mark[] = "# matrix: ";
static const char done_mark[] = "# done: ";

static const char facts_columns[] =
    "a,b,crop,nrows,inner,ncols,nnz_a,nnz_b,products,bound,nnz_exact,"
    "precise_seconds,precise_calls,threads,method,setting,seed,nnz";
static const char totals_columns[] =
    ",relative_error,standard_error,rows_sampled,products_sampled,"
    "products_seconds,predict_seconds\n";
static const char rows_columns[] =
    ",rows,mean_error,shortfall,excess,q00,q01,q05,q25,q50,q75,q95,q99,q100\n";

static bool refuse(const char *path, const char *why)
{
    fprintf(stderr, "bench_accuracy: %s: %s\n", path, why);
    return false;
}

/* ---- Lines that a run begins with ----------------------------------------- */

/* What the rows depend on, and a run that goes on must have. */
static void print_run(FILE *out, const accuracy_options *o)
{
    static const char *const modes[] = {"totals", "sweep", "rows"};
    fprintf(out, "%s%s of %s pairs; threads %d; repetitions %d; seconds %g",
            run_mark, modes[o->mode], o->has_only_squares ? "square" : "all",
            o->nthreads, o->repetitions, o->seconds);
    fprintf(out, "; seeds %d%s; products at most %g%s; methods", o->seeds,
            o->is_every_seed ? " of every method" : "", o->most_products,
            o->is_multiplied ? "" : "; counted only");
    for (int k = 0; k < o->methods.count; k++)
        fprintf(out, " %s", spgemm_predictor_name(o->methods.list[k]));
    fputc('\n', out);
}

static void print_matrix(FILE *out, const collected *m)
{
    fprintf(out, "%s%s,%" PRId64 ",%" PRId64 ",%" PRId64 "\n", matrix_mark,
            m->name, m->nrows, m->ncols, m->nnz);
}

static void print_columns(FILE *out, const accuracy_options *o)
{
    fputs(facts_columns, out);
    fputs(o->mode == ACCURACY_ROWS ? rows_columns : totals_columns, out);
}

/* Whether `line` is what print() makes. */
typedef struct expected {
    char *text;
    size_t bytes;
    FILE *file;
} expected;

static FILE *expected_open(expected *e)
{
    *e = (expected){0};
    return e->file = open_memstream(&e->text, &e->bytes);
}

static bool expected_is(expected *e, const char *line)
{
    fclose(e->file);
    const bool is_same = strcmp(e->text, line) == 0;
    free(e->text);
    return is_same;
}

static bool begins(const char *line, const char *mark)
{
    return strncmp(line, mark, strlen(mark)) == 0;
}

/* ---- A former run --------------------------------------------------------- */

/* "A,B\n": names have no commas. */
static void note_done(accuracy_csv *csv, char *names)
{
    char *rest;
    const char *left = strtok_r(names, ",\n", &rest);
    const char *right = strtok_r(NULL, ",\n", &rest);
    const int a = left ? collection_find(csv->matrices, left) : -1;
    const int b = right ? collection_find(csv->matrices, right) : -1;
    if (a >= 0 && b >= 0)
        csv->is_done[a * csv->matrices->count + b] = true;
}

static bool check_matrix(const accuracy_csv *csv, const char *line)
{
    expected e;
    char name[COLLECTION_NAME_BYTES] = "";
    sscanf(line + sizeof matrix_mark - 1, "%127[^,]", name);
    const int k = collection_find(csv->matrices, name);
    if (k < 0)
        return true;
    if (!expected_open(&e))
        return refuse(csv->path, strerror(errno));
    print_matrix(e.file, &csv->matrices->matrices[k]);
    if (expected_is(&e, line))
        return true;
    fprintf(stderr,
            "bench_accuracy: %s: has results of another matrix '%s'; write "
            "another file\n",
            csv->path, name);
    return false;
}

static bool check_run(const accuracy_csv *csv, const accuracy_options *o,
                      const char *line)
{
    expected e;
    if (!expected_open(&e))
        return refuse(csv->path, strerror(errno));
    print_run(e.file, o);
    if (expected_is(&e, line))
        return true;
    fprintf(stderr,
            "bench_accuracy: %s: was made with other options; write another "
            "file, or ask for:\n  %s",
            csv->path, line + sizeof run_mark - 1);
    return false;
}

static bool check_line(accuracy_csv *csv, const accuracy_options *o, char *line)
{
    if (begins(line, run_mark))
        return check_run(csv, o, line);
    if (begins(line, matrix_mark))
        return check_matrix(csv, line);
    if (begins(line, done_mark))
        note_done(csv, line + sizeof done_mark - 1);
    return true;
}

/* Cut off what follows the last complete pair; *has_pairs: there is one. */
static bool go_on(accuracy_csv *csv, const accuracy_options *o, bool *has_pairs)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    bool is_well = true;
    off_t end = 0;
    for (int k = 0; is_well && (length = getline(&line, &room, csv->file)) > 0;
         k++) {
        if (k == 0 && (!begins(line, "# ") || !begins(line + 2, title)))
            is_well = refuse(csv->path, "is no CSV of bench_accuracy");
        if (is_well && line[length - 1] == '\n') {
            const bool is_end = begins(line, done_mark);
            is_well = check_line(csv, o, line);
            if (is_end)
                end = ftello(csv->file);
        }
    }
    free(line);
    if (is_well && (fseeko(csv->file, end, SEEK_SET) != 0 ||
                    ftruncate(fileno(csv->file), end) != 0))
        is_well = refuse(csv->path, strerror(errno));
    *has_pairs = end > 0;
    return is_well;
}

static bool open_file(accuracy_csv *csv)
{
    csv->file = fopen(csv->path, "r+");
    if (!csv->file && errno == ENOENT)
        csv->file = fopen(csv->path, "w+");
    if (!csv->file)
        return refuse(csv->path, strerror(errno));
    return flock(fileno(csv->file), LOCK_EX | LOCK_NB) == 0 ||
           refuse(csv->path, "is being written by another run");
}

bool accuracy_csv_open(accuracy_csv *csv, const accuracy_options *o,
                       const collection *matrices)
{
    bool has_pairs = false;
    const size_t count = (size_t)matrices->count;
    *csv = (accuracy_csv){.path = o->output, .matrices = matrices};
    csv->is_done = calloc(count * count, sizeof *csv->is_done);
    if (!csv->is_done)
        return refuse("memory", strerror(errno));
    if (!csv->path)
        csv->file = stdout;
    else if (!open_file(csv) || !go_on(csv, o, &has_pairs))
        return false;
    heading_print(csv->file, title);
    fprintf(csv->file, "# default method: %s\n",
            spgemm_predictor_name(o->standard));
    print_run(csv->file, o);
    for (int k = 0; k < matrices->count; k++)
        print_matrix(csv->file, &matrices->matrices[k]);
    if (!has_pairs)
        print_columns(csv->file, o);
    return fflush(csv->file) == 0 ||
           refuse(csv->path ? csv->path : "standard output", strerror(errno));
}

bool accuracy_csv_close(accuracy_csv *csv)
{
    free(csv->is_done);
    if (!csv->file || csv->file == stdout)
        return true;
    return fclose(csv->file) == 0 || refuse(csv->path, strerror(errno));
}

bool accuracy_csv_has(const accuracy_csv *csv, int a, int b)
{
    return csv->is_done[a * csv->matrices->count + b];
}

/* ---- Blocks --------------------------------------------------------------- */

FILE *accuracy_csv_begin(accuracy_csv *csv)
{
    csv->block_file = open_memstream(&csv->block, &csv->block_bytes);
    if (!csv->block_file)
        refuse("memory", strerror(errno));
    return csv->block_file;
}

bool accuracy_csv_end(accuracy_csv *csv, int a, int b)
{
    const collected *all = csv->matrices->matrices;
    fprintf(csv->block_file, "%s%s,%s\n", done_mark, all[a].name, all[b].name);
    bool is_well = fclose(csv->block_file) == 0;
    is_well = is_well && fwrite(csv->block, 1, csv->block_bytes, csv->file) ==
                             csv->block_bytes;
    is_well = is_well && fflush(csv->file) == 0;
    free(csv->block);
    return is_well ||
           refuse(csv->path ? csv->path : "standard output", strerror(errno));
}

void accuracy_csv_number(FILE *block, double number)
{
    if (isnan(number))
        fputc(',', block);
    else
        fprintf(block, ",%.17g", number);
}

void accuracy_csv_facts(FILE *block, const pair_facts *p)
{
    fprintf(block, "%s,%s,%s", p->a, p->b, p->crop);
    fprintf(block, ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64,
            p->nrows, p->inner, p->ncols, p->nnz_a, p->nnz_b);
    fprintf(block, ",%" PRId64 ",%" PRId64 ",%" PRId64, p->products, p->bound,
            p->nnz_exact);
    if (isnan(p->precise_seconds))
        fputs(",,", block);
    else
        fprintf(block, ",%.9f,%d", p->precise_seconds, p->precise_calls);
    fprintf(block, ",%d", p->nthreads);
}

void accuracy_csv_skip(FILE *block, const pair_facts *pair, const char *what,
                       const char *why)
{
    fprintf(block, "# skipped: %s,%s,%s: %s\n", pair->a, pair->b, what, why);
    fprintf(stderr, "%s x %s, %s: %s\n", pair->a, pair->b, what, why);
}
