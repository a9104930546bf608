/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of a matrix, or of a product that is not computed, on a grid. */
#ifndef TOOLS_DENSITY_H
#define TOOLS_DENSITY_H

#include "spgemm/spgemm.h"

typedef struct density {
    int64_t nrows; /* of the matrix */
    int64_t ncols;
    int height; /* of the grid: at most nrows, ncols */
    int width;
    double nnz;
    double *cells; /* [height * width] share of a cell's places that have an
                      entry, row by row */
} density;

/** Make the grid of an nrows-by-ncols matrix, of at most so many cells down and
    across. To be freed by density_clear() whatever follows. */
spgemm_status density_begin(density *d, int64_t nrows, int64_t ncols,
                            int height, int width);
void density_clear(density *d);

/** Of the entries of A. */
void density_of_matrix(density *d, const spgemm_csr *A);

/** Of C = A*B: row by row as it is predicted, and within the rows of a cell as
    their products are spread. */
spgemm_status density_of_product(density *d, const spgemm_csr *A,
                                 const spgemm_csr *B,
                                 const spgemm_options *options);

/** The largest share of a cell. */
double density_most(const density *d);

/** How dark a cell is, in [0, 1]: 0 without entries, 1 the densest, by the
    logarithm over three decades. */
double density_shade(const density *d, double most, int i, int j);

#endif
