/* SPDX-License-Identifier: BSD-3-Clause */
/* A*A by a fresh call and by a plan repeated, in turn; CSV.

       bench_plans THREADS FILE...

   Median CPU time of REPETITIONS calls of each, whose results must agree; and of
   the making of a plan, C included. */
#include <inttypes.h>
#include <stdio.h>

#include "clocks.h"
#include "doubles.h"
#include "per_file.h"
#include "spgemm/plan.h"

enum { REPETITIONS = 7 };

static void measure(const char *path, const spgemm_csr *A, int nthreads)
{
    const spgemm_options options = {.resources.nthreads = nthreads};
    double fresh[REPETITIONS];
    double created[REPETITIONS];
    double repeated[REPETITIONS];
    spgemm_report report;
    spgemm_plan *plan;
    spgemm_csr C;
    spgemm_csr D;
    for (int t = 0; t < REPETITIONS; t++) {
        double start = cpu_clock();
        const bool is_made = spgemm_plan_create(&plan, &C, A, A, &options,
                                                NULL) == SPGEMM_SUCCESS;
        created[t] = cpu_clock() - start;
        per_file_require(is_made, path, "no plan");
        start = cpu_clock();
        const spgemm_status status =
            spgemm_predicted(&D, A, A, &options, &report);
        fresh[t] = cpu_clock() - start;
        per_file_require(status == SPGEMM_SUCCESS, path,
                         spgemm_status_string(status));
        start = cpu_clock();
        const spgemm_status again = spgemm_plan_repeat(plan, &C, A, A, NULL);
        repeated[t] = cpu_clock() - start;
        per_file_require(again == SPGEMM_SUCCESS, path,
                         spgemm_status_string(again));
        per_file_require(spgemm_csr_equal(&C, &D), path,
                         "the plan's C is another");
        spgemm_csr_destroy(&D);
        spgemm_csr_destroy(&C);
        spgemm_plan_destroy(plan);
    }
    const double once = doubles_median(fresh, REPETITIONS);
    const double more = doubles_median(repeated, REPETITIONS);
    printf("%s,%" PRId64 ",%" PRId64 ",%d,%.6f,%.6f,%.6f,%.3f\n", path,
           report.products, report.nnz, nthreads, once,
           doubles_median(created, REPETITIONS), more, once / more);
}

int main(int argc, char **argv)
{
    const per_file program = {
        .columns = "matrix,products,nnz,threads,fresh,created,repeated,ratio",
        .measure = measure,
    };
    return per_file_main(&program, argc, argv);
}
