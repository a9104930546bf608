/* SPDX-License-Identifier: BSD-3-Clause */
/* What the properties assert again and again. */
#ifndef SPGEMM_TESTS_EXPECT_H
#define SPGEMM_TESTS_EXPECT_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_csr.h"
#include "generate.h"
#include "reference.h"
#include "variants.h"

/** A case and an index type: the parameter of most properties. */
typedef struct case_choice {
    int number;
    spgemm_index_type index_type;
} case_choice;

static inline void free_choices(struct criterion_test_params *choices)
{
    cr_free(choices->params);
}

/** How many index types are chosen from index_types[]: 32 bits alone by an instruction
    set that was asked for, as 64-bit columns are multiplied as 32-bit ones, or by kernels
    that are the same on any machine. */
static inline size_t index_type_count(void)
{
    return getenv("SPGEMM_ISA") ? 1 : 2;
}

static const spgemm_index_type index_types[] = {SPGEMM_I32, SPGEMM_I64};

/** Every case with the index types. */
static inline struct criterion_test_params choose_cases(void)
{
    const size_t types = index_type_count();
    const size_t count = types * (size_t)product_case_count;
    case_choice *choices = cr_malloc(count * sizeof *choices);
    for (size_t t = 0; t < count; t++)
        choices[t] = (case_choice){(int)(t / types), index_types[t % types]};
    return cr_make_param_array(case_choice, choices, count, free_choices);
}

/** `got` is `want`, bit for bit; the message begins with `what`. */
static inline void expect_agree(const spgemm_csr *got, const spgemm_csr *want,
                                const char *what)
{
    char text[256];
    cr_assert(matrices_agree(got, want, text, sizeof text), "%s: %s", what,
              text);
}

/** C = A*B by one variant; asserts success. Free with spgemm_csr_destroy(). */
static inline spgemm_csr expect_success(const multiply_variant *variant,
                                        const spgemm_csr *A,
                                        const spgemm_csr *B,
                                        const spgemm_options *options,
                                        spgemm_report *report)
{
    spgemm_csr C = {0};
    const spgemm_status status = variant->multiply(&C, A, B, options, report);
    cr_assert_eq(status, SPGEMM_SUCCESS, "%s: %s", variant->name,
                 spgemm_status_string(status));
    return C;
}

/** C = A*B is `want` and well formed. Rows left unsorted are sorted first. */
static inline void expect_product(const multiply_variant *variant,
                                  const spgemm_csr *A, const spgemm_csr *B,
                                  const spgemm_options *options,
                                  const spgemm_csr *want, const char *what)
{
    char text[200];
    spgemm_csr C = expect_success(variant, A, B, options, NULL);
    snprintf(text, sizeof text, "%s, %s", variant->name, what);
    if (options && options->product.row_order == SPGEMM_ROWS_UNSORTED)
        cr_assert_eq(spgemm_csr_sort_rows(&C), SPGEMM_SUCCESS, "%s", text);
    cr_assert(C.flags & SPGEMM_SORTED_ROWS, "%s: not flagged sorted", text);
    cr_assert_eq(spgemm_csr_check(&C, NULL), SPGEMM_SUCCESS, "%s", text);
    expect_agree(&C, want, text);
    spgemm_csr_destroy(&C);
}

#endif
