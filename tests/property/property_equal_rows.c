/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of equal pattern, in groups: the unknowns of the nodes of a mesh. */
#include <stdlib.h>

#include "every_way.h"
#include "expect.h"

typedef enum disorder { IN_ORDER, REVERSED, REPEATED } disorder;

/* Row i has `runs` runs of `run` columns, the last at the end of the matrix;
   rows of one group have the same, but for the last column of each `odd`-th
   row, which is one less (0: of none). */
typedef struct node_pattern {
    int64_t nrows;
    int64_t ncols;
    int64_t group;
    int64_t runs;
    int64_t run;
    int64_t odd;
    disorder disorder;
} node_pattern;

/* Columns of row i, increasing; returns how many. */
static int64_t list_columns(const node_pattern *n, int64_t i, int64_t *columns)
{
    const int64_t node = i / n->group;
    int64_t count = 0;
    for (int64_t r = 0; r < n->runs; r++) {
        const bool is_last = r == n->runs - 1;
        const int64_t place = (node * 7 + r * 41 + 3) % (n->ncols - n->run);
        const int64_t first = is_last ? n->ncols - n->run : place;
        for (int64_t t = 0; t < n->run; t++)
            columns[count++] = first + t;
    }
    if (n->odd > 0 && i % n->odd == n->odd - 1)
        columns[count - 1] -= n->run;
    sort_numbers(columns, count);
    int64_t kept = 0;
    for (int64_t t = 0; t < count; t++)
        if (kept == 0 || columns[t] != columns[kept - 1])
            columns[kept++] = columns[t];
    return kept;
}

static spgemm_csr make_nodes(maker *m, node_pattern n)
{
    int64_t *columns = must_allocate(n.runs * n.run, sizeof *columns);
    csr_builder b = build_begin(n.nrows, n.ncols);
    for (int64_t i = 0; i < n.nrows; i++) {
        const int64_t count = list_columns(&n, i, columns);
        for (int64_t t = 0; t < count; t++) {
            const int64_t j =
                columns[n.disorder == REVERSED ? count - 1 - t : t];
            build_add(&b, j, make_value(m));
            if (n.disorder == REPEATED && t % 3 == 1)
                build_add(&b, j, make_value(m));
        }
        build_end_row(&b);
    }
    free(columns);
    return build_finish(&b, m->index_type);
}

typedef struct group_choice {
    int64_t group;
    spgemm_index_type index_type;
} group_choice;

static struct criterion_test_params choose_groups(void)
{
    const size_t types = index_type_count();
    const size_t count = 9 * types;
    group_choice *choices = cr_malloc(count * sizeof *choices);
    for (size_t t = 0; t < count; t++)
        choices[t] =
            (group_choice){1 + (int64_t)(t / types), index_types[t % types]};
    return cr_make_param_array(group_choice, choices, count, free_choices);
}

/* All rows of A*B are taken as blocks. */
static void expect_blocks(const group_choice *choice, node_pattern left,
                          node_pattern right, const char *name)
{
    char text[100];
    maker m = {{(uint64_t)choice->group},
               choice->index_type,
               left.odd ? VALUES_SPECIAL : VALUES_ARBITRARY};
    spgemm_csr A = make_nodes(&m, left);
    spgemm_csr B = make_nodes(&m, right);
    const path blocks = all_rows_by(SPGEMM_ACCUMULATOR_SUPERNODE, &A);
    snprintf(text, sizeof text, "%s, groups of %d, runs of %d", name,
             (int)choice->group, (int)left.run);
    expect_every_way(&A, &B, &blocks, 1, text);
    free_csr(&A);
    free_csr(&B);
}

/* Columns of a run of B: `usual`, but for rows alone as many as make them blocks on any
   CPU. */
static int64_t run_of_b(const group_choice *choice, int64_t usual)
{
    return choice->group == 1 ? 40 : usual;
}

static const int64_t runs_of_a[] = {1, 3, 8, 20};
enum { RUNS_OF_A = sizeof runs_of_a / sizeof runs_of_a[0] };

/* All with narrow columns, every other with wide ones. */
ParameterizedTestParameters(equal_rows, are_blocks_in_groups_of_any_size)
{
    return choose_groups();
}

ParameterizedTest(group_choice *choice, equal_rows,
                  are_blocks_in_groups_of_any_size)
{
    for (int t = 0; t < RUNS_OF_A;
         t += choice->index_type == SPGEMM_I64 ? 2 : 1) {
        const int64_t run = runs_of_a[t];
        const node_pattern right = {
            190, 701,     1 + choice->group % 5, 4, run_of_b(choice, 9),
            0,   IN_ORDER};
        const node_pattern left = {101, 190, choice->group, 24 / run + 1,
                                   run, 0,   IN_ORDER};
        expect_blocks(choice, left, right, "in order");
    }
}

ParameterizedTestParameters(equal_rows, may_be_interrupted)
{
    return choose_groups();
}

ParameterizedTest(group_choice *choice, equal_rows, may_be_interrupted)
{
    const node_pattern right = {310, 703,     3, 3, run_of_b(choice, 10),
                                5,   IN_ORDER};
    const node_pattern left = {
        211, 310, 2 * choice->group, 5, 5, 2 + choice->group, IN_ORDER};
    expect_blocks(choice, left, right, "with odd rows");
}

ParameterizedTestParameters(equal_rows, of_a_need_not_be_sorted)
{
    return choose_groups();
}

ParameterizedTest(group_choice *choice, equal_rows, of_a_need_not_be_sorted)
{
    const node_pattern right = {310, 705,     4, 3, run_of_b(choice, 11),
                                0,   IN_ORDER};
    node_pattern left = {150, 310, choice->group, 5, 6, 0, REVERSED};
    expect_blocks(choice, left, right, "reversed");
    left.disorder = REPEATED;
    expect_blocks(choice, left, right, "with duplicates");
}

/* Entry by entry, up to four rows at a time; rows alone are as any. */
ParameterizedTestParameters(equal_rows, are_added_together_where_b_is_scattered)
{
    return choose_groups();
}

ParameterizedTest(group_choice *choice, equal_rows,
                  are_added_together_where_b_is_scattered)
{
    for (int t = 0; t < RUNS_OF_A; t++) {
        const int64_t run = runs_of_a[t];
        maker m = {{(uint64_t)choice->group + 7},
                   choice->index_type,
                   t % 2 ? VALUES_SPECIAL : VALUES_ARBITRARY};
        spgemm_csr A = make_nodes(
            &m, (node_pattern){15 * choice->group, 190, choice->group,
                               24 / run + 1, run, t == 3 ? 9 : 0, IN_ORDER});
        spgemm_csr B =
            make_nodes(&m, (node_pattern){190, 2903, 1, 15, 1, 0, IN_ORDER});
        const path rows =
            all_rows_by(choice->group > 1 ? SPGEMM_ACCUMULATOR_SUPERNODE
                                          : SPGEMM_ACCUMULATOR_DENSE,
                        &A);
        expect_every_way(&A, &B, t == 3 ? NULL : &rows, t == 3 ? 0 : 1,
                         "scattered B");
        free_csr(&A);
        free_csr(&B);
    }
}

/* By a prediction they may be, in a copy of B, unless a column is there twice. */
Test(equal_rows, are_no_blocks_where_b_is_not_sorted)
{
    for (int t = REVERSED; t <= REPEATED; t++) {
        maker m = {{4}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A =
            make_nodes(&m, (node_pattern){150, 310, 3, 5, 6, 0, IN_ORDER});
        spgemm_csr B =
            make_nodes(&m, (node_pattern){310, 705, 4, 3, 11, 0, (disorder)t});
        path rows = all_rows_by(SPGEMM_ACCUMULATOR_DENSE, &A);
        rows.least = t == REPEATED ? A.nrows : 0;
        expect_every_way(&A, &B, &rows, 1, "unsorted B");
        free_csr(&A);
        free_csr(&B);
    }
}

/* Whatever B's rows have in common. */
Test(equal_rows, are_no_blocks_where_rows_of_a_are_alone_and_runs_short)
{
    maker m = {{6}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A =
        make_nodes(&m, (node_pattern){150, 310, 1, 5, 6, 0, IN_ORDER});
    spgemm_csr B =
        make_nodes(&m, (node_pattern){310, 705, 4, 12, 3, 0, IN_ORDER});
    const path rows = all_rows_by(SPGEMM_ACCUMULATOR_DENSE, &A);
    expect_every_way(&A, &B, &rows, 1, "rows alone");
    free_csr(&A);
    free_csr(&B);
}

/* A product whose last column is `last`. */
static void expect_end(spgemm_index_type index_type, int64_t last,
                       spgemm_accumulator accumulator)
{
    maker m = {{5}, index_type, VALUES_ARBITRARY};
    spgemm_csr A = make_nodes(&m, (node_pattern){60, 90, 3, 5, 6, 0, IN_ORDER});
    spgemm_csr B =
        make_nodes(&m, (node_pattern){90, 300, 3, 4, 9, 0, IN_ORDER});
    move_columns(&B, last + 1 - B.ncols);
    const path rows = all_rows_by(accumulator, &A);
    expect_every_way(&A, &B, &rows, 1, "the last columns of wide matrices");
    free_csr(&A);
    free_csr(&B);
}

Test(equal_rows, may_lie_at_the_end_of_the_widest_matrices)
{
    for (int64_t less = 0; less < 9; less++)
        expect_end(SPGEMM_I32, INT32_MAX - 1 - less,
                   SPGEMM_ACCUMULATOR_SUPERNODE);
    const int64_t limit = (int64_t)1 << 34;
    expect_end(SPGEMM_I64, limit - 2, SPGEMM_ACCUMULATOR_SUPERNODE);
    /* Past bitmap rows, entry by entry. */
    expect_end(SPGEMM_I64, limit - 1, SPGEMM_ACCUMULATOR_SUPERNODE);
    expect_end(SPGEMM_I64, INT64_MAX - 1, SPGEMM_ACCUMULATOR_SUPERNODE);
}

/* Rows of C from column 7 on: the window begins at 0. */
static void expect_width(int64_t columns, spgemm_accumulator accumulator)
{
    maker m = {{(uint64_t)columns}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_fem(&m, 10, 1, 4);
    csr_builder b = build_begin(A.ncols, columns + 7);
    for (int64_t k = 0; k < A.ncols; k++) {
        for (int64_t t = 0; t < 9; t++)
            build_add(&b, 7 + t, make_value(&m));
        for (int64_t t = 9; t > 0; t--)
            build_add(&b, columns + 7 - t, make_value(&m));
        build_end_row(&b);
    }
    spgemm_csr B = build_finish(&b, SPGEMM_I32);
    const path rows = all_rows_by(accumulator, &A);
    expect_every_way(&A, &B, &rows, 1, "as wide as blocks may be");
    free_csr(&A);
    free_csr(&B);
}

Test(equal_rows, are_blocks_up_to_65536_columns)
{
    expect_width(65535, SPGEMM_ACCUMULATOR_SUPERNODE);
    expect_width(65536, SPGEMM_ACCUMULATOR_SUPERNODE);
    expect_width(65537, SPGEMM_ACCUMULATOR_DENSE);
}

/* Of a B that large, rows are asked for before they are read, to its end. */
Test(equal_rows, may_be_of_a_large_b)
{
    for (int64_t group = 2; group <= 9; group += 1 + group % 3) {
        const group_choice choice = {group, SPGEMM_I32};
        const node_pattern right = {1500, 1100, 3, 5, 40, 0, IN_ORDER};
        const node_pattern left = {60, 1500, group, 3, 20, 0, IN_ORDER};
        expect_blocks(&choice, left, right, "a large B");
    }
}

/* Rows of some dozen products, which would be sorted were they alone. */
Test(equal_rows, are_blocks_however_short_they_are)
{
    for (int64_t group = 2; group <= 9; group++) {
        const group_choice choice = {group, SPGEMM_I32};
        const node_pattern right = {720, 720, group, 1, 8, 0, IN_ORDER};
        const node_pattern left = {720 - 720 % group, 720, group, 1, 5, 0,
                                   IN_ORDER};
        expect_blocks(&choice, left, right, "short rows");
    }
}

/* Groups of short rows and, between them, rows alone, which are sorted. */
Test(equal_rows, may_lie_between_short_rows)
{
    for (int64_t group = 7; group <= 9; group++) {
        maker m = {{(uint64_t)group}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr B =
            make_nodes(&m, (node_pattern){720, 720, 1, 1, 8, 0, IN_ORDER});
        spgemm_csr A = make_nodes(
            &m, (node_pattern){719, 720, group, 1, 3, group, IN_ORDER});
        const path sorted = {SPGEMM_ACCUMULATOR_ESC, 1, 719, false};
        expect_every_way(&A, &B, &sorted, 1, "between short rows");
        free_csr(&A);
        free_csr(&B);
    }
}

/* Many blocks of rows, groups across their ends. */
Test(equal_rows, may_lie_in_two_units_of_work)
{
    maker m = {{77}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_fem(&m, 150, 2, 7);
    spgemm_report report;
    spgemm_csr C =
        expect_success(&multiply_variants[VARIANT_PREDICTED], &A, &A,
                       &(spgemm_options){.resources.nthreads = 1}, &report);
    spgemm_csr_destroy(&C);
    cr_assert_gt(report.blocks, 10);
    const path blocks = all_rows_by(SPGEMM_ACCUMULATOR_SUPERNODE, &A);
    expect_every_way(&A, &A, &blocks, 1, "many units of work");
    free_csr(&A);
}

/* Rows of B that share no column: C is as large as its bound, and the last
   chunk is full to its end. */
Test(equal_rows, may_fill_their_chunk_to_the_end)
{
    for (int64_t run = 17; run <= 24; run += 2) {
        maker m = {{(uint64_t)run}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A =
            make_nodes(&m, (node_pattern){90, 60, 3, 2, 3, 0, IN_ORDER});
        csr_builder b = build_begin(60, 60 * run);
        for (int64_t k = 0; k < 60; k++) {
            for (int64_t t = 0; t < run; t++)
                build_add(&b, k * run + t, make_value(&m));
            build_end_row(&b);
        }
        spgemm_csr B = build_finish(&b, SPGEMM_I32);
        const path blocks = {SPGEMM_ACCUMULATOR_SUPERNODE, 70, 90, false};
        expect_every_way(&A, &B, &blocks, 1, "no two products meet");
        free_csr(&A);
        free_csr(&B);
    }
}
