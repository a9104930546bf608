/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <string.h>

#include "spgemm/spgemm.h"

Test(status, each_has_a_sentence_of_its_own)
{
    for (int x = 0; x >= SPGEMM_ERROR_IO; x--)
        for (int y = x - 1; y >= SPGEMM_ERROR_IO; y--)
            cr_expect_str_neq(spgemm_status_string((spgemm_status)x),
                              spgemm_status_string((spgemm_status)y));
}

Test(status, any_number_has_a_sentence)
{
    cr_expect_str_eq(spgemm_status_string((spgemm_status)-1000),
                     spgemm_status_string((spgemm_status)1000));
}

Test(version, is_that_of_the_header)
{
    cr_expect_str_eq(spgemm_version(), SPGEMM_VERSION_STRING);
}
