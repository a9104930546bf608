/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that measure something on each matrix of their command line:

       bench_NAME THREADS FILE... */
#ifndef BENCH_PER_FILE_H
#define BENCH_PER_FILE_H

#include "spgemm/spgemm.h"

typedef struct per_file {
    const char *columns; /* of the CSV */

    /* Prints a line or more for the square matrix A. */
    void (*measure)(const char *path, const spgemm_csr *A, int nthreads);

    /* Before the first one; may be NULL. */
    void (*begin)(int nthreads);
} per_file;

/**
 * main() of such a program: a heading, the columns, and A's lines for each file.
 * A matrix that is not square is left out, by name. Returns 0; 1 if a file could
 * not be read, 2 if the command line is wrong.
 */
int per_file_main(const per_file *p, int argc, char **argv);

/** Ends the program unless is_well, and says `what` happened to `path`. */
void per_file_require(bool is_well, const char *path, const char *what);

#endif
