/* SPDX-License-Identifier: BSD-3-Clause */
/* The products every property is tried on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generate.h"

static void empty_0x0(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_empty(m, 0, 0);
    *B = make_empty(m, 0, 0);
}

static void empty_0xn(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_empty(m, 0, 5);
    *B = make_uniform(m, 5, 7, 3);
}

static void empty_nx0(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 6, 4, 2);
    *B = make_empty(m, 4, 0);
}

static void empty_inner(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_empty(m, 4, 0);
    *B = make_empty(m, 0, 5);
}

static void no_entries(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_empty(m, 9, 8);
    *B = make_uniform(m, 8, 6, 2);
}

static void one_by_one(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_diagonal(m, 1);
    *B = make_diagonal(m, 1);
}

static void identity(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_identity(m, 200);
    *B = make_uniform(m, 200, 90, 5);
}

static void diagonal(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_diagonal(m, 3000);
    *B = make_diagonal(m, 3000);
}

static void dense_row(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_one_row(m, 50, 700, 31, 700);
    *B = make_uniform(m, 700, 400, 6);
}

static void dense_column(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_one_column(m, 800, 60, 17);
    *B = make_uniform(m, 60, 300, 40);
}

static void row_times_column(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_one_row(m, 1, 5000, 0, 5000);
    *B = make_one_column(m, 5000, 1, 0);
}

static void column_times_row(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_one_column(m, 600, 1, 0);
    *B = make_one_row(m, 1, 1000, 0, 1000);
}

static void banded(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_banded(m, 1500, 12, 0.6);
    *B = make_banded(m, 1500, 20, 0.5);
}

static void uniform(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 6000, 5000, 8);
    *B = make_uniform(m, 5000, 7000, 9);
}

static void rmat(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_rmat(m, 11, 14000);
    *B = make_rmat(m, 11, 14000);
}

static void hypersparse(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_hypersparse(m, 30000, 20000, 900);
    *B = make_hypersparse(m, 20000, 40000, 9000);
}

static void duplicates(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_jumbled(m, 300, 20, 15);
    *B = make_jumbled(m, 20, 40, 30);
}

static void unsorted(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_jumbled(m, 2000, 3000, 7);
    *B = make_jumbled(m, 3000, 100000, 9);
}

static void fem(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_fem(m, 200, 3, 3);
    *B = make_fem(m, 200, 4, 3);
}

/* Long runs: whole rows of contiguous columns. */
static void dense_blocks(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_fem(m, 6, 1, 35);
    *B = make_fem(m, 6, 1, 35);
}

static void very_wide(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 150, 400, 12);
    *B = make_uniform(m, 400, 3000000, 30);
}

/* Wider than a window, and enough products for each window of it. */
static void wide_and_heavy(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 6, 500, 120);
    *B = make_uniform(m, 500, 1000000, 130);
}

/* Wider than a window, and more products than a tiny row has. */
static void wide_and_light(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 300, 900, 5);
    *B = make_uniform(m, 900, 1000000, 6);
}

/* As wide as the type allows. */
static void widest(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    const bool is_wide = m->index_type == SPGEMM_I64;
    *A = make_uniform(m, 120, 200, 6);
    *B = make_uniform(m, 200, is_wide ? INT64_MAX : INT32_MAX, 25);
}

static void tall_skinny(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 9000, 40, 4);
    *B = make_uniform(m, 40, 25, 10);
}

static void short_wide(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_uniform(m, 12, 60, 20);
    *B = make_uniform(m, 60, 50000, 300);
}

/* Rows of more than a million products: repeated columns in A keep B small. */
static void giant_row(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_mixed(m, 301, 4000, 2, 6000, 301);
    *B = make_uniform(m, 4000, 60000, 390);
}

static void giant_rows(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_jumbled(m, 4, 300, 4000);
    *B = make_uniform(m, 300, 60000, 250);
}

/* As wide as the type allows. */
static void giant_wide_row(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    const bool is_wide = m->index_type == SPGEMM_I64;
    *A = make_jumbled(m, 3, 150, 4000);
    *B = make_uniform(m, 150, is_wide ? INT64_MAX : INT32_MAX, 250);
}

/* With few columns: the rows of C are short. */
static void giant_narrow_row(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_jumbled(m, 3, 900, 20000);
    *B = make_uniform(m, 900, 70, 300);
}

/* Rows of B in no order cannot be cut by columns. */
static void giant_unsorted_row(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_jumbled(m, 3, 200, 4000);
    *B = make_jumbled(m, 200, 50000, 200);
}

/* A few dense rows hidden among many sparse ones. */
static void hidden_rows(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_mixed(m, 12000, 3000, 2, 900, 1500);
    *B = make_uniform(m, 3000, 3000, 10);
}

/* Columns that are all multiples of a power of two: bad for a hash. */
static void strided(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_strided(m, 400, 4096, 16, 64);
    *B = make_strided(m, 4096, 1 << 24, 20, 1 << 14);
}

/* Short and long rows in turns: the accumulator changes every row. */
static void alternating(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    *A = make_mixed(m, 1200, 900, 1, 90, 2);
    *B = make_mixed(m, 900, 200000, 2, 60, 3);
}

/* Rows of one class that differ as much as rows can. */
static void cliques(maker *m, spgemm_csr *A, spgemm_csr *B)
{
    make_cliques(m, 800, 16, A, B);
}

const product_case product_cases[] = {
    {"empty 0x0", empty_0x0},
    {"empty 0xn", empty_0xn},
    {"empty nx0", empty_nx0},
    {"empty inner dimension", empty_inner},
    {"no entries", no_entries},
    {"one by one", one_by_one},
    {"identity", identity},
    {"diagonal", diagonal},
    {"dense row", dense_row},
    {"dense column", dense_column},
    {"row times column", row_times_column},
    {"column times row", column_times_row},
    {"banded", banded},
    {"uniform", uniform},
    {"rmat", rmat},
    {"hypersparse", hypersparse},
    {"duplicates", duplicates},
    {"unsorted", unsorted},
    {"fem", fem},
    {"dense blocks", dense_blocks},
    {"very wide", very_wide},
    {"wide and heavy", wide_and_heavy},
    {"wide and light", wide_and_light},
    {"widest", widest},
    {"tall skinny", tall_skinny},
    {"short wide", short_wide},
    {"giant row", giant_row},
    {"giant wide row", giant_wide_row},
    {"giant narrow row", giant_narrow_row},
    {"giant unsorted row", giant_unsorted_row},
    {"giant rows", giant_rows},
    {"hidden rows", hidden_rows},
    {"strided", strided},
    {"alternating", alternating},
    {"cliques", cliques},
};

const int product_case_count = sizeof product_cases / sizeof product_cases[0];

void make_case(int number, spgemm_index_type index_type, value_kind values,
               spgemm_csr *A, spgemm_csr *B)
{
    maker m = {{(uint64_t)number + 1}, index_type, values};
    product_cases[number].make(&m, A, B);
}

int find_case(const char *name)
{
    for (int number = 0; number < product_case_count; number++)
        if (strcmp(product_cases[number].name, name) == 0)
            return number;
    fprintf(stderr, "no case is called %s\n", name);
    abort();
}
