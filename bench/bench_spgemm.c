/* SPDX-License-Identifier: BSD-3-Clause */
/* Time and memory of A*A by each variant and number of threads: one CSV row a
   repetition, the variants in turn, so that noise falls on all alike.

   A variant is timed after its C was found equal to the first variant's, bit
   for bit. Freed memory is kept between repetitions, for all alike; the first
   repetition of a matrix pays for fresh pages, and is a row like the others. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "spgemm/mtx.h"
#include "spgemm/spgemm.h"

typedef spgemm_status multiply_fn(spgemm_csr *C,
                                  const spgemm_csr *A,
                                  const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report);

typedef struct variant {
    const char *name;
    multiply_fn *multiply;
} variant;

static const variant variants[] = {
    {"predicted", spgemm_predicted},
    {"precise", spgemm_precise},
    {"upper_bound", spgemm_upper_bound},
};

enum { VARIANTS = sizeof variants / sizeof variants[0] };

static void print_cpu(void)
{
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0) {
            printf("# cpu:%s", strchr(line, ':') + 1);
            break;
        }
    if (file)
        fclose(file);
}

static void print_header(void)
{
    char date[32] = "";
    struct utsname system = {0};
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    uname(&system);
    printf("# spgemm %s, %s, %s\n", spgemm_version(), BENCH_COMPILER,
           BENCH_BUILD);
    printf("# date: %s\n# system: %s %s %s\n", date, system.sysname,
           system.release, system.machine);
    print_cpu();
    printf("# memory: %s\n", spgemm_memory_name());
    puts("matrix,variant,threads,repetition,isa,products,nnz_c,nnz_predicted,"
         "c_bytes,allocated_bytes,peak_bytes,upper_bound_bytes,overflow_rows,"
         "check_seconds,products_seconds,predict_seconds,allocate_seconds,"
         "multiply_seconds,finish_seconds,total_seconds");
}

static void print_row(const char *matrix,
                      const char *name,
                      int repetition,
                      const spgemm_report *r)
{
    printf("%s,%s,%d,%d,%s,%" PRId64 ",%" PRId64 ",%" PRId64
           ",%zu,%zu,%zu,%zu,%" PRId64,
           matrix, name, r->nthreads, repetition, r->isa, r->products, r->nnz,
           r->nnz_predicted, r->c_bytes, r->allocated_bytes, r->peak_bytes,
           r->upper_bound_bytes, r->overflow_rows);
    printf(",%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f\n", r->check_seconds,
           r->products_seconds, r->predict_seconds, r->allocate_seconds,
           r->multiply_seconds, r->finish_seconds, r->total_seconds);
    fflush(stdout);
}

/* Whether all variants give the same C. */
static bool verify(const spgemm_csr *A, const spgemm_options *options)
{
    spgemm_csr first = {0};
    bool is_same = true;
    for (int v = 0; is_same && v < VARIANTS; v++) {
        spgemm_csr C = {0};
        is_same =
            variants[v].multiply(&C, A, A, options, NULL) == SPGEMM_SUCCESS &&
            (v == 0 || spgemm_csr_equal(&C, &first));
        if (v == 0)
            first = C;
        else
            spgemm_csr_destroy(&C);
    }
    spgemm_csr_destroy(&first);
    spgemm_memory_trim();
    return is_same;
}

static bool bench_matrix(const char *path, int threads, int repetitions)
{
    const spgemm_options options = {.nthreads = threads};
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    spgemm_csr A;
    spgemm_mtx_error error;
    if (spgemm_mtx_read_file(&A, path, NULL, &error) < 0) {
        fprintf(stderr, "bench_spgemm: %s:%" PRId64 ": %s\n", path, error.line,
                error.text);
        return false;
    }
    const bool is_same = verify(&A, &options);
    if (!is_same)
        fprintf(stderr, "bench_spgemm: %s: the variants differ\n", path);
    for (int t = 0; is_same && t < repetitions; t++)
        for (int v = 0; v < VARIANTS; v++) {
            spgemm_csr C;
            spgemm_report report;
            if (variants[v].multiply(&C, &A, &A, &options, &report) < 0)
                continue;
            print_row(name, variants[v].name, t, &report);
            spgemm_csr_destroy(&C);
        }
    spgemm_csr_destroy(&A);
    spgemm_memory_trim();
    return is_same;
}

int main(int argc, char **argv)
{
    const int threads = argc > 3 ? atoi(argv[1]) : -1;
    const int repetitions = argc > 3 ? atoi(argv[2]) : 0;
    if (threads < 0 || repetitions < 1) {
        fputs("Usage: bench_spgemm THREADS REPETITIONS FILE.mtx...\n"
              "Prints CSV; THREADS 0 takes all cores. Files are plain, square "
              "Matrix Market.\n",
              stderr);
        return 2;
    }
    print_header();
    bool is_well = true;
    for (int f = 3; f < argc; f++)
        is_well &= bench_matrix(argv[f], threads, repetitions);
    return is_well ? 0 : 1;
}
