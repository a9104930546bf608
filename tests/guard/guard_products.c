/* SPDX-License-Identifier: BSD-3-Clause */
/* Small products of every kind, each multiplied once by spgemm_predicted() on
   one thread, in the order in which they are printed: for counting the
   instructions of each call. */
#include <stdio.h>
#include <stdlib.h>

#include "generate.h"

/* Columns of row i that are `offset` further, where there are such. */
static void add_near(maker *m, csr_builder *b, int64_t offset)
{
    const int64_t j = b->row + offset;
    if (j >= 0 && j < b->ncols)
        build_add(b, j, make_value(m));
}

static spgemm_csr five_points(maker *m)
{
    const int64_t side = 60;
    csr_builder b = build_begin(side * side, side * side);
    for (int64_t i = 0; i < side * side; i++) {
        add_near(m, &b, -side);
        if (i % side > 0)
            add_near(m, &b, -1);
        add_near(m, &b, 0);
        if (i % side < side - 1)
            add_near(m, &b, 1);
        add_near(m, &b, side);
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

enum { SIDE = 6, UNKNOWNS = 3 };

static bool is_in_cube(int64_t z, int64_t y, int64_t x)
{
    return z >= 0 && z < SIDE && y >= 0 && y < SIDE && x >= 0 && x < SIDE;
}

/* The unknowns of the 27 nodes about a node of a cube. */
static void add_neighbours(maker *m, csr_builder *b, int64_t node)
{
    for (int64_t near = 0; near < 27; near++) {
        const int64_t z = node / (SIDE * SIDE) + near / 9 - 1;
        const int64_t y = node / SIDE % SIDE + near / 3 % 3 - 1;
        const int64_t x = node % SIDE + near % 3 - 1;
        const int64_t other = (z * SIDE + y) * SIDE + x;
        for (int64_t u = 0; u < UNKNOWNS && is_in_cube(z, y, x); u++)
            build_add(b, UNKNOWNS * other + u, make_value(m));
    }
}

static spgemm_csr cube(maker *m)
{
    const int64_t n = SIDE * SIDE * SIDE * UNKNOWNS;
    csr_builder b = build_begin(n, n);
    for (int64_t i = 0; i < n; i++) {
        add_neighbours(m, &b, i / UNKNOWNS);
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}

static void square_of(spgemm_csr made, spgemm_csr *A, spgemm_csr *B)
{
    *A = made;
    *B = copy_csr(&made);
}

static void stencil_5(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    square_of(five_points(m), A, B);
}

static void stencil_27x3(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    square_of(cube(m), A, B);
}

/* As R-MAT makes it, sorted, without duplicates. */
static void rmat_9(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    spgemm_csr raw = make_rmat(m, 9, 4000);
    csr_builder b = build_begin(raw.nrows, raw.ncols);
    for (int64_t i = 0; i < raw.nrows; i++) {
        for (int64_t p = raw.rowptr[i]; p < raw.rowptr[i + 1]; p++)
            if (p == raw.rowptr[i] ||
                column_of(&raw, p) != column_of(&raw, p - 1))
                build_add(&b, column_of(&raw, p), value_of(&raw, p));
        build_end_row(&b);
    }
    free_csr(&raw);
    square_of(build_finish(&b, m->index_type), A, B);
}

static void uniform_4(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    square_of(make_uniform(m, 2000, 2000, 4), A, B);
}

static void banded_15(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    square_of(make_banded(m, 600, 10, 0.7), A, B);
}

/* More products than a row may have that is not cut by columns. */
static void giant_row(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_one_row(m, 3, 2000, 1, 2000);
    *B = make_uniform(m, 2000, 40000, 300);
}

typedef struct guarded_product {
    const char *name;
    void (*make)(maker *m, spgemm_csr *A, spgemm_csr *B);
} guarded_product;

static const guarded_product products[] = {
    {"stencil_5", stencil_5}, {"stencil_27x3", stencil_27x3},
    {"rmat_9", rmat_9},       {"uniform_4", uniform_4},
    {"banded_15", banded_15}, {"giant_row", giant_row},
};

/* The name, and what the counts depend on, for who counts. */
static bool multiply(const guarded_product *p)
{
    maker m = {{1}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr C;
    spgemm_report report;
    const spgemm_options options = {.resources.nthreads = 1};
    p->make(&m, &A, &B);
    if (spgemm_predicted(&C, &A, &B, &options, &report) != SPGEMM_SUCCESS)
        return false;
    printf("%s\t%s\t%s\n", p->name, report.isa, spgemm_memory_name());
    spgemm_csr_destroy(&C);
    free_csr(&A);
    free_csr(&B);
    return true;
}

/* What only the first call of a process does, uncounted. */
static bool warm_up(void)
{
    maker m = {{1}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_identity(&m, 10);
    spgemm_csr C;
    const spgemm_options options = {.resources.nthreads = 1};
    if (spgemm_upper_bound(&C, &A, &A, &options, NULL) != SPGEMM_SUCCESS)
        return false;
    spgemm_csr_destroy(&C);
    free_csr(&A);
    return true;
}

int main(void)
{
    if (!warm_up())
        return EXIT_FAILURE;
    for (size_t t = 0; t < sizeof products / sizeof products[0]; t++)
        if (!multiply(&products[t]))
            return EXIT_FAILURE;
    return EXIT_SUCCESS;
}
