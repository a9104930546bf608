/* SPDX-License-Identifier: BSD-3-Clause */
/* Test matrices. A kind says how many columns row i is given and which is the
   k-th; a row then holds each once, in order. The value at (i,j) is a function
   of the place and the seed. */
#include "generate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/checked.h"
#include "common/rng.h"

/* Streams of random numbers that have nothing to do with each other. */
enum { STREAM_COLUMNS = 0, STREAM_DEGREES = 1, STREAM_VALUES = 2 };

static uint64_t stream_seed(const recipe *r, uint64_t stream)
{
    return rng_bits(r->seed, stream);
}

static bool count_is_fine(int64_t n)
{
    return n > 0 && n < INT32_MAX;
}

/* ---- Stencils and bands -------------------------------------------------- */

static int64_t stencil5_rows(const recipe *r)
{
    int64_t nrows;
    return __builtin_mul_overflow(r->sizes[0], r->sizes[1], &nrows) ? -1
                                                                    : nrows;
}

static int64_t stencil5_degree(const recipe *r, int64_t i)
{
    (void)r;
    (void)i;
    return 5;
}

static int64_t stencil5_column(const recipe *r, int64_t i, int64_t k)
{
    static const int64_t steps_x[] = {0, -1, 0, 1, 0};
    static const int64_t steps_y[] = {-1, 0, 0, 0, 1};
    const int64_t nx = r->sizes[0];
    const int64_t x = i % nx + steps_x[k];
    const int64_t y = i / nx + steps_y[k];
    const bool is_inside = x >= 0 && x < nx && y >= 0 && y < r->sizes[1];
    return is_inside ? y * nx + x : -1;
}

static int64_t stencil27_rows(const recipe *r)
{
    int64_t nrows = r->dofs;
    for (int axis = 0; axis < 3; axis++)
        if (__builtin_mul_overflow(nrows, r->sizes[axis], &nrows))
            return -1;
    return nrows;
}

static int64_t stencil27_degree(const recipe *r, int64_t i)
{
    (void)i;
    return 27 * r->dofs;
}

static int64_t stencil27_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t *n = r->sizes;
    const int64_t node = i / r->dofs;
    const int64_t neighbour = k / r->dofs;
    const int64_t x = node % n[0] + neighbour % 3 - 1;
    const int64_t y = node / n[0] % n[1] + neighbour / 3 % 3 - 1;
    const int64_t z = node / n[0] / n[1] + neighbour / 9 - 1;
    const bool is_inside =
        x >= 0 && x < n[0] && y >= 0 && y < n[1] && z >= 0 && z < n[2];
    return is_inside ? ((z * n[1] + y) * n[0] + x) * r->dofs + k % r->dofs : -1;
}

static int64_t first_size(const recipe *r)
{
    return r->sizes[0];
}

static int64_t second_size(const recipe *r)
{
    return r->sizes[1];
}

static int64_t banded_degree(const recipe *r, int64_t i)
{
    (void)i;
    return 2 * min_i64(r->sizes[1], r->sizes[0] - 1) + 1;
}

static int64_t banded_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t column = i + k - min_i64(r->sizes[1], r->sizes[0] - 1);
    return column < r->sizes[0] ? column : -1;
}

/* ---- Aggregation --------------------------------------------------------- */

/* The prolongator of a multigrid method: nodes are aggregated in cubes of
   three by three by three, and smoothing makes the row of a node hold the
   aggregates of all its neighbours on the 27-point stencil. */
static int64_t aggregates(int64_t nodes)
{
    return nodes / 3 + (nodes % 3 != 0);
}

static int64_t grid_rows(const recipe *r)
{
    int64_t nrows = 1;
    for (int axis = 0; axis < 3; axis++)
        if (__builtin_mul_overflow(nrows, r->sizes[axis], &nrows))
            return -1;
    return nrows;
}

static int64_t aggregation_cols(const recipe *r)
{
    return aggregates(r->sizes[0]) * aggregates(r->sizes[1]) *
           aggregates(r->sizes[2]);
}

static int64_t aggregation_degree(const recipe *r, int64_t i)
{
    (void)r;
    (void)i;
    return 27;
}

static int64_t aggregation_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t *n = r->sizes;
    const recipe nodes = {.sizes = {n[0], n[1], n[2]}, .dofs = 1};
    const int64_t j = stencil27_column(&nodes, i, k);
    const int64_t x = j % n[0] / 3;
    const int64_t y = j / n[0] % n[1] / 3;
    const int64_t z = j / n[0] / n[1] / 3;
    return j < 0 ? -1 : (z * aggregates(n[1]) + y) * aggregates(n[0]) + x;
}

/* ---- Graphs -------------------------------------------------------------- */

static int64_t erdos_renyi_degree(const recipe *r, int64_t i)
{
    (void)i;
    return r->sizes[1];
}

static int64_t erdos_renyi_column(const recipe *r, int64_t i, int64_t k)
{
    return rng_below(stream_seed(r, STREAM_COLUMNS),
                     (uint64_t)(i * r->sizes[1] + k), r->sizes[0]);
}

static int64_t random_degree(const recipe *r, int64_t i)
{
    (void)i;
    return r->sizes[2];
}

static int64_t random_column(const recipe *r, int64_t i, int64_t k)
{
    return rng_below(stream_seed(r, STREAM_COLUMNS),
                     (uint64_t)(i * r->sizes[2] + k), r->sizes[1]);
}

/* A web: most rows have a few entries, rows of d entries occur like d^-2.5,
   and some rows spread over the graph have an eighth of all columns. */
static bool is_giant(const recipe *r, int64_t i)
{
    const int64_t giants = min_i64(r->sizes[1], r->sizes[0]);
    if (giants == 0)
        return false;
    const int64_t stride = r->sizes[0] / giants;
    return i % stride == stride / 2 && i / stride < giants;
}

static int64_t powerlaw_degree(const recipe *r, int64_t i)
{
    const int64_t most = r->sizes[0] / 8 + 1;
    if (is_giant(r, i))
        return most;
    const double u = rng_unit(stream_seed(r, STREAM_DEGREES), (uint64_t)i);
    return checked_capacity(2 * pow(1 - u, -1 / 1.5), 1, most);
}

/* Half of the links go to neighbours, half to popular pages. */
static int64_t powerlaw_column(const recipe *r, int64_t i, int64_t k)
{
    const int64_t n = r->sizes[0];
    const uint64_t seed = rng_bits(stream_seed(r, STREAM_COLUMNS), (uint64_t)i);
    const double u = rng_unit(seed, (uint64_t)k);
    if (is_giant(r, i))
        return (int64_t)(u * (double)n);
    if (k % 2 == 0)
        return (i + 1 + (int64_t)(64 * u)) % n;
    return (int64_t)(u * u * (double)n);
}

/* R-MAT with the constants of Graph500 (0.57, 0.19, 0.19, 0.05). D.
   Chakrabarti, Y. Zhan, C. Faloutsos, SIAM Data Mining 2004,
   doi:10.1137/1.9781611972740.43. */
static int64_t rmat_rows(const recipe *r)
{
    return r->sizes[0] > 0 && r->sizes[0] < 31 ? (int64_t)1 << r->sizes[0] : -1;
}

static void rmat_edge(const recipe *r, int64_t edge, int32_t *row, int32_t *col)
{
    const uint64_t seed = stream_seed(r, STREAM_COLUMNS);
    *row = 0;
    *col = 0;
    for (int64_t level = 0; level < r->sizes[0]; level++) {
        const double u = rng_unit(seed, (uint64_t)(edge * r->sizes[0] + level));
        const bool is_lower = u >= 0.76;
        const bool is_right = is_lower ? u >= 0.95 : u >= 0.57;
        *row = 2 * *row + is_lower;
        *col = 2 * *col + is_right;
    }
}

/* ---- The table of kinds -------------------------------------------------- */

typedef struct matrix_kind {
    const char *name;
    const char *help;
    int least_sizes;
    int most_sizes;
    int64_t (*rows)(const recipe *r); /* not positive: the sizes cannot be */
    int64_t (*cols)(const recipe *r); /* NULL: as many as rows */
    int64_t (*degree)(const recipe *r, int64_t i); /* NULL: made of edges */
    int64_t (*column)(const recipe *r, int64_t i, int64_t k); /* -1: none */
} matrix_kind;

static const matrix_kind kinds[] = {
    {"stencil5", "NX NY: 5-point stencil on a grid", 2, 2, stencil5_rows, NULL,
     stencil5_degree, stencil5_column},
    {"stencil27",
     "NX NY NZ: 27-point stencil on a grid, --dofs unknowns a node", 3, 3,
     stencil27_rows, NULL, stencil27_degree, stencil27_column},
    {"rmat",
     "SCALE EDGEFACTOR: R-MAT graph of 2^SCALE nodes, EDGEFACTOR edges a node",
     2, 2, rmat_rows, NULL, NULL, NULL},
    {"erdos-renyi", "N DEGREE: DEGREE columns a row, each drawn at random", 2,
     2, first_size, NULL, erdos_renyi_degree, erdos_renyi_column},
    {"powerlaw",
     "N [GIANTS]: web-like graph; GIANTS rows (default: 4) have N/8 entries", 1,
     2, first_size, NULL, powerlaw_degree, powerlaw_column},
    {"banded", "N HALFWIDTH: all entries with |i - j| <= HALFWIDTH", 2, 2,
     first_size, NULL, banded_degree, banded_column},
    {"random", "NROWS NCOLS DEGREE: DEGREE columns a row, each drawn at random",
     3, 3, first_size, second_size, random_degree, random_column},
    {"aggregation",
     "NX NY NZ: prolongator of smoothed aggregates of 3 x 3 x 3 grid nodes", 3,
     3, grid_rows, aggregation_cols, aggregation_degree, aggregation_column},
};

enum { NKINDS = sizeof kinds / sizeof *kinds };

const char *generator_name(int k)
{
    return k < NKINDS ? kinds[k].name : NULL;
}

const char *generator_help(int k)
{
    return k < NKINDS ? kinds[k].help : NULL;
}

int generator_find(const char *name)
{
    for (int k = 0; k < NKINDS; k++)
        if (strcmp(kinds[k].name, name) == 0)
            return k;
    return -1;
}

void generator_size_counts(int kind, int *least, int *most)
{
    *least = kinds[kind].least_sizes;
    *most = kinds[kind].most_sizes;
}

/* ---- Rows ---------------------------------------------------------------- */

static int compare_columns(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x;
    const int32_t b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* Sort columns and drop what occurs twice; returns how many are left. */
static int64_t sort_unique(int32_t *columns, int64_t count)
{
    int64_t used = 0;
    bool is_sorted = true;
    for (int64_t k = 1; is_sorted && k < count; k++)
        is_sorted = columns[k - 1] < columns[k];
    if (is_sorted)
        return count;
    qsort(columns, (size_t)count, sizeof *columns, compare_columns);
    for (int64_t k = 0; k < count; k++)
        if (used == 0 || columns[used - 1] != columns[k])
            columns[used++] = columns[k];
    return used;
}

/* Rows where their degrees put them, then moved together. */
static spgemm_status make_rows(spgemm_csr *A,
                               const matrix_kind *kind,
                               const recipe *r,
                               int64_t nrows,
                               int64_t ncols)
{
    int64_t bound = 0;
    for (int64_t i = 0; i < nrows; i++)
        if (!checked_add_i64(bound, kind->degree(r, i), &bound))
            return SPGEMM_ERROR_OVERFLOW;
    const spgemm_status status = spgemm_csr_create(
        A, nrows, ncols, bound, SPGEMM_I32, SPGEMM_FP64, NULL);
    if (status < 0)
        return status;
    int32_t *columns = A->colidx;
    int64_t used = 0;
    for (int64_t i = 0; i < nrows; i++) {
        const int64_t degree = kind->degree(r, i);
        int64_t count = 0;
        for (int64_t k = 0; k < degree; k++) {
            const int64_t column = kind->column(r, i, k);
            if (column >= 0)
                columns[used + count++] = (int32_t)column;
        }
        used += sort_unique(columns + used, count);
        A->rowptr[i + 1] = used;
    }
    A->nnz = used;
    A->flags |= SPGEMM_SORTED_ROWS;
    return SPGEMM_SUCCESS;
}

static spgemm_status make_edges(spgemm_csr *A, const recipe *r, int64_t nrows)
{
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    int64_t nedges;
    if (r->sizes[1] < 0 || __builtin_mul_overflow(nrows, r->sizes[1], &nedges))
        return SPGEMM_ERROR_INVALID;
    const size_t count = (size_t)nedges + 1;
    int32_t *rows = calloc(count, sizeof *rows);
    int32_t *cols = calloc(count, sizeof *cols);
    double *values = calloc(count, sizeof *values);
    if (rows && cols && values) {
        for (int64_t edge = 0; edge < nedges; edge++)
            rmat_edge(r, edge, &rows[edge], &cols[edge]);
        status = spgemm_csr_from_coo(A, nrows, nrows, nedges, rows, cols,
                                     values, SPGEMM_I32, SPGEMM_FP64, NULL);
    }
    free(rows);
    free(cols);
    free(values);
    return status;
}

static void fill_values(spgemm_csr *A, const recipe *r)
{
    const uint64_t seed = stream_seed(r, STREAM_VALUES);
    const int32_t *columns = A->colidx;
    double *values = A->values;
    for (int64_t i = 0; i < A->nrows; i++) {
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const uint64_t place = (uint64_t)(i * A->ncols + columns[p]);
            values[p] = 1 + (r->has_reals ? rng_unit(seed, place)
                                          : (double)rng_below(seed, place, 9));
        }
    }
}

static spgemm_status transpose(spgemm_csr *A)
{
    spgemm_csr T;
    const spgemm_status status = spgemm_csr_transpose(&T, A);
    if (status < 0)
        return status;
    spgemm_csr_destroy(A);
    *A = T;
    return SPGEMM_SUCCESS;
}

spgemm_status generate(spgemm_csr *A, int kind, const recipe *r)
{
    for (int k = 0; k < kinds[kind].least_sizes; k++)
        if (r->sizes[k] < 0)
            return SPGEMM_ERROR_INVALID;
    const int64_t nrows = kinds[kind].rows(r);
    if (!count_is_fine(nrows))
        return SPGEMM_ERROR_INVALID;
    const int64_t ncols = kinds[kind].cols ? kinds[kind].cols(r) : nrows;
    if (!count_is_fine(ncols))
        return SPGEMM_ERROR_INVALID;
    spgemm_status status = kinds[kind].degree
                               ? make_rows(A, &kinds[kind], r, nrows, ncols)
                               : make_edges(A, r, nrows);
    if (status < 0)
        return status;
    fill_values(A, r);
    if (r->is_transposed)
        status = transpose(A);
    if (status < 0)
        spgemm_csr_destroy(A);
    return status;
}
