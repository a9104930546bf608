/* SPDX-License-Identifier: BSD-3-Clause */
/* R A P in one call is W = A P and R W by two, bit for bit: through a window, and
   where W is made as a whole. */
#include <string.h>

#include "spgemm/rap.h"

#include "build_csr.h"
#include "dice.h"
#include "expect.h"
#include "failing_allocator.h"
#include "generate.h"
#include "spgemm/rap_steps.h"

/* What spgemm_rap() takes, and whether a window is asked for. */
typedef struct triple {
    spgemm_csr R; /* empty: P transposed */
    spgemm_csr A;
    spgemm_csr P;
} triple;

static const spgemm_csr *R_of(const triple *t)
{
    return t->R.rowptr ? &t->R : NULL;
}

static void free_triple(triple *t)
{
    free_csr(&t->R);
    free_csr(&t->A);
    free_csr(&t->P);
}

/* C by two calls. */
static spgemm_csr two_calls(const triple *t, const spgemm_options *all,
                            spgemm_report *of_W, spgemm_report *of_C)
{
    spgemm_csr W;
    spgemm_csr C;
    const spgemm_options first = {.product.semiring = all->product.semiring,
                                  .product.op_b = all->product.op_b,
                                  .product.cols = all->product.cols,
                                  .product.ncols = all->product.ncols,
                                  .resources.nthreads =
                                      all->resources.nthreads};
    spgemm_options second = *all;
    second.product.op_b = SPGEMM_OP_NONE;
    second.product.cols = NULL;
    second.product.ncols = 0;
    second.resources.out = NULL;
    if (!R_of(t) && second.product.op_a == SPGEMM_OP_NONE)
        second.product.op_a = SPGEMM_OP_TRANSPOSE;
    cr_assert_eq(spgemm_predicted(&W, &t->A, &t->P, &first, of_W),
                 SPGEMM_SUCCESS, "%s", spgemm_error_text());
    cr_assert_eq(
        spgemm_predicted(&C, R_of(t) ? &t->R : &t->P, &W, &second, of_C),
        SPGEMM_SUCCESS, "%s", spgemm_error_text());
    spgemm_csr_destroy(&W);
    return C;
}

/* What each step took is part of the whole, and of no other step. */
static double seconds_of_steps(const spgemm_report *r)
{
    return r->operands_seconds + r->check_seconds + r->products_seconds +
           r->predict_seconds + r->allocate_seconds + r->multiply_seconds +
           r->compact_seconds;
}

static void expect_rap(const triple *t, spgemm_options options,
                       const char *name)
{
    static const double windows[] = {RAP_CHAINED, 0.0, 2e4, 4e6};
    spgemm_report of_W;
    spgemm_report of_C;
    spgemm_csr want = two_calls(t, &options, &of_W, &of_C);
    for (int nthreads = 1; nthreads <= 3; nthreads++)
        for (int w = 0; w < 4; w++) {
            spgemm_csr C = {0};
            spgemm_report report;
            memset(&report, 0xa5, sizeof report);
            options.resources.nthreads = nthreads;
            const spgemm_status status = spgemm_rap_within(
                &C, R_of(t), &t->A, &t->P, &options, &report, windows[w]);
            cr_assert_eq(status, SPGEMM_SUCCESS, "%s: %s", name,
                         spgemm_error_text());
            cr_assert(spgemm_csr_equal(&C, &want), "%s: not the same, by %d",
                      name, nthreads);
            cr_assert_eq(C.flags & SPGEMM_SORTED_ROWS,
                         want.flags & SPGEMM_SORTED_ROWS, "%s", name);
            cr_assert_eq(report.nnz, want.nnz, "%s", name);
            cr_assert_eq(report.c_bytes, of_C.c_bytes, "%s", name);
            cr_assert_geq(report.allocated_bytes,
                          options.resources.out ? 0 : report.c_bytes, "%s",
                          name);
            cr_assert_eq(report.row_order, of_C.row_order, "%s", name);
            cr_assert_leq(seconds_of_steps(&report),
                          report.total_seconds + 1e-6, "%s", name);
            spgemm_csr_destroy(&C);
        }
    spgemm_csr_destroy(&want);
}

/* ---- Patterns -------------------------------------------------------------- */

/* A band of A, and P of which each column is `each` rows and their neighbours: the
   aggregates of a line. */
static triple make_line(maker *m, int64_t rows, int64_t each, bool has_R)
{
    triple t = {.A = make_banded(m, rows, 3, 0.9)};
    const int64_t ncols = rows / each + 1;
    csr_builder P = build_begin(rows, ncols);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t from = i > 2 ? (i - 2) / each : 0;
        for (int64_t j = from; j <= (i + 2) / each && j < ncols; j++)
            build_add(&P, j, make_value(m));
        build_end_row(&P);
    }
    t.P = build_finish(&P, m->index_type);
    if (!has_R)
        return t;
    csr_builder R = build_begin(ncols, rows);
    for (int64_t i = 0; i < ncols; i++) {
        for (int64_t k = i * each - 2; k < (i + 2) * each; k++)
            if (k >= 0 && k < rows)
                build_add(&R, k, make_value(m));
        build_end_row(&R);
    }
    t.R = build_finish(&R, m->index_type);
    return t;
}

/* R A P of rows anywhere, some empty, some columns twice and in no order. */
static triple make_scattered(maker *m, dice *d)
{
    int64_t sizes[4];
    spgemm_csr made[3];
    for (int s = 0; s < 4; s++)
        sizes[s] = dice_below(d, 60);
    for (int x = 0; x < 3; x++) {
        csr_builder b = build_begin(sizes[x], sizes[x + 1]);
        for (int64_t i = 0; i < sizes[x]; i++) {
            int64_t count = dice_below(d, 6);
            for (; sizes[x + 1] > 0 && count > 0; count--)
                build_add(&b, dice_below(d, sizes[x + 1]), make_value(m));
            build_end_row(&b);
        }
        made[x] = build_finish(&b, m->index_type);
    }
    return (triple){made[0], made[1], made[2]};
}

/* R has row n - 1 - i in the place of row i: all of W is needed to the end. */
static void reverse_rows(triple *t)
{
    csr_builder b = build_begin(t->R.nrows, t->R.ncols);
    for (int64_t i = t->R.nrows - 1; i >= 0; i--) {
        for (int64_t p = t->R.rowptr[i]; p < t->R.rowptr[i + 1]; p++)
            build_add(&b, column_of(&t->R, p), value_of(&t->R, p));
        build_end_row(&b);
    }
    const spgemm_index_type type = t->R.index_type;
    free_csr(&t->R);
    t->R = build_finish(&b, type);
}

Test(rap, of_lines)
{
    for (int type = 0; type < 2; type++)
        for (int64_t each = 1; each <= 4; each++)
            for (int has_R = 0; has_R < 2; has_R++) {
                maker m = {
                    {7}, type ? SPGEMM_I64 : SPGEMM_I32, VALUES_ARBITRARY};
                triple t = make_line(&m, 4000, each, has_R);
                expect_rap(&t, (spgemm_options){0}, "line");
                free_triple(&t);
            }
}

Test(rap, of_rows_in_reverse)
{
    maker m = {{9}, SPGEMM_I32, VALUES_ARBITRARY};
    triple t = make_line(&m, 4000, 3, true);
    reverse_rows(&t);
    expect_rap(&t, (spgemm_options){0}, "reverse");
    free_triple(&t);
}

Test(rap, of_anything)
{
    dice d = {11};
    for (int round = 0; round < 300; round++) {
        maker m = {{(uint64_t)round},
                   round % 2 ? SPGEMM_I64 : SPGEMM_I32,
                   VALUES_ARBITRARY};
        triple t = make_scattered(&m, &d);
        expect_rap(&t, (spgemm_options){0}, "anything");
        free_triple(&t);
    }
}

/* ---- Rows of the same columns ----------------------------------------------- */

/* Points of a line with some unknowns each, aggregates of `each` points with some
   columns each: so many rows of P^T one after the other have the same columns. */
static triple make_points(maker *m, int64_t points, int64_t each,
                          int64_t unknowns, int64_t columns)
{
    const int64_t rows = points * unknowns;
    csr_builder A = build_begin(rows, rows);
    csr_builder P = build_begin(rows, (points + each - 1) / each * columns);
    for (int64_t i = 0; i < rows; i++) {
        const int64_t point = i / unknowns;
        for (int64_t j = (point - 1) * unknowns; j < (point + 2) * unknowns;
             j++)
            if (j >= 0 && j < rows)
                build_add(&A, j, make_value(m));
        for (int64_t j = 0; j < columns; j++)
            build_add(&P, point / each * columns + j, make_value(m));
        build_end_row(&A);
        build_end_row(&P);
    }
    return (triple){.A = build_finish(&A, m->index_type),
                    .P = build_finish(&P, m->index_type)};
}

/* Some rows to a group, and all of them in one: more than a block has. */
Test(rap, of_rows_in_groups)
{
    static const int64_t columns[] = {1, 2, 3, 4, 6, 7, 13};
    for (int type = 0; type < 2; type++)
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            maker m = {{k}, type ? SPGEMM_I64 : SPGEMM_I32, VALUES_ARBITRARY};
            triple t = make_points(&m, 1000, 3, 1 + (int64_t)k % 4, columns[k]);
            expect_rap(&t, (spgemm_options){0}, "groups");
            free_triple(&t);
        }
    maker m = {{23}, SPGEMM_I32, VALUES_ARBITRARY};
    triple t = make_points(&m, 30, 30, 3, 1000);
    expect_rap(&t, (spgemm_options){0}, "one group");
    free_triple(&t);
}

/* No group is cut, by blocks or by the parts in which a team makes them: each row
   of A P is made once, and it is made beside C where nobody asks for that. */
Test(rap, makes_what_a_group_needs_once)
{
    static const double windows[] = {RAP_CHAINED, 4e6};
    for (int64_t columns = 3; columns <= 6; columns += 3) {
        maker m = {{25}, SPGEMM_I32, VALUES_INTEGER};
        triple t = make_points(&m, 20000, 3, 3, columns);
        for (int nthreads = 1; nthreads <= 5; nthreads++)
            for (int w = 0; w < 2; w++) {
                spgemm_csr C = {0};
                spgemm_report report;
                const spgemm_options options = {.resources.nthreads = nthreads};
                cr_assert_eq(spgemm_rap_within(&C, NULL, &t.A, &t.P, &options,
                                               &report, windows[w]),
                             SPGEMM_SUCCESS);
                cr_assert_eq(
                    report.rows_by_accumulator[SPGEMM_ACCUMULATOR_DENSE],
                    t.P.ncols + t.A.nrows, "%d threads, window %d", nthreads,
                    w);
                spgemm_csr_destroy(&C);
            }
        free_triple(&t);
    }
}

/* ---- Options --------------------------------------------------------------- */

/* What is asked of C is asked of each of its rows, slab by slab. */
Test(rap, takes_the_options_of_a_product)
{
    maker m = {{13}, SPGEMM_I32, VALUES_ARBITRARY};
    triple t = make_line(&m, 6000, 3, true);
    const int64_t n = t.R.nrows;
    spgemm_csr D = make_banded(&m, n, 4, 0.5);
    int64_t rows[500];
    int64_t cols[500];
    const double two = 2.0;
    for (int64_t s = 0; s < 500; s++) {
        rows[s] = (s * s * 7) % n;
        cols[s] = s * (t.P.ncols / 500);
    }
    const spgemm_options all[] = {
        {.product.D = &D, .product.beta = &two},
        {.product.alpha = &two},
        {.filter.mask = &D},
        {.filter.mask = &D, .filter.mask_mode = SPGEMM_MASK_COMPLEMENT},
        {.filter.mask = &D, .product.D = &D},
        {.filter.keep_top = 3},
        {.filter.drop_tolerance = 0.7},
        {.product.row_order = SPGEMM_ROWS_UNSORTED},
        {.product.semiring = SPGEMM_MIN_PLUS},
        {.product.rows = rows, .product.nrows = 500},
        {.product.cols = cols, .product.ncols = 500},
        {.predict.slack = 1.0},
        {.predict.slack = 50.0},
        {.resources.input_check = SPGEMM_CHECK_NONE},
    };
    for (size_t o = 0; o < sizeof all / sizeof *all; o++) {
        char name[32];
        snprintf(name, sizeof name, "options %zu", o);
        expect_rap(&t, all[o], name);
    }
    free_csr(&D);
    free_triple(&t);
}

Test(rap, writes_into_arrays_of_the_caller)
{
    maker m = {{15}, SPGEMM_I32, VALUES_ARBITRARY};
    triple t = make_line(&m, 6000, 3, true);
    const int64_t capacity = 40 * t.R.nrows;
    for (int64_t share = 1; share <= 64; share *= 8) {
        const spgemm_out out = {
            .rowptr = must_allocate(t.R.nrows + 1, sizeof(int64_t)),
            .colidx = must_allocate(capacity, sizeof(int32_t)),
            .values = must_allocate(capacity, sizeof(double)),
            .capacity = capacity / share};
        expect_rap(&t, (spgemm_options){.resources.out = &out}, "out");
        free(out.rowptr);
        free(out.colidx);
        free(out.values);
    }
    free_triple(&t);
}

/* ---- Memory ---------------------------------------------------------------- */

/* Of W only some rows are held: the call takes less than W and C. */
Test(rap, holds_a_part_of_the_first_product)
{
    maker m = {{17}, SPGEMM_I32, VALUES_INTEGER};
    triple t = make_line(&m, 200000, 3, true);
    spgemm_report of_W;
    spgemm_report of_C;
    spgemm_report report;
    spgemm_csr C = {0};
    const spgemm_options options = {.resources.nthreads = 1};
    spgemm_csr want = two_calls(&t, &options, &of_W, &of_C);
    cr_assert_eq(
        spgemm_rap_within(&C, &t.R, &t.A, &t.P, &options, &report, 1e5),
        SPGEMM_SUCCESS);
    cr_assert(spgemm_csr_equal(&C, &want));
    cr_assert_lt((double)report.peak_bytes,
                 0.6 * (double)(of_W.c_bytes + of_C.peak_bytes));
    spgemm_csr_destroy(&C);

    /* Within a limit that two calls would not keep; too little is refused. */
    spgemm_options limited = options;
    limited.resources.memory_limit_bytes = report.peak_bytes + 100000;
    cr_assert_eq(
        spgemm_rap_within(&C, &t.R, &t.A, &t.P, &limited, &report, 1e5),
        SPGEMM_SUCCESS, "%s", spgemm_error_text());
    cr_assert(spgemm_csr_equal(&C, &want));
    cr_assert_leq(report.peak_bytes, limited.resources.memory_limit_bytes);
    spgemm_csr_destroy(&C);
    limited.resources.memory_limit_bytes = of_C.c_bytes / 2;
    cr_assert_eq(spgemm_rap(&C, &t.R, &t.A, &t.P, &limited, &report),
                 SPGEMM_ERROR_MEMORY_LIMIT);
    cr_assert(strstr(report.refusal, "memory_limit_bytes"), "%s",
              report.refusal);
    spgemm_csr_destroy(&want);
    free_triple(&t);
}

/* Within any limit a call is done, or refused by that limit's name. */
static void expect_limits_named(const triple *t, double slack,
                                double least_window)
{
    spgemm_options options = {.predict.slack = slack, .resources.nthreads = 1};
    spgemm_report report;
    spgemm_csr C;
    char text[40];
    int done = 0;
    int refused = 0;
    for (size_t limit = 2000; limit < 40000000; limit += limit / 64) {
        options.resources.memory_limit_bytes = limit;
        const spgemm_status status = spgemm_rap_within(
            &C, &t->R, &t->A, &t->P, &options, &report, least_window);
        if (status == SPGEMM_SUCCESS) {
            done++;
            cr_assert_leq(report.peak_bytes, limit);
            cr_assert(report.nnz_standard_error != 0.0 ||
                          report.nnz_predicted == C.nnz,
                      "%zu: %lld predicted, of %lld", limit,
                      (long long)report.nnz_predicted, (long long)C.nnz);
            spgemm_csr_destroy(&C);
            continue;
        }
        refused++;
        snprintf(text, sizeof text, "memory_limit_bytes is %zu", limit);
        cr_assert_eq(status, SPGEMM_ERROR_MEMORY_LIMIT, "%zu: %s", limit,
                     report.refusal);
        cr_assert(strstr(report.refusal, text), "%s", report.refusal);
    }
    cr_assert_gt(done, 10);
    cr_assert_gt(refused, 10);
}

/* Rows of P are long, or short: those that are drawn to predict C may have no room,
   where C has; and the window none, where W as a whole has. */
Test(rap, is_done_or_refused_by_the_limit)
{
    maker m = {{18}, SPGEMM_I32, VALUES_INTEGER};
    triple t = {.R = make_uniform(&m, 1, 27, 14),
                .A = make_uniform(&m, 27, 27, 10),
                .P = make_uniform(&m, 27, 900000, 480)};
    triple u = {.R = make_uniform(&m, 1, 35, 5),
                .A = make_uniform(&m, 35, 35, 6),
                .P = make_uniform(&m, 35, INT32_MAX, 4)};
    expect_limits_named(&t, 0.0, 1e5);
    expect_limits_named(&t, 0.0, 0);
    expect_limits_named(&t, 0.0, -1);
    expect_limits_named(&u, INFINITY, 0);
    expect_limits_named(&u, INFINITY, -1);
    free_triple(&t);
    free_triple(&u);
}

/* ---- Progress -------------------------------------------------------------- */

typedef struct listener {
    double last;
    int asked;
    int cancel_at;
} listener;

static int listen(void *context, double done)
{
    listener *l = context;
    cr_assert(done >= l->last && done <= 1.0, "%g after %g", done, l->last);
    l->last = done;
    return l->asked++ == l->cancel_at;
}

Test(rap, tells_how_far_it_is)
{
    maker m = {{19}, SPGEMM_I32, VALUES_INTEGER};
    triple t = make_line(&m, 50000, 3, true);
    for (int w = 0; w < 2; w++)
        for (int cancel_at = -1; cancel_at < 2; cancel_at++) {
            listener l = {.cancel_at = cancel_at};
            spgemm_csr C = {0};
            const spgemm_options options = {.resources.progress = listen,
                                            .resources.progress_context = &l};
            const spgemm_status status = spgemm_rap_within(
                &C, &t.R, &t.A, &t.P, &options, NULL, w ? 0.0 : 4e6);
            cr_assert_gt(l.asked, 0);
            cr_assert_eq(status, l.asked > cancel_at && cancel_at >= 0
                                     ? SPGEMM_ERROR_CANCELLED
                                     : SPGEMM_SUCCESS);
            spgemm_csr_destroy(&C);
        }
    free_triple(&t);
}

/* ---- Memory that fails ----------------------------------------------------- */

/* Each allocation in turn, alone or with all that follow: refused and clean, or
   done all the same. */
static void fail_each(int64_t nrows, double window, bool has_all_that_follow)
{
    maker m = {{21}, SPGEMM_I32, VALUES_INTEGER};
    triple t = make_line(&m, nrows, 3, true);
    const spgemm_options plain = {.resources.nthreads = 1};
    spgemm_csr want = two_calls(&t, &plain, NULL, NULL);
    failing_allocator *heap = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(heap);
    const spgemm_options options = {.resources.nthreads = 1,
                                    .resources.allocator = &hooks};
    long failed = 0;
    for (long at = 0; at >= 0; at++) {
        spgemm_csr C = {0};
        failing_allocator_arm(heap, at, has_all_that_follow);
        const spgemm_status status =
            spgemm_rap_within(&C, &t.R, &t.A, &t.P, &options, NULL, window);
        const bool is_last = heap->failures == 0;
        failing_allocator_arm(heap, -1, false);
        if (status == SPGEMM_SUCCESS)
            cr_assert(spgemm_csr_equal(&C, &want));
        else
            cr_assert_eq(status, SPGEMM_ERROR_OUT_OF_MEMORY);
        failed += status != SPGEMM_SUCCESS;
        spgemm_csr_destroy(&C);
        cr_assert_eq(heap->live, 0, "%ld: %ld blocks", at, heap->live);
        cr_assert_eq(heap->foreign, 0);
        if (is_last)
            break;
    }
    cr_assert_gt(failed, 10);
    failing_allocator_destroy(heap);
    spgemm_csr_destroy(&want);
    free_triple(&t);
}

/* A slab for each row of R, no slabs, slabs of some rows, and A P as a whole. */
Test(rap, survives_every_failure)
{
    for (int all = 0; all < 2; all++) {
        fail_each(300, 0.0, all);
        fail_each(300, RAP_CHAINED, all);
        fail_each(3000, 2e4, all);
        fail_each(3000, 4e6, all);
    }
}
