/* SPDX-License-Identifier: BSD-3-Clause */
/* Every accumulator, with values of every type and every semiring, is the
   reference. */
#include "every_form.h"

static bool is_chosen(const form_shape *shape, const type_choice *choice,
                      spgemm_semiring semiring)
{
    if (!ring_exists(semiring, choice->type))
        return false;
    if (!shape->is_giant)
        return true;
    const bool is_wide = choice->index_type == SPGEMM_I64;
    if (is_wide && choice->type != SPGEMM_FP64 && choice->type != SPGEMM_CFP32)
        return false;
    return semiring == SPGEMM_PLUS_TIMES || semiring == SPGEMM_ANY_PAIR ||
           semiring == SPGEMM_MIN_PLUS;
}

static void expect_shape(const form_shape *shape, const type_choice *choice,
                         value_kind kind)
{
    maker m = {{(uint64_t)(shape - form_shapes) * 7 + kind + 1},
               choice->index_type,
               kind};
    spgemm_csr A;
    spgemm_csr B;
    make_form_shape(shape, &m, choice->type, &A, &B);
    for (int s = 0; s < SPGEMM_USER; s++) {
        trial t = {&A, &B, {.product.semiring = (spgemm_semiring)s}, NULL};
        t.name = form_text(&A, &t.options, shape->name);
        if (is_chosen(shape, choice, t.options.product.semiring))
            expect_some_forms(&t, 3);
    }
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(types, hold_on_every_accumulator)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, types, hold_on_every_accumulator)
{
    for (int n = 0; n < form_shape_count; n++) {
        const form_shape *shape = &form_shapes[n];
        expect_shape(shape, choice, VALUES_ARBITRARY);
        if (!shape->is_giant)
            expect_shape(shape, choice, VALUES_SPECIAL);
    }
}

/* What the shapes are for: on one machine or another, every accumulator. */
Test(types, are_tried_on_the_accumulators_that_are_meant)
{
    for (int n = 0; n < form_shape_count; n++) {
        const form_shape *shape = &form_shapes[n];
        maker m = {{(uint64_t)n + 1}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A;
        spgemm_csr B;
        spgemm_report report;
        make_form_shape(shape, &m, SPGEMM_FP64, &A, &B);
        spgemm_csr C =
            expect_success(&multiply_variants[VARIANT_PREDICTED], &A, &B,
                           &(spgemm_options){.resources.nthreads = 1}, &report);
        const bool is_met =
            !shape->needs_avx512 || strcmp(report.isa, "avx512") == 0;
        if (is_met && shape->accumulator != ANY_ACCUMULATOR)
            cr_assert_gt(2 * report.rows_by_accumulator[shape->accumulator],
                         A.nrows, "%s", shape->name);
        if (strcmp(shape->name, "giant") == 0)
            cr_assert_gt(report.blocks, 4, "the giant row was not cut");
        spgemm_csr_destroy(&C);
        free_csr(&A);
        free_csr(&B);
    }
}

/* One semiring a type in guarded memory, every way, on some shapes. */
ParameterizedTestParameters(types, end_with_their_last_value)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, types, end_with_their_last_value)
{
    for (int n = 0; n < form_shape_count; n++) {
        const form_shape *shape = &form_shapes[n];
        spgemm_semiring semiring =
            (spgemm_semiring)((n + (int)choice->type) % SPGEMM_USER);
        if (shape->is_giant)
            continue;
        if (!ring_exists(semiring, choice->type))
            semiring = SPGEMM_PLUS_TIMES;
        maker m = {
            {(uint64_t)n * 3 + 77}, choice->index_type, VALUES_ARBITRARY};
        spgemm_csr A;
        spgemm_csr B;
        make_form_shape(shape, &m, choice->type, &A, &B);
        trial t = {&A, &B, {.product.semiring = semiring}, NULL};
        t.name = form_text(&A, &t.options, shape->name);
        expect_every_form(&t);
        free_csr(&A);
        free_csr(&B);
    }
}

/* The cases of the other properties, each with a type. */
static void expect_case(int number, spgemm_value_type type)
{
    maker m = {{(uint64_t)number * 5 + 1}, SPGEMM_I32, VALUES_ARBITRARY};
    spgemm_csr A;
    spgemm_csr B;
    make_case(number, SPGEMM_I32, VALUES_ARBITRARY, &A, &B);
    set_type(&m, &A, type);
    set_type(&m, &B, type);
    trial t = {&A, &B, {.product = {0}}, NULL};
    t.name = form_text(&A, &t.options, product_cases[number].name);
    expect_some_forms(&t, 2);
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(types, hold_on_every_case)
{
    const size_t count = (size_t)product_case_count;
    int *numbers = cr_malloc(count * sizeof *numbers);
    for (size_t t = 0; t < count; t++)
        numbers[t] = (int)t;
    return cr_make_param_array(int, numbers, count, free_choices);
}

ParameterizedTest(int *number, types, hold_on_every_case)
{
    expect_case(*number,
                (spgemm_value_type)(*number % SPGEMM_VALUE_TYPE_COUNT));
}
