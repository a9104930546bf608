/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels alone, on the instruction set of SPGEMM_ISA: any rows, any
   columns of a row, into arrays that end with the last entry. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <math.h>

#include "guarded_memory.h"
#include "mixture.h"
#include "reference.h"
#include "spgemm/pipeline/call.h"

typedef struct numeric_bench {
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr want;
    call c;
    scratch s;        /* of numeric passes */
    scratch counting; /* of symbolic ones */
    guarded_heap heap;
} numeric_bench;

static void begin_bench(numeric_bench *b, spgemm_csr A, spgemm_csr B)
{
    *b = (numeric_bench){.A = A, .B = B, .want = reference_multiply(&A, &B)};
    const spgemm_allocator hooks = guarded_hooks(&b->heap);
    const spgemm_options options = {.resources.nthreads = 1,
                                    .resources.allocator = &hooks};
    const entry_point self = {
        .name = "test", .multiplies = true, .stays_wide = true};
    cr_assert_eq(spgemm_call_begin(&b->c, &self, &b->A, &b->B, &options, NULL),
                 0);
    cr_assert_eq(spgemm_call_count_products(&b->c), 0);
    cr_assert_eq(spgemm_call_predict(&b->c, SPGEMM_PREDICTOR_UPPER_BOUND), 0);
    const size_t index_size = spgemm_index_size(A.index_type);
    spgemm_scratch_init(&b->s, &b->c.m, sizeof(double), index_size);
    spgemm_scratch_init(&b->counting, &b->c.m, sizeof(double), index_size);
}

static void end_bench(numeric_bench *b)
{
    spgemm_csr none;
    spgemm_scratch_clear(&b->s);
    spgemm_scratch_clear(&b->counting);
    cr_assert_eq(spgemm_call_end(&b->c, &none, SPGEMM_SUCCESS), 0);
    cr_assert_eq(atomic_load(&b->heap.live), 0);
    cr_assert_eq(atomic_load(&b->heap.damaged), 0);
    free_csr(&b->A);
    free_csr(&b->B);
    free_csr(&b->want);
}

/* The entries [begin, end) of C that were wanted, as a matrix of one row. */
static void expect_entries(const numeric_bench *b, int64_t begin, int64_t end,
                           const spgemm_csr *got)
{
    for (int64_t p = begin; p < end; p++) {
        const double x = value_of(&b->want, p);
        const double y = value_of(got, p - begin);
        cr_assert_eq(column_of(got, p - begin), column_of(&b->want, p));
        cr_assert((isnan(x) && isnan(y)) || memcmp(&x, &y, sizeof x) == 0,
                  "%a, wanted %a", y, x);
    }
}

/* Entries [begin, end) of C are computed into room for just them. */
static void expect_range(numeric_bench *b, const row_range *range,
                         int64_t *row_nnz, int64_t begin, int64_t end)
{
    output out;
    const size_t nnz = (size_t)(end - begin);
    void *colidx = guarded_allocate(&b->heap, nnz * b->s.index_size);
    void *values = guarded_allocate(&b->heap, nnz * sizeof(double));
    const spgemm_csr got =
        spgemm_csr_view(1, b->B.ncols, end - begin, NULL, colidx, values,
                        b->A.index_type, SPGEMM_FP64);
    spgemm_output_open_direct(&out, end - begin, colidx, values, row_nnz);
    cr_assert(b->c.kernels->numeric(&b->c.ops, range, &b->s, &out));
    cr_assert_eq(spgemm_output_close(&out), end - begin);
    expect_entries(b, begin, end, &got);
    guarded_release(&b->heap, colidx);
    guarded_release(&b->heap, values);
    cr_assert_eq(atomic_load(&b->heap.damaged), 0, "written outside");
}

/* nnz of the rows or, of a part, of the part. */
static void expect_counts(const numeric_bench *b, const row_range *range,
                          const int64_t *row_nnz, int64_t of_part)
{
    for (int64_t i = range->row_begin; i < range->row_end; i++)
        cr_assert_eq(row_nnz[i - range->row_begin],
                     range->parts > 0
                         ? of_part
                         : b->want.rowptr[i + 1] - b->want.rowptr[i]);
}

static void expect_rows(numeric_bench *b, int64_t row_begin, int64_t row_end)
{
    const row_range range = {.row_begin = row_begin, .row_end = row_end};
    int64_t *row_nnz = must_allocate(row_end - row_begin, sizeof *row_nnz);
    expect_range(b, &range, row_nnz, b->want.rowptr[row_begin],
                 b->want.rowptr[row_end]);
    expect_counts(b, &range, row_nnz, 0);
    cr_assert(
        b->c.kernels->symbolic(&b->c.ops, NULL, &range, &b->counting, row_nnz));
    expect_counts(b, &range, row_nnz, 0);
    free(row_nnz);
}

/* Row i in `parts` ranges of its columns. */
static void expect_parts(numeric_bench *b, int64_t i, int64_t parts)
{
    int64_t p = b->want.rowptr[i];
    for (int64_t t = 0; t < parts; t++) {
        const row_range range = {.row_begin = i,
                                 .row_end = i + 1,
                                 .col_begin = t * b->B.ncols / parts,
                                 .col_end = (t + 1) * b->B.ncols / parts,
                                 .parts = parts,
                                 .is_last = t == parts - 1};
        const int64_t begin = p;
        int64_t nnz;
        while (p < b->want.rowptr[i + 1] &&
               column_of(&b->want, p) < range.col_end)
            p++;
        expect_range(b, &range, &nnz, begin, p);
        expect_counts(b, &range, &nnz, p - begin);
        cr_assert(b->c.kernels->symbolic(&b->c.ops, NULL, &range, &b->counting,
                                         &nnz));
        expect_counts(b, &range, &nnz, p - begin);
    }
}

static void expect_all_rows(numeric_bench *b, dice *d)
{
    const int64_t nrows = b->A.nrows;
    for (int64_t i = 0; i < nrows; i++) {
        expect_rows(b, i, i + 1);
        expect_rows(b, 0, i + 1);
        expect_rows(b, i, i + 1 + dice_below(d, nrows - i));
        if (b->c.ops.b_is_sorted)
            expect_parts(b, i, 1 + dice_below(d, 5));
    }
}

ParameterizedTestParameters(numeric, ends_with_its_last_entry)
{
    const size_t count = 40;
    int *seeds = cr_malloc(count * sizeof *seeds);
    for (size_t t = 0; t < count; t++)
        seeds[t] = (int)t;
    return cr_make_param_array(int, seeds, count, NULL);
}

ParameterizedTest(int *seed, numeric, ends_with_its_last_entry)
{
    numeric_bench b;
    maker m = {{(uint64_t)*seed * 31 + 1},
               *seed % 8 == 7 ? SPGEMM_I64 : SPGEMM_I32,
               *seed % 2 ? VALUES_SPECIAL : VALUES_ARBITRARY};
    const int64_t inner = 30 + dice_below(&m.dice, 100);
    const int64_t ncols = *seed % 4 ? 400 : 100000;
    spgemm_csr A = make_mixture(&m, 60, inner, *seed);
    spgemm_csr B = make_mixture(&m, inner, 30 + dice_below(&m.dice, ncols),
                                *seed / MIXTURE_HABITS);
    begin_bench(&b, A, B);
    expect_all_rows(&b, &m.dice);
    end_bench(&b);
}

Test(numeric, ends_with_the_last_row_of_a_stencil)
{
    for (int64_t halfwidth = 0; halfwidth <= 8; halfwidth++) {
        numeric_bench b;
        maker m = {{(uint64_t)halfwidth + 1}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A = make_banded(&m, 60, halfwidth, 1.0);
        spgemm_csr B = make_banded(&m, 60, halfwidth, 1.0);
        begin_bench(&b, A, B);
        expect_all_rows(&b, &m.dice);
        end_bench(&b);
    }
}

Test(numeric, ends_with_the_last_row_of_unsorted_matrices)
{
    for (int64_t per_row = 1; per_row <= 9; per_row++) {
        numeric_bench b;
        maker m = {{(uint64_t)per_row}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A = make_jumbled(&m, 40, 50, per_row);
        spgemm_csr B = make_jumbled(&m, 50, 60, per_row);
        begin_bench(&b, A, B);
        expect_all_rows(&b, &m.dice);
        end_bench(&b);
    }
}
