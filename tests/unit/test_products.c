/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/products.h"

#include <criterion/criterion.h>
#include <math.h>

#include "common/rng.h"
#include "generate.h"

static int class_of_row(const product_counts *counts, const spgemm_csr *A,
                        const spgemm_csr *B, int64_t i)
{
    int64_t lengths_or = 0;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        const int64_t k = column_of(A, p);
        lengths_or |= B->rowptr[k + 1] - B->rowptr[k];
    }
    return prediction_class(counts->row[i], A->rowptr[i + 1] - A->rowptr[i],
                            lengths_or);
}

/* Each class has the rows of its blocks, and all are accounted for. */
static void expect_classes(const product_counts *counts, const spgemm_csr *A,
                           const spgemm_csr *B)
{
    row_class found[PREDICTION_CLASSES] = {{0}};
    for (int64_t i = 0; i < counts->nrows; i++) {
        row_class *class = &found[counts->row_class[i]];
        if (counts->row[i] == 0)
            continue;
        cr_assert_eq(counts->row_class[i], class_of_row(counts, A, B, i));
        class->rows++;
        class->products += counts->row[i];
        class->entries += A->rowptr[i + 1] - A->rowptr[i];
        const int level = floor_log2(counts->row[i]);
        const int64_t excess =
            (int64_t)((ldexp((double)counts->row[i], -level) - 1) *
                      EXCESS_UNIT);
        class->squares += excess * excess;
    }
    for (int c = 0; c < PREDICTION_CLASSES; c++) {
        int64_t in_blocks = 0;
        for (int64_t b = 0; b < counts->nblocks; b++)
            in_blocks += counts->blocks[b].rows[c];
        cr_assert_eq(in_blocks, found[c].rows, "class %d", c);
        cr_assert_eq(counts->classes[c].rows, found[c].rows);
        cr_assert_eq(counts->classes[c].products, found[c].products);
        cr_assert_eq(counts->classes[c].entries, found[c].entries);
        cr_assert_eq(counts->classes[c].squares, found[c].squares);
    }
}

static void expect_counts(const spgemm_csr *A, const spgemm_csr *B,
                          const char *name, int nthreads)
{
    memory m;
    product_counts counts = {0};
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(spgemm_products_count(&counts, A, B, nthreads, &m),
                 SPGEMM_SUCCESS);
    int64_t total = 0;
    int64_t bound = 0;
    int64_t longest = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t products = count_row_products(A, B, i);
        cr_assert_eq(counts.row[i], products, "%s: row %d", name, (int)i);
        total += products;
        bound += products < B->ncols ? products : B->ncols;
        longest = products > longest ? products : longest;
    }
    cr_expect_eq(counts.nrows, A->nrows);
    cr_expect_eq(counts.total, total);
    cr_expect_eq(counts.bound, bound);
    cr_expect_eq(counts.longest, longest);
    expect_classes(&counts, A, B);
    spgemm_products_clear(&counts, &m);
    cr_expect_eq(m.live_bytes, 0);
    cr_expect_null(counts.row);
}

Test(products, are_counted_row_by_row)
{
    for (int number = 0; number < product_case_count; number++) {
        spgemm_csr A;
        spgemm_csr B;
        make_case(number, SPGEMM_I32, VALUES_INTEGER, &A, &B);
        for (int nthreads = 1; nthreads <= 3; nthreads += 2)
            expect_counts(&A, &B, product_cases[number].name, nthreads);
        free_csr(&A);
        free_csr(&B);
    }
}

/* Parts of some thousand rows in turn: all of three neighbours; of some columns
   anywhere, and none at times. Rows of the first are counted by runs. */
enum { PART_ROWS = 9000, ROWS_OF_PARTS = 8 * PART_ROWS };

static spgemm_csr make_parts(spgemm_index_type type)
{
    csr_builder b = build_begin(ROWS_OF_PARTS, ROWS_OF_PARTS);
    uint64_t drawn = 0;
    for (int64_t i = 0; i < ROWS_OF_PARTS; i++) {
        const bool is_mesh = i / PART_ROWS % 2 == 0;
        const int64_t length = is_mesh ? 3 : rng_below(1, drawn++, 6);
        for (int64_t t = 0; t < length; t++)
            build_add(&b,
                      is_mesh ? (i + t) % ROWS_OF_PARTS
                              : rng_below(1, drawn++, ROWS_OF_PARTS),
                      1.0);
        build_end_row(&b);
    }
    return build_finish(&b, type);
}

Test(products, of_rows_that_are_alike_are_counted)
{
    for (int type = SPGEMM_I32; type <= SPGEMM_I64; type++) {
        spgemm_csr A = make_parts((spgemm_index_type)type);
        expect_counts(&A, &A, "parts", 1);
        expect_counts(&A, &A, "parts", 3);
        free_csr(&A);
    }
}

Test(products, of_rows_of_one_length_are_counted)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_parts(SPGEMM_I32);
    for (int64_t length = 0; length < 9; length += 4) {
        spgemm_csr B = make_all_entries(&m, A.ncols, length);
        expect_counts(&A, &B, "of one length", 1);
        expect_counts(&A, &B, "of one length", 3);
        free_csr(&B);
    }
    free_csr(&A);
}

/* Row 0 of B claims what no memory holds; only its length is read. */
static spgemm_status count_fake(product_counts *counts, memory *m, int entries,
                                int64_t claimed)
{
    csr_builder b = build_begin(1, 1);
    for (int t = 0; t < entries; t++)
        build_add(&b, 0, 1.0);
    spgemm_csr A = build_finish(&b, SPGEMM_I32);
    A.rowptr[1] = entries;
    const int64_t Bp[] = {0, claimed};
    const spgemm_csr B = spgemm_csr_view(1, 100, claimed, Bp, NULL, NULL,
                                         SPGEMM_I32, SPGEMM_FP64);
    const spgemm_status status = spgemm_products_count(counts, &A, &B, 1, m);
    free_csr(&A);
    return status;
}

Test(products, pass_32_bits)
{
    memory m;
    product_counts counts = {0};
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(count_fake(&counts, &m, 3, (int64_t)1 << 31), SPGEMM_SUCCESS);
    cr_expect_eq(counts.total, (int64_t)3 << 31);
    cr_expect_eq(counts.row[0], (int64_t)3 << 31);
    cr_expect_eq(counts.bound, 100);
    spgemm_products_clear(&counts, &m);
}

Test(products, that_pass_64_bits_are_refused)
{
    memory m;
    product_counts counts = {0};
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(count_fake(&counts, &m, 2, (int64_t)1 << 62),
                 SPGEMM_ERROR_OVERFLOW);
    spgemm_products_clear(&counts, &m);
    cr_assert_eq(count_fake(&counts, &m, 4, (int64_t)1 << 62),
                 SPGEMM_ERROR_OVERFLOW);
    spgemm_products_clear(&counts, &m);
    cr_expect_eq(m.live_bytes, 0);
}

/* The same numbers, and no classes. */
static void expect_few(int number)
{
    spgemm_csr A;
    spgemm_csr B;
    memory m;
    product_counts all = {0};
    product_counts few = {0};
    bool are_few;
    make_case(number, SPGEMM_I64, VALUES_INTEGER, &A, &B);
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(spgemm_products_count(&all, &A, &B, 1, &m), SPGEMM_SUCCESS);
    cr_assert_eq(spgemm_products_count_few(&few, &A, &B, &m, &are_few),
                 SPGEMM_SUCCESS);
    cr_expect_eq(are_few, A.nnz <= FEW_PRODUCTS && A.nrows <= FEW_PRODUCTS &&
                              all.total <= FEW_PRODUCTS);
    for (int64_t i = 0; are_few && i < A.nrows; i++)
        cr_expect(few.row[i] == all.row[i] && few.row_class[i] == 0);
    if (are_few)
        cr_expect(few.total == all.total && few.bound == all.bound &&
                  few.longest == all.longest && !few.classes && !few.blocks);
    spgemm_products_clear(&all, &m);
    spgemm_products_clear(&few, &m);
    cr_expect_eq(m.live_bytes, 0);
    free_csr(&A);
    free_csr(&B);
}

Test(products, that_are_few_are_counted_without_classes)
{
    for (int number = 0; number < product_case_count; number++)
        expect_few(number);
}

/* Products beyond what is few, of one entry of A: nothing is kept. */
Test(products, that_are_not_few_are_told)
{
    memory m;
    product_counts counts = {0};
    bool are_few = true;
    const int64_t Ap[] = {0, 1};
    const int32_t Aj[] = {0};
    const int64_t Bp[] = {0, FEW_PRODUCTS + 1};
    const spgemm_csr A =
        spgemm_csr_view(1, 1, 1, Ap, Aj, NULL, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr B =
        spgemm_csr_view(1, 10 * FEW_PRODUCTS, FEW_PRODUCTS + 1, Bp, NULL, NULL,
                        SPGEMM_I32, SPGEMM_FP64);
    spgemm_memory_init(&m, NULL);
    cr_assert_eq(spgemm_products_count_few(&counts, &A, &B, &m, &are_few),
                 SPGEMM_SUCCESS);
    cr_expect(!are_few);
    cr_expect_null(counts.row);
    cr_expect_eq(m.live_bytes, 0);
}
