/* SPDX-License-Identifier: BSD-3-Clause */
/* C goes into the caller's arrays where it fits, and has arrays of its own
   where it does not: the same C. */
#include <stdlib.h>

#include "every_form.h"

static spgemm_out make_out(const spgemm_csr *want, int64_t capacity)
{
    const size_t index =
        want->index_type == SPGEMM_I64 ? sizeof(int64_t) : sizeof(int32_t);
    return (spgemm_out){
        .rowptr = must_allocate(want->nrows + 1, sizeof(int64_t)),
        .colidx = must_allocate(capacity, index),
        .values = want->values
                      ? must_allocate(capacity, bytes_of_type(want->value_type))
                      : NULL,
        .capacity = capacity};
}

static void free_out(spgemm_out *out)
{
    free(out->rowptr);
    free(out->colidx);
    free(out->values);
}

static void expect_capacity(trial t, const spgemm_csr *want, int64_t capacity,
                            int number)
{
    char where[200];
    spgemm_csr C = {0};
    spgemm_out out = make_out(want, capacity);
    const multiply_variant *variant =
        &multiply_variants[number % VARIANT_COUNT];
    t.options.resources.out = &out;
    t.options.resources.nthreads = 1 + number % 3;
    const spgemm_status status =
        variant->multiply(&C, t.A, t.B, &t.options, NULL);
    cr_assert_eq(status, SPGEMM_SUCCESS, "%s, %s: %s", t.name, variant->name,
                 spgemm_status_string(status));
    cr_assert(typed_agree(&C, want, where, sizeof where),
              "%s, %s, capacity %d of %d: %s", t.name, variant->name,
              (int)capacity, (int)want->nnz, where);
    if (capacity >= want->nnz) {
        cr_assert(C.colidx == out.colidx && C.values == out.values &&
                      C.rowptr == out.rowptr,
                  "%s, %s, capacity %d of %d: elsewhere", t.name, variant->name,
                  (int)capacity, (int)want->nnz);
        cr_assert(!(C.flags & (SPGEMM_OWNS_ARRAYS | SPGEMM_OWNS_ROWPTR)),
                  "%s: owns what is not its own", t.name);
    } else {
        cr_assert(C.colidx != out.colidx && (C.flags & SPGEMM_OWNS_ARRAYS),
                  "%s, %s: no arrays of its own", t.name, variant->name);
    }
    spgemm_csr_destroy(&C);
    free_out(&out);
}

static void expect_capacities(trial t)
{
    spgemm_csr want = reference_form(t.A, t.B, &t.options);
    const int64_t capacities[] = {10 * want.nnz + 100, want.nnz, want.nnz - 1,
                                  want.nnz / 2, 0};
    for (int n = 0; n < 5; n++)
        for (int v = 0; v < VARIANT_COUNT; v++)
            if (capacities[n] >= 0)
                expect_capacity(t, &want, capacities[n], n + v);
    free_csr(&want);
}

ParameterizedTestParameters(out, takes_what_fits)
{
    return choose_types();
}

ParameterizedTest(type_choice *choice, out, takes_what_fits)
{
    for (int n = 0; n < form_shape_count; n++) {
        maker m = {{(uint64_t)n + 1}, choice->index_type, VALUES_ARBITRARY};
        spgemm_csr A;
        spgemm_csr B;
        if (form_shapes[n].is_giant && choice->type != SPGEMM_FP32)
            continue;
        make_form_shape(&form_shapes[n], &m, choice->type, &A, &B);
        const trial t = {&A, &B, {.product = {0}}, form_shapes[n].name};
        expect_capacities(t);
        free_csr(&A);
        free_csr(&B);
    }
}

Test(out, takes_patterns_and_masked_sums)
{
    const double beta = 2;
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_jumbled(&m, 40, 40, 4);
    spgemm_csr P = copy_typed(&A);
    drop_values(&P);
    const trial forms[] = {
        {&P, &P, {.product = {0}}, "pattern"},
        {&P, &P, {.product.semiring = SPGEMM_PLUS_PAIR}, "counts"},
        {&A, &A, {.product.D = &A, .product.beta = &beta}, "A + 2D"},
        {&A, &A, {.product.D = &A, .filter.mask = &P}, "masked"},
        {&A, &A, {.filter.drop_zeros = true, .filter.keep_top = 3}, "dropped"},
        {&A, &A, {.product.op_a = SPGEMM_OP_TRANSPOSE}, "A'A"},
    };
    for (int n = 0; n < 6; n++)
        expect_capacities(forms[n]);
    free_csr(&A);
    free_csr(&P);
}

static void expect_invalid(const trial *t, spgemm_out out, const char *name)
{
    trial refused = *t;
    refused.options.resources.out = &out;
    refused.name = name;
    expect_refusal(&refused, SPGEMM_ERROR_INVALID);
}

Test(out, must_be_whole)
{
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 9, 9, 3);
    const trial t = {&A, &A, {.product = {0}}, NULL};
    spgemm_out out = make_out(&A, 200);
    expect_invalid(&t, (spgemm_out){NULL, out.colidx, out.values, 200},
                   "no rowptr");
    expect_invalid(&t, (spgemm_out){out.rowptr, NULL, out.values, 200},
                   "no colidx");
    expect_invalid(&t, (spgemm_out){out.rowptr, out.colidx, NULL, 200},
                   "no values");
    expect_invalid(&t, (spgemm_out){out.rowptr, out.colidx, out.values, -1},
                   "capacity -1");
    free_out(&out);
    free_csr(&A);
}
