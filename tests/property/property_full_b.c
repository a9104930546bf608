/* SPDX-License-Identifier: BSD-3-Clause */
/* A B of which every entry is there, or of which there are as many entries. */
#include "every_way.h"
#include "expect.h"
#include "form_shapes.h"
#include "spgemm/predict.h"

/* Widths around those of registers, of some of them, and of a line. */
static const int64_t widths[] = {1,  2,  3,  4,  5,  7,  8,  9,  12,
                                 15, 16, 17, 24, 31, 32, 33, 64, 130};
enum { WIDTHS = sizeof widths / sizeof widths[0] };

static void expect_pair(spgemm_csr A, spgemm_csr B, int accumulator,
                        const char *name)
{
    const path rows = all_rows_by((spgemm_accumulator)accumulator, &A);
    expect_every_way(&A, &B, accumulator == ANY_ACCUMULATOR ? NULL : &rows,
                     accumulator != ANY_ACCUMULATOR, name);
    free_csr(&A);
    free_csr(&B);
}

ParameterizedTestParameters(full_b, may_be_of_any_width)
{
    int64_t *choices = cr_malloc(sizeof widths);
    memcpy(choices, widths, sizeof widths);
    return cr_make_param_array(int64_t, choices, WIDTHS, free_choices);
}

ParameterizedTest(const int64_t *width, full_b, may_be_of_any_width)
{
    for (int t = 0; t < 4; t++) {
        maker m = {{(uint64_t)(*width + t)},
                   t % 2 ? SPGEMM_I64 : SPGEMM_I32,
                   t < 2 ? VALUES_ARBITRARY : VALUES_SPECIAL};
        expect_pair(make_uniform(&m, 50, 40, 6 + 5 * t),
                    make_all_entries(&m, 40, *width), SPGEMM_ACCUMULATOR_DENSE,
                    "full B");
    }
}

Test(full_b, may_meet_rows_of_any_length_and_order)
{
    for (int t = 0; t < WIDTHS; t += 3) {
        maker m = {{(uint64_t)t}, SPGEMM_I32, VALUES_SPECIAL};
        expect_pair(make_hypersparse(&m, 300, 200, 50),
                    make_all_entries(&m, 200, widths[t]), ANY_ACCUMULATOR,
                    "empty rows");
        expect_pair(make_jumbled(&m, 90, 70, 9),
                    make_all_entries(&m, 70, widths[t]), ANY_ACCUMULATOR,
                    "jumbled A");
        expect_pair(make_one_row(&m, 9, 900, 4, 700),
                    make_all_entries(&m, 900, widths[t]), ANY_ACCUMULATOR,
                    "one row");
    }
}

/* Rows of A of one pattern are added together, as they are to any B in runs. */
Test(full_b, may_meet_rows_that_are_alike)
{
    for (int64_t width = 7; width < 90; width *= 2) {
        maker m = {{(uint64_t)width}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A = make_fem(&m, 20, 2, 3);
        spgemm_csr B = make_all_entries(&m, A.ncols, width);
        expect_pair(A, B, SPGEMM_ACCUMULATOR_SUPERNODE, "rows alike");
        A = make_all_entries(&m, width, width);
        expect_every_way(&A, &A, NULL, 0, "both full");
        free_csr(&A);
    }
}

/* Its rows are asked for before they are read, to its end. */
Test(full_b, may_be_large)
{
    maker m = {{3}, SPGEMM_I32, VALUES_ARBITRARY};
    expect_pair(make_uniform(&m, 60, 9000, 20), make_all_entries(&m, 9000, 45),
                SPGEMM_ACCUMULATOR_DENSE, "large B");
}

/* By the prediction, too, whatever A is like. */
Test(full_b, makes_nnz_known)
{
    for (int64_t width = 1; width < 40; width += 6) {
        maker m = {{(uint64_t)width}, SPGEMM_I32, VALUES_ARBITRARY};
        spgemm_csr A = width % 4 == 1 ? make_fem(&m, 30, 2, 3)
                                      : make_hypersparse(&m, 300, 200, 250);
        spgemm_csr B = make_all_entries(&m, A.ncols, width);
        spgemm_prediction p;
        spgemm_csr C = expect_success(&multiply_variants[VARIANT_PRECISE], &A,
                                      &B, NULL, NULL);
        cr_assert_eq(spgemm_predict(&p, &A, &B, NULL, NULL), SPGEMM_SUCCESS);
        cr_expect_eq(p.predictor, SPGEMM_PREDICTOR_UPPER_BOUND);
        cr_expect_eq(p.nnz, (double)C.nnz);
        cr_expect_eq(p.standard_error, 0.0);
        spgemm_csr_destroy(&C);
        free_csr(&A);
        free_csr(&B);
    }
}

/* As many entries as places, but columns repeat, and others are not there. */
Test(full_b, is_not_one_whose_entries_are_as_many)
{
    for (int64_t width = 2; width < 40; width += 5) {
        maker m = {{(uint64_t)width}, SPGEMM_I32, VALUES_ARBITRARY};
        csr_builder b = build_begin(60, width);
        for (int64_t k = 0; k < 60; k++) {
            for (int64_t t = 0; t < width; t++)
                build_add(&b, k % 3 == 0 ? t / 2 : width - 1 - t,
                          make_value(&m));
            build_end_row(&b);
        }
        expect_pair(make_uniform(&m, 50, 60, 7), build_finish(&b, SPGEMM_I32),
                    ANY_ACCUMULATOR, "repeated columns");
    }
}
