/* SPDX-License-Identifier: BSD-3-Clause */
/* One form of a product by variants, row orders, numbers of threads and
   predictors that lie: bit for bit the reference. */
#ifndef SPGEMM_TESTS_EVERY_FORM_H
#define SPGEMM_TESTS_EVERY_FORM_H

#include "expect.h"
#include "form_shapes.h"
#include "reference_form.h"

/** What is multiplied, how, and its name in messages. */
typedef struct trial {
    const spgemm_csr *A;
    const spgemm_csr *B; /* may be A */
    spgemm_options options;
    const char *name;
} trial;

/** Every variant, order and number of threads, and some that lie, in guarded
    memory; unsorted rows are in the same order each time. See fewer_ways.h. */
void expect_every_form(const trial *t);

/** The next `count` of these ways, others from call to call. */
void expect_some_forms(const trial *t, int count);

/** The same against a C that is known. */
void expect_some_forms_of(const trial *t, const spgemm_csr *want, int count);

/** The call is refused with this status by each variant, and C untouched. */
void expect_refusal(const trial *t, spgemm_status status);

/** "double, i64, min_plus" and the like; static. */
const char *form_text(const spgemm_csr *A, const spgemm_options *o,
                      const char *more);

/** The types that values may have, or some of them, with the index types: the
    parameter of most properties of forms. */
typedef struct type_choice {
    spgemm_value_type type;
    spgemm_index_type index_type;
} type_choice;

static inline struct criterion_test_params choose_types(void)
{
    const size_t types = index_type_count();
    const size_t count = types * SPGEMM_VALUE_TYPE_COUNT;
    type_choice *choices = cr_malloc(count * sizeof *choices);
    for (size_t t = 0; t < count; t++)
        choices[t] = (type_choice){(spgemm_value_type)(t / types),
                                   index_types[t % types]};
    return cr_make_param_array(type_choice, choices, count, free_choices);
}

#endif
