/* SPDX-License-Identifier: BSD-3-Clause */
/* A*A by teams of 1, 2, 4 ... THREADS members, as long as it would take if each had
   a processor, from what its parts take on one; CSV.

       bench_scaling THREADS FILE...

   The fastest of REPETITIONS calls. `serial` is the share of the time in which one
   member is at work alone, `wait` the share of all members' time in works that are
   shared in which they wait for the last. What threads do to each other's memory
   and caches is not in it: a machine is slower. */
#include <inttypes.h>
#include <stdio.h>

#include "per_file.h"
#include "virtual_team.h"

enum { REPETITIONS = 7 };

/* spgemm_progress_step() is where a piece of work ends. */
static int go_on(void *context, double done)
{
    (void)context;
    (void)done;
    return 0;
}

static virtual_times multiply(const char *path, const spgemm_csr *A,
                              int nthreads, spgemm_report *report)
{
    const spgemm_options options = {.resources.nthreads = nthreads,
                                    .resources.progress = go_on};
    spgemm_csr C;
    virtual_team_begin();
    const spgemm_status status = spgemm_predicted(&C, A, A, &options, report);
    const virtual_times t = virtual_team_end();
    per_file_require(status == SPGEMM_SUCCESS, path,
                     spgemm_status_string(status));
    spgemm_csr_destroy(&C);
    return t;
}

static virtual_times fastest(const char *path, const spgemm_csr *A,
                             int nthreads, spgemm_report *report)
{
    virtual_times least = multiply(path, A, nthreads, report);
    for (int t = 1; t < REPETITIONS; t++) {
        const virtual_times v = multiply(path, A, nthreads, report);
        if (v.elapsed < least.elapsed)
            least = v;
    }
    return least;
}

static void measure(const char *path, const spgemm_csr *A, int nthreads)
{
    double alone = 0;
    for (int size = 1; size <= nthreads; size *= 2) {
        spgemm_report report;
        const virtual_times v = fastest(path, A, size, &report);
        const double shared = (v.elapsed - v.serial) * size;
        alone = size == 1 ? v.elapsed : alone;
        printf("%s,%" PRId64 ",%" PRId64 ",%d,%.6f,%.2f,%.4f,%.4f\n", path,
               report.products, report.nnz, size, v.elapsed, alone / v.elapsed,
               v.serial / v.elapsed,
               shared > 0 ? 1 - (v.all - v.serial) / shared : 0);
    }
}

int main(int argc, char **argv)
{
    const per_file program = {
        .columns = "matrix,products,nnz,threads,seconds,speedup,serial,wait",
        .measure = measure,
    };
    return per_file_main(&program, argc, argv);
}
