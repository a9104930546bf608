/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>

#include "matrix/csr.h"
#include "typed.h"

Test(types, have_names_and_bytes)
{
    static const struct {
        spgemm_value_type type;
        const char *name;
        size_t bytes;
    } table[] = {
        {SPGEMM_FP64, "double", 8},
        {SPGEMM_FP32, "float", 4},
        {SPGEMM_CFP64, "complex double", 16},
        {SPGEMM_CFP32, "complex float", 8},
        {SPGEMM_INT64, "int64", 8},
        {SPGEMM_INT32, "int32", 4},
        {SPGEMM_BOOL, "bool", 1},
    };
    cr_assert_eq(sizeof table / sizeof table[0], SPGEMM_VALUE_TYPE_COUNT);
    for (size_t t = 0; t < SPGEMM_VALUE_TYPE_COUNT; t++) {
        cr_expect_str_eq(spgemm_value_type_name(table[t].type), table[t].name);
        cr_expect_eq(spgemm_value_bytes(table[t].type), table[t].bytes);
    }
}

Test(types, of_indices_have_names)
{
    cr_expect_str_eq(spgemm_index_type_name(SPGEMM_I32), "int32");
    cr_expect_str_eq(spgemm_index_type_name(SPGEMM_I64), "int64");
    cr_expect_null(spgemm_index_type_name((spgemm_index_type)2));
    cr_expect_eq(spgemm_index_size(SPGEMM_I32), 4);
    cr_expect_eq(spgemm_index_size(SPGEMM_I64), 8);
}

Test(types, may_be_elements_of_any_size)
{
    for (size_t bytes = 1; bytes <= 4096; bytes++)
        cr_assert_eq(spgemm_value_bytes(SPGEMM_ELEMENTS(bytes)), bytes);
    cr_expect_null(spgemm_value_type_name(SPGEMM_ELEMENTS(8)));
}

Test(types, that_are_none_have_no_bytes)
{
    const int minus_one = -1;
    spgemm_value_type negative;
    memcpy(&negative, &minus_one, sizeof negative);
    const spgemm_value_type none[] = {
        (spgemm_value_type)SPGEMM_VALUE_TYPE_COUNT, SPGEMM_ELEMENTS(0),
        SPGEMM_ELEMENTS(4097), SPGEMM_ELEMENTS(-1), negative};
    for (size_t t = 0; t < sizeof none / sizeof none[0]; t++) {
        spgemm_csr A;
        cr_expect_eq(spgemm_value_bytes(none[t]), 0);
        cr_expect_null(spgemm_value_type_name(none[t]));
        cr_expect_eq(spgemm_csr_create(&A, 1, 1, 1, SPGEMM_I32, none[t], NULL),
                     SPGEMM_ERROR_INVALID);
    }
}

Test(types, can_all_be_created_and_checked)
{
    for (int t = 0; t < TYPED_COUNT; t++) {
        const spgemm_value_type type = typed_type(t);
        spgemm_csr A;
        cr_assert_eq(spgemm_csr_create(&A, 1, 7, 3, SPGEMM_I64, type, NULL),
                     SPGEMM_SUCCESS);
        memset(A.values, 1, 3 * spgemm_value_bytes(type));
        A.rowptr[1] = 3;
        for (int64_t p = 0; p < 3; p++)
            ((int64_t *)A.colidx)[p] = p;
        cr_expect_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS);
        cr_expect(spgemm_csr_equal(&A, &A));
        spgemm_csr_destroy(&A);
    }
}

Test(types, of_large_elements_do_not_overflow)
{
    spgemm_csr A;
    cr_expect_eq(spgemm_csr_create(&A, 1, 1, INT64_MAX / 4096 + 1, SPGEMM_I32,
                                   SPGEMM_ELEMENTS(4096), NULL),
                 SPGEMM_ERROR_OVERFLOW);
}
