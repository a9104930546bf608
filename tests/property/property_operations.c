/* SPDX-License-Identifier: BSD-3-Clause */
/* C = op(A)(rows, :) op(B)(:, cols) is the product of the matrices transposed
   and selected one by one, bit for bit. */
#include "expect.h"
#include "spgemm/predict.h"

static const int thread_counts[] = {1, 2, 7};

/* A list of rows or columns, or none. */
typedef struct list {
    const char *name;
    int64_t *numbers;
    int64_t count;
} list;

static list no_list(void)
{
    return (list){"all", NULL, 0};
}

/* From `first` on, every step-th of `limit`; not empty. */
static list every(const char *name, int64_t first, int64_t step, int64_t limit)
{
    list made = {.name = name};
    made.numbers = must_allocate(limit, sizeof *made.numbers);
    for (int64_t j = first; j < limit; j += step)
        made.numbers[made.count++] = j;
    return made;
}

/* `count` numbers below `limit`, in any order, some again. */
static list any(const char *name, int64_t count, int64_t limit)
{
    dice d = {(uint64_t)count + 1};
    list made = {.name = name, .count = count};
    made.numbers = must_allocate(count, sizeof *made.numbers);
    for (int64_t t = 0; t < count; t++)
        made.numbers[t] = dice_below(&d, limit);
    return made;
}

static spgemm_csr transpose(const spgemm_csr *A)
{
    spgemm_csr T = {0};
    cr_assert_eq(spgemm_csr_transpose(&T, A), SPGEMM_SUCCESS);
    return T;
}

/* The matrix itself when it is not to be transposed; free with free_op(). */
static spgemm_csr apply(const spgemm_csr *A, spgemm_operation op)
{
    return op == SPGEMM_OP_NONE ? *A : transpose(A);
}

static void free_op(spgemm_csr *A, spgemm_operation op)
{
    if (op != SPGEMM_OP_NONE)
        spgemm_csr_destroy(A);
}

static spgemm_csr select_rows(const spgemm_csr *A, const list *rows)
{
    csr_builder b =
        build_begin(rows->numbers ? rows->count : A->nrows, A->ncols);
    for (int64_t t = 0; t < b.nrows; t++) {
        const int64_t i = rows->numbers ? rows->numbers[t] : t;
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            build_add(&b, column_of(A, p), value_of(A, p));
        build_end_row(&b);
    }
    return build_finish(&b, A->index_type);
}

static int64_t find(const list *cols, int64_t j)
{
    for (int64_t u = 0; u < cols->count; u++)
        if (cols->numbers[u] == j)
            return u;
    return -1;
}

static spgemm_csr select_cols(const spgemm_csr *A, const list *cols)
{
    csr_builder b =
        build_begin(A->nrows, cols->numbers ? cols->count : A->ncols);
    for (int64_t i = 0; i < A->nrows; i++) {
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const int64_t j = column_of(A, p);
            const int64_t u = cols->numbers ? find(cols, j) : j;
            if (u >= 0)
                build_add(&b, u, value_of(A, p));
        }
        build_end_row(&b);
    }
    return build_finish(&b, A->index_type);
}

/* X and Y are operands: what is multiplied is op_a(X) and op_b(Y). */
static spgemm_csr want_product(const spgemm_csr *X, const spgemm_csr *Y,
                               const spgemm_options *o, const list *rows,
                               const list *cols)
{
    spgemm_csr A = apply(X, o->product.op_a);
    spgemm_csr B = apply(Y, o->product.op_b);
    spgemm_csr left = select_rows(&A, rows);
    spgemm_csr right = select_cols(&B, cols);
    spgemm_csr want = reference_multiply(&left, &right);
    free_csr(&left);
    free_csr(&right);
    free_op(&A, o->product.op_a);
    free_op(&B, o->product.op_b);
    return want;
}

static void expect_selected(const spgemm_csr *X, const spgemm_csr *Y,
                            spgemm_options o, const list *rows,
                            const list *cols, const char *name)
{
    char text[160];
    o.product.rows = rows->numbers;
    o.product.nrows = rows->count;
    o.product.cols = cols->numbers;
    o.product.ncols = cols->count;
    spgemm_csr want = want_product(X, Y, &o, rows, cols);
    for (size_t n = 0; n < 3; n++) {
        o.resources.nthreads = thread_counts[n];
        snprintf(text, sizeof text,
                 "%s, op %d and %d, rows %s, columns %s, %d threads", name,
                 (int)o.product.op_a, (int)o.product.op_b, rows->name,
                 cols->name, o.resources.nthreads);
        const size_t v =
            (size_t)(o.product.op_a + o.product.op_b + rows->count) + n;
        expect_product(&multiply_variants[v % VARIANT_COUNT], X, Y, &o, &want,
                       text);
    }
    free_csr(&want);
}

/* Every choice of rows and columns of op_a(X) op_b(Y), which is m-by-n. */
static void expect_operation(const spgemm_csr *X, const spgemm_csr *Y,
                             spgemm_options o, int64_t m, int64_t n,
                             const char *name)
{
    list rows[] = {no_list(), every("few", 0, 7, m), every("most", 0, 1, m),
                   any("few in any order", 1 + m / 9, m),
                   any("many, some twice", 2 * m, m)};
    list cols[] = {no_list(), every("a range", n / 3, 1, n - n / 3),
                   every("every third", 1, 3, n)};
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 3; c++)
            expect_selected(X, Y, o, &rows[r], &cols[c], name);
    for (int r = 0; r < 5; r++)
        free(rows[r].numbers);
    for (int c = 0; c < 3; c++)
        free(cols[c].numbers);
}

/* A*B, of operands of which either is stored transposed. */
static void expect_operations(const spgemm_csr *A, const spgemm_csr *B,
                              const char *name)
{
    spgemm_csr At = transpose(A);
    spgemm_csr Bt = transpose(B);
    for (int op_a = 0; op_a < 3; op_a++)
        for (int op_b = 0; op_b < 3; op_b++)
            expect_operation(
                op_a ? &At : A, op_b ? &Bt : B,
                (spgemm_options){.product.op_a = (spgemm_operation)op_a,
                                 .product.op_b = (spgemm_operation)op_b},
                A->nrows, B->ncols, name);
    spgemm_csr_destroy(&At);
    spgemm_csr_destroy(&Bt);
}

Test(operations, are_those_of_matrices_made_one_by_one)
{
    for (int type = 0; type < 2; type++) {
        maker m = {{4}, (spgemm_index_type)type, VALUES_ARBITRARY};
        spgemm_csr pairs[][2] = {
            {make_uniform(&m, 60, 90, 6), make_uniform(&m, 90, 50, 5)},
            {make_jumbled(&m, 50, 20, 9), make_jumbled(&m, 20, 40, 12)},
            {make_fem(&m, 30, 2, 3), make_fem(&m, 30, 3, 3)},
            {make_hypersparse(&m, 300, 80, 40), make_banded(&m, 80, 3, 0.7)},
            {make_one_column(&m, 70, 10, 3), make_one_row(&m, 10, 90, 3, 90)},
        };
        for (size_t t = 0; t < sizeof pairs / sizeof pairs[0]; t++) {
            char name[20];
            snprintf(name, sizeof name, "pair %zu", t);
            expect_operations(&pairs[t][0], &pairs[t][1], name);
            free_csr(&pairs[t][0]);
            free_csr(&pairs[t][1]);
        }
    }
}

/* Large enough for several threads at each step. */
Test(operations, are_shared_by_threads)
{
    maker m = {{5}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A = make_jumbled(&m, 9000, 8000, 12);
    spgemm_csr B = make_jumbled(&m, 9000, 700, 10);
    list rows[] = {no_list(), every("every fifth", 0, 5, 8000),
                   any("any", 20000, 8000)};
    list cols[] = {no_list(), every("every third", 0, 3, 700)};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 2; c++)
            expect_selected(
                &A, &B, (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE},
                &rows[r], &cols[c], "large");
    for (int r = 0; r < 3; r++)
        free(rows[r].numbers);
    free(cols[1].numbers);
    free_csr(&A);
    free_csr(&B);
}

/* One matrix as both operands, in each combination. */
Test(operations, take_a_matrix_that_is_both_operands)
{
    maker m = {{6}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr squares[] = {make_jumbled(&m, 80, 80, 7), make_fem(&m, 25, 2, 3),
                            make_empty(&m, 5, 5)};
    for (int t = 0; t < 3; t++) {
        spgemm_csr *A = &squares[t];
        for (int op_a = 0; op_a < 3; op_a++)
            for (int op_b = 0; op_b < 3; op_b++)
                expect_operation(
                    A, A,
                    (spgemm_options){.product.op_a = (spgemm_operation)op_a,
                                     .product.op_b = (spgemm_operation)op_b},
                    A->nrows, A->ncols, "both");
        free_csr(A);
    }
}

/* Not square: A A' and A' A. */
Test(operations, multiply_a_matrix_and_its_transpose)
{
    maker m = {{6}, SPGEMM_I64, VALUES_ARBITRARY};
    spgemm_csr A = make_uniform(&m, 60, 90, 6);
    expect_operation(&A, &A,
                     (spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE}, 90,
                     90, "A'A");
    expect_operation(
        &A, &A, (spgemm_options){.product.op_b = SPGEMM_OP_CONJUGATE_TRANSPOSE},
        60, 60, "AA'");
    free_csr(&A);
}

Test(operations, turn_empty_shapes)
{
    static const int64_t shapes[][3] = {{0, 0, 0}, {0, 5, 7}, {6, 0, 5},
                                        {6, 4, 0}, {0, 0, 3}, {3, 0, 0}};
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    const list all = no_list();
    for (int t = 0; t < 6; t++) {
        spgemm_csr A = make_empty(&m, shapes[t][0], shapes[t][1]);
        spgemm_csr B = make_empty(&m, shapes[t][1], shapes[t][2]);
        spgemm_csr At = transpose(&A);
        spgemm_csr Bt = transpose(&B);
        for (int op = 0; op < 4; op++) {
            const spgemm_options o = {
                .product.op_a = op & 1 ? SPGEMM_OP_TRANSPOSE : SPGEMM_OP_NONE,
                .product.op_b = op & 2 ? SPGEMM_OP_TRANSPOSE : SPGEMM_OP_NONE};
            expect_selected(op & 1 ? &At : &A, op & 2 ? &Bt : &B, o, &all, &all,
                            "empty");
        }
        spgemm_csr_destroy(&At);
        spgemm_csr_destroy(&Bt);
        free_csr(&A);
        free_csr(&B);
    }
}

static void expect_status(const spgemm_csr *A, const spgemm_csr *B,
                          const spgemm_options *o, spgemm_status want,
                          const char *what)
{
    spgemm_prediction prediction;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        spgemm_csr C = {.nrows = 77};
        cr_expect_eq(multiply_variants[v].multiply(&C, A, B, o, NULL), want,
                     "%s", what);
        cr_expect_eq(C.nrows, 77);
    }
    cr_expect_eq(spgemm_predict(&prediction, A, B, o, NULL), want, "%s", what);
}

Test(operations, check_the_shapes_of_what_is_multiplied)
{
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 6, 9, 2);
    spgemm_csr B = make_uniform(&m, 9, 6, 2);
    const spgemm_options none = {0};
    const spgemm_options left = {.product.op_a = SPGEMM_OP_TRANSPOSE};
    const spgemm_options right = {.product.op_b = SPGEMM_OP_TRANSPOSE};
    expect_status(&A, &A, &none, SPGEMM_ERROR_SHAPE, "A A");
    expect_status(&A, &B, &left, SPGEMM_ERROR_SHAPE, "A' B");
    expect_status(&A, &B, &right, SPGEMM_ERROR_SHAPE, "A B'");
    free_csr(&A);
    free_csr(&B);
}

Test(operations, refuse_lists_that_cannot_be)
{
    static const int64_t outside[] = {0, 9};
    static const int64_t negative[] = {-1, 3};
    static const int64_t twice[] = {3, 3};
    static const int64_t back[] = {4, 3};
    const spgemm_options wrong[] = {
        {.product.rows = outside, .product.nrows = 2},
        {.product.rows = negative, .product.nrows = 2},
        {.product.cols = outside, .product.ncols = 2},
        {.product.cols = negative, .product.ncols = 2},
        {.product.cols = twice, .product.ncols = 2},
        {.product.cols = back, .product.ncols = 2},
    };
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 9, 9, 2);
    spgemm_csr B = make_uniform(&m, 9, 9, 2);
    for (size_t t = 0; t < sizeof wrong / sizeof wrong[0]; t++)
        for (int op = 0; op < 3; op++) {
            char what[40];
            spgemm_options o = wrong[t];
            o.product.op_a = o.product.op_b = (spgemm_operation)op;
            snprintf(what, sizeof what, "list %zu, op %d", t, op);
            expect_status(&A, &B, &o, SPGEMM_ERROR_INVALID, what);
            expect_status(&A, &A, &o, SPGEMM_ERROR_INVALID, what);
        }
    free_csr(&A);
    free_csr(&B);
}

/* Of the rows of C, whichever rows of A they are. */
static double answer(void *context, int64_t row, int64_t products)
{
    int64_t *most = context;
    if (row > *most)
        *most = row;
    return (double)products;
}

Test(operations, predict_the_rows_of_c)
{
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 500, 400, 4);
    list rows = any("any", 700, 400);
    int64_t most = -1;
    double row_nnz[700];
    spgemm_prediction prediction;
    const spgemm_options o = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                              .product.rows = rows.numbers,
                              .product.nrows = rows.count,
                              .predict.method = SPGEMM_PREDICTOR_CALLER,
                              .predict.row_nnz = answer,
                              .predict.row_nnz_context = &most,
                              .resources.nthreads = 1};
    const spgemm_csr pattern = {.nrows = A.nrows,
                                .ncols = A.ncols,
                                .nnz = A.nnz,
                                .rowptr = A.rowptr,
                                .colidx = A.colidx};
    cr_assert_eq(spgemm_predict(&prediction, &pattern, &pattern, &o, row_nnz),
                 SPGEMM_SUCCESS);
    cr_expect_eq(most, 699);
    double sum = 0;
    for (int t = 0; t < 700; t++)
        sum += row_nnz[t];
    cr_expect_eq(sum, (double)prediction.products);
    free(rows.numbers);
    free_csr(&A);
}

Test(operations, are_timed_when_there_are_any)
{
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 500, 500, 4);
    spgemm_report report;
    spgemm_csr C = expect_success(&multiply_variants[0], &A, &A, NULL, &report);
    cr_expect_eq(report.operands_seconds, 0);
    spgemm_csr_destroy(&C);
    C = expect_success(&multiply_variants[0], &A, &A,
                       &(spgemm_options){.product.op_a = SPGEMM_OP_TRANSPOSE},
                       &report);
    cr_expect_gt(report.operands_seconds, 0);
    cr_expect_gt(report.check_seconds, 0);
    cr_expect_lt(report.operands_seconds + report.check_seconds,
                 report.total_seconds);
    spgemm_csr_destroy(&C);
    free_csr(&A);
}

/* What is made on the way counts. */
Test(operations, keep_to_the_memory_limit)
{
    maker m = {{6}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_jumbled(&m, 900, 800, 9);
    list rows = any("any", 200, 800);
    spgemm_options o = {.product.op_a = SPGEMM_OP_TRANSPOSE,
                        .product.rows = rows.numbers,
                        .product.nrows = rows.count,
                        .resources.nthreads = 1};
    spgemm_csr want = want_product(&A, &A, &o, &rows, &(list){0});
    int refused = 0;
    int passed = 0;
    for (size_t limit = 1000; limit < 100000000; limit += limit / 3) {
        spgemm_csr C = {0};
        spgemm_report report;
        o.resources.memory_limit_bytes = limit;
        const spgemm_status status = spgemm_predicted(&C, &A, &A, &o, &report);
        cr_expect_leq(report.peak_bytes, limit);
        if (status == SPGEMM_SUCCESS)
            expect_agree(&C, &want, "within its limit");
        else
            cr_expect_eq(status, SPGEMM_ERROR_MEMORY_LIMIT);
        passed += status == SPGEMM_SUCCESS;
        refused += status != SPGEMM_SUCCESS;
        spgemm_csr_destroy(&C);
    }
    cr_expect_gt(passed, 0);
    cr_expect_gt(refused, 10);
    free_csr(&want);
    free(rows.numbers);
    free_csr(&A);
}
