/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of the paper, made from their definitions, have its counts. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "make_kind.h"

typedef struct paper_matrix {
    char name[32];
    char generate[64];
    int64_t rows;
    int64_t nnz;
    int64_t longest_row;
    int64_t products;
    int64_t nnz_c;
    double within;
    double nnz_c_within;
} paper_matrix;

/* One line of the table; false for its head and its comments. */
static bool read_line(FILE *table, paper_matrix *m)
{
    char line[256];
    return fgets(line, sizeof line, table) &&
           sscanf(line,
                  "%31[^\t]\t%63[^\t]\t%" SCNd64 "\t%" SCNd64 "\t%" SCNd64
                  "\t%" SCNd64 "\t%" SCNd64 "\t%lf\t%lf",
                  m->name, m->generate, &m->rows, &m->nnz, &m->longest_row,
                  &m->products, &m->nnz_c, &m->within, &m->nnz_c_within) == 9;
}

static void expect_within(const paper_matrix *m, const char *what, int64_t got,
                          int64_t want, double percent)
{
    cr_expect(fabs((double)(got - want)) <= percent / 100 * (double)want,
              "%s: %s %" PRId64 ", not %" PRId64 " within %g %%", m->name, what,
              got, want, percent);
}

static void expect_counts(const paper_matrix *m)
{
    int64_t products;
    int64_t nnz_c;
    spgemm_csr A = make_kind(m->generate);
    count_square(&A, &products, &nnz_c);
    expect_within(m, "rows", A.nrows, m->rows, m->within);
    expect_within(m, "columns", A.ncols, m->rows, m->within);
    expect_within(m, "nnz", A.nnz, m->nnz, m->within);
    expect_within(m, "products", products, m->products, m->within);
    expect_within(m, "nnz of A*A", nnz_c, m->nnz_c, m->nnz_c_within);
    if (m->within == 0)
        expect_within(m, "longest row", longest_row(&A), m->longest_row, 0);
    spgemm_csr_destroy(&A);
}

/* The lines that are to be equal, or the others; returns how many. */
static int expect_lines(bool is_exact)
{
    int count = 0;
    paper_matrix m;
    FILE *table = fopen(SPGEMM_DATA "/paper_matrices.tsv", "r");
    cr_assert_not_null(table);
    while (!feof(table)) {
        if (!read_line(table, &m) || (m.within == 0) != is_exact)
            continue;
        expect_counts(&m);
        count++;
    }
    fclose(table);
    return count;
}

Test(generate_paper, rebuilt_matrices_have_the_published_counts)
{
    cr_expect_eq(expect_lines(true), 5);
}

Test(generate_paper, stand_ins_are_as_near_as_the_table_says)
{
    cr_expect_eq(expect_lines(false), 3);
}
