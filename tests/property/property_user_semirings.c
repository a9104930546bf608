/* SPDX-License-Identifier: BSD-3-Clause */
/* A caller's semiring, over elements of any size or a type of the table, is
   called for each product once, in the order of A's row. */
#include <stdlib.h>

#include "every_form.h"

/* ---- Bytes, of which no two orders give the same ------------------------- */

typedef struct element_size {
    size_t bytes;
} element_size;

static void mix_bytes(void *context, void *term, const void *a, const void *b)
{
    const size_t bytes = ((const element_size *)context)->bytes;
    const unsigned char *x = a;
    const unsigned char *y = b;
    unsigned char *z = term;
    for (size_t at = 0; at < bytes; at++)
        z[at] = (unsigned char)(x[at] * 7u + y[(at + 1) % bytes] * 13u + 5u);
}

static void append_bytes(void *context, void *sum, const void *term)
{
    const size_t bytes = ((const element_size *)context)->bytes;
    const unsigned char *x = term;
    unsigned char *z = sum;
    for (size_t at = 0; at < bytes; at++)
        z[at] = (unsigned char)(z[at] * 31u + x[at]);
}

/* A semiring of elements of so many bytes, on which `size` and `zero` stay. */
static spgemm_user_semiring bytes_semiring(element_size *size, char *zero)
{
    memset(zero, 0x5a, size->bytes);
    return (spgemm_user_semiring){size, zero, mix_bytes, append_bytes};
}

static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 16, 24, 33, 100, 4096};
enum { SIZES = sizeof sizes / sizeof sizes[0], LARGEST = 4096 };

typedef struct size_choice {
    size_t bytes;
    spgemm_index_type index_type;
} size_choice;

static struct criterion_test_params choose_sizes(void)
{
    const size_t types = index_type_count();
    const size_t count = types * SIZES;
    size_choice *choices = cr_malloc(count * sizeof *choices);
    for (size_t t = 0; t < count; t++)
        choices[t] = (size_choice){sizes[t / types], index_types[t % types]};
    return cr_make_param_array(size_choice, choices, count, free_choices);
}

static void expect_elements(const form_shape *shape, const size_choice *choice)
{
    char zero[LARGEST];
    char name[100];
    element_size size = {choice->bytes};
    const spgemm_user_semiring user = bytes_semiring(&size, zero);
    const spgemm_value_type type = SPGEMM_ELEMENTS(choice->bytes);
    maker m = {{choice->bytes + (uint64_t)(shape - form_shapes)},
               choice->index_type,
               VALUES_ARBITRARY};
    spgemm_csr A;
    spgemm_csr B;
    make_form_shape(shape, &m, type, &A, &B);
    snprintf(name, sizeof name, "%s of %zu bytes", shape->name, choice->bytes);
    const trial t = {
        &A, &B, {.product.semiring = SPGEMM_USER, .product.user = &user}, name};
    expect_some_forms(&t, choice->bytes <= 24 ? 8 : 3);
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(user_semirings, hold_on_every_accumulator)
{
    return choose_sizes();
}

ParameterizedTest(size_choice *choice, user_semirings,
                  hold_on_every_accumulator)
{
    for (int n = 0; n < form_shape_count; n++) {
        const bool is_giant = form_shapes[n].is_giant;
        const bool is_large = choice->bytes == LARGEST;
        const bool is_chosen =
            choice->index_type == SPGEMM_I32 && choice->bytes == 12;
        if (is_giant ? is_chosen : !is_large || n < 2)
            expect_elements(&form_shapes[n], choice);
    }
}

/* Form n of a matrix and itself. Guarded memory, every way. */
static void expect_form(const size_choice *choice, int n, bool has_addend)
{
    const int64_t rows[] = {9, 1, 9, 2, 0, 14};
    char zero[LARGEST];
    element_size size = {choice->bytes};
    const spgemm_user_semiring user = bytes_semiring(&size, zero);
    const spgemm_value_type type = SPGEMM_ELEMENTS(choice->bytes);
    maker m = {{(uint64_t)n + 9}, choice->index_type, VALUES_ARBITRARY};
    spgemm_csr A = make_jumbled(&m, 20, 20, 3);
    set_type(&m, &A, type);
    trial t = {
        &A, &A, {.product.semiring = SPGEMM_USER, .product.user = &user}, NULL};
    t.options.product.op_a = (spgemm_operation)(n % 3);
    t.options.product.op_b = (spgemm_operation)(n / 3);
    t.options.product.rows = n % 2 ? rows : NULL;
    t.options.product.nrows = n % 2 ? 6 : 0;
    spgemm_csr whole = reference_form(&A, &A, &t.options);
    spgemm_csr mask = make_mask(&m, &whole, MASK_SOME, SPGEMM_INT32);
    spgemm_csr D = make_addend(&m, &whole, n % 2, type);
    char *factors = draw_values(&m.dice, type, m.values, 2);
    if (has_addend) {
        t.options.product.alpha = n % 4 < 2 ? factors : NULL;
        t.options.product.beta = n % 4 == 1 ? factors + choice->bytes : NULL;
        t.options.product.D = n % 4 ? &D : NULL;
    }
    t.options.filter.mask = n % 3 ? &mask : NULL;
    t.options.filter.mask_mode = n % 3 ? (unsigned)n / 2 : 0;
    t.name = form_text(&A, &t.options, "bytes");
    expect_every_form(&t);
    free(factors);
    free_csr(&D);
    free_csr(&mask);
    free_csr(&whole);
    free_csr(&A);
}

ParameterizedTestParameters(user_semirings, take_operations_rows_and_masks)
{
    return choose_sizes();
}

ParameterizedTest(size_choice *choice, user_semirings,
                  take_operations_rows_and_masks)
{
    for (int n = 0; n < 8; n++)
        expect_form(choice, n, false);
}

ParameterizedTestParameters(user_semirings, scale_and_add)
{
    return choose_sizes();
}

ParameterizedTest(size_choice *choice, user_semirings, scale_and_add)
{
    for (int n = 0; n < 8; n++)
        expect_form(choice, n, true);
}

/* ---- Types of the table -------------------------------------------------- */

/* sum = sum / 2 + term; term = a - b. */
static void subtract(void *context, void *term, const void *a, const void *b)
{
    const ring *r = context;
    const scalar x = read_scalar(r->type, a, 0);
    scalar y = read_scalar(r->type, b, 0);
    y.re = -y.re;
    y.im = -y.im;
    y.n = (int64_t)(0 - (uint64_t)y.n);
    write_scalar(r->type, term, 0, x);
    _Alignas(16) char other[16];
    write_scalar(r->type, other, 0, y);
    ring_add(r, term, other);
}

static void halve_and_add(void *context, void *sum, const void *term)
{
    const ring *r = context;
    scalar x = read_scalar(r->type, sum, 0);
    x.re /= 2;
    x.im /= 2;
    x.n /= 2;
    write_scalar(r->type, sum, 0, x);
    ring_add(r, sum, term);
}

ParameterizedTestParameters(user_semirings, may_be_of_any_type)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, user_semirings, may_be_of_any_type)
{
    ring plus = {SPGEMM_PLUS_TIMES, choice->type, NULL};
    _Alignas(16) char one[16];
    write_scalar(choice->type, one, 0, scalar_of(choice->type, 1));
    const spgemm_user_semiring user = {&plus, one, subtract, halve_and_add};
    for (int n = 0; n < form_shape_count; n++) {
        maker m = {{(uint64_t)n + 3}, choice->index_type, VALUES_INTEGER};
        spgemm_csr A;
        spgemm_csr B;
        if (form_shapes[n].is_giant)
            continue;
        make_form_shape(&form_shapes[n], &m, choice->type, &A, &B);
        trial t = {&A,
                   &B,
                   {.product.semiring = SPGEMM_USER, .product.user = &user},
                   NULL};
        t.name = form_text(&A, &t.options, form_shapes[n].name);
        expect_some_forms(&t, 3);
        t.options.product.op_a = SPGEMM_OP_CONJUGATE_TRANSPOSE;
        t.B = &A;
        if (A.ncols < 100000)
            expect_some_forms(&t, 2);
        free_csr(&A);
        free_csr(&B);
    }
}

/* ---- A semiring with a meaning ------------------------------------------- */

/* The length of a shortest path, and the vertex before its last. */
typedef struct hop {
    int32_t length;
    int32_t last;
    int16_t edges;
} hop;

static void walk(void *context, void *term, const void *a, const void *b)
{
    const hop *x = a;
    const hop *y = b;
    (void)context;
    *(hop *)term =
        (hop){x->length + y->length, y->last, (int16_t)(x->edges + y->edges)};
}

static void choose_shorter(void *context, void *sum, const void *term)
{
    const hop *x = term;
    (void)context;
    if (x->length < ((hop *)sum)->length)
        *(hop *)sum = *x;
}

Test(user_semirings, find_shortest_paths)
{
    static const hop zero = {INT32_MAX, -1, 0};
    const spgemm_user_semiring user = {NULL, &zero, walk, choose_shorter};
    const int64_t n = 60;
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, n, n, 4);
    set_type(&m, &A, SPGEMM_ELEMENTS(sizeof(hop)));
    hop *hops = A.values;
    for (int64_t p = 0; p < A.nnz; p++)
        hops[p] = (hop){(int32_t)(1 + dice_below(&m.dice, 9)),
                        (int32_t)column_of(&A, p), 1};
    spgemm_options options = {.product.semiring = SPGEMM_USER,
                              .product.user = &user};
    spgemm_csr C =
        expect_success(&multiply_variants[0], &A, &A, &options, NULL);
    for (int64_t i = 0; i < n; i++)
        for (int64_t p = C.rowptr[i]; p < C.rowptr[i + 1]; p++) {
            const hop *path = &((const hop *)C.values)[p];
            int32_t best = INT32_MAX;
            for (int64_t q = A.rowptr[i]; q < A.rowptr[i + 1]; q++) {
                const int64_t k = column_of(&A, q);
                for (int64_t r = A.rowptr[k]; r < A.rowptr[k + 1]; r++)
                    if (column_of(&A, r) == column_of(&C, p) &&
                        hops[q].length + hops[r].length < best)
                        best = hops[q].length + hops[r].length;
            }
            cr_assert_eq(path->length, best);
            cr_assert_eq(path->edges, 2);
            cr_assert_eq(path->last, column_of(&C, p));
        }
    spgemm_csr_destroy(&C);
    free_csr(&A);
}
