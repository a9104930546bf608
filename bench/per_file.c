/* SPDX-License-Identifier: BSD-3-Clause */
/* A CSV of some lines for each square matrix of the command line. */
#include "per_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "heading.h"
#include "matrix_file.h"
#include "steady.h"

void per_file_require(bool is_well, const char *path, const char *what)
{
    if (is_well)
        return;
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, path, what);
    exit(1);
}

static bool read_and_measure(const per_file *p, const char *path, int nthreads)
{
    spgemm_csr A;
    char why[MATRIX_FILE_WHY_BYTES];
    if (!matrix_file_read(&A, path, 0, why)) {
        fprintf(stderr, "%s: %s\n", program_invocation_short_name, why);
        return false;
    }
    if (A.nrows == A.ncols)
        p->measure(path, &A, nthreads);
    else
        fprintf(stderr,
                "%s: %s: left out: its square does not exist, it has %" PRId64
                " rows and %" PRId64 " columns\n",
                program_invocation_short_name, path, A.nrows, A.ncols);
    fflush(stdout);
    spgemm_csr_destroy(&A);
    return true;
}

int per_file_main(const per_file *p, int argc, char **argv)
{
    char *end = NULL;
    const long nthreads = argc > 2 ? strtol(argv[1], &end, 10) : 0;
    bool is_well = true;
    if (nthreads < 1 || nthreads > 4096 || *end != '\0') {
        fprintf(stderr, "usage: %s THREADS FILE...\n",
                program_invocation_short_name);
        return 2;
    }
    steady_restart(argv);
    if (p->begin)
        p->begin((int)nthreads);
    heading_print(stdout, program_invocation_short_name);
    printf("%s\n", p->columns);
    for (int t = 2; t < argc; t++)
        is_well = read_and_measure(p, argv[t], (int)nthreads) && is_well;
    return is_well ? 0 : 1;
}
