/* SPDX-License-Identifier: BSD-3-Clause */
/* What all kinds of matrices have in common. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "kind.h"
#include "make_kind.h"

/* A small matrix of each kind, and its hash_entries() as it always was. */
static const struct {
    const char *text;
    uint64_t hash;
} kinds[] = {
    {"stencil5 30 21", 0x83b133bb8759c5e},
    {"stencil27 6 5 4", 0x6f44b9961c01bf58},
    {"rmat 9 8 --seed 5", 0xa55135e07b5ac2a5},
    {"erdos-renyi 500 7", 0xd244ed410a287230},
    {"powerlaw 2000", 0x3b14829441ec39bd},
    {"banded 300 11 --reals", 0xed3cbb57e9ef8a2},
    {"random 70 900 40 --seed 3", 0x485dc314d683637f},
    {"aggregation 10 9 8 --transpose", 0xac8c85ebca93a803},
    {"cage 9", 0xda391aa03c7a2a7a},
    {"matching-complex 10 3", 0x3b1c1dc7bd5badd7},
    {"m133-b3", 0x38b65a306de285a0},
    {"mc2depi 30 20", 0x35eb5c17aadcc024},
    {"conf5 4 3", 0xf702ecc0e80846fb},
    {"majorbasis 9 8", 0x16ba085d1ebe04e3},
    {"delaunay 500 --seed 2", 0xa693b8b2e068aee8},
    {"fem-brick 4 3 2", 0xef400e90f17f4357},
    {"fem-shell 9 4 --seed 6", 0xc42b725ea2215102},
    {"contact 200 9", 0x5e63d882a01fbf89},
    {"arrow 5 30 7", 0xfe6a9a3748e4fd3b},
    {"groups 600 8 9", 0xafdde89f651ec15a},
    {"repeated 300 900 7 5", 0x4ac497be0d0f7252},
    {"giants 400 5 90 3 --seed 2", 0xbfe1ff38d821bf56},
    {"halves 300 500 20 6", 0x83d56583ec94c055},
    {"documents 200 700 9", 0x27d0d8e5dc989f65},
};

enum { NKINDS = sizeof kinds / sizeof *kinds };

Test(generate, makes_each_kind_and_each_is_tested_here)
{
    for (int k = 0; generator_name(k); k++) {
        const size_t length = strlen(generator_name(k));
        cr_assert_lt(k, NKINDS, "%s is not in the list", generator_name(k));
        cr_expect_eq(strncmp(kinds[k].text, generator_name(k), length), 0);
        cr_expect_eq(strcspn(kinds[k].text, " "), length);
        cr_expect_eq(generator_find(generator_name(k)), k);
        cr_expect_gt(strlen(generator_help(k)), 0);
    }
    cr_expect_null(generator_name(NKINDS));
    cr_expect_null(generator_help(NKINDS));
    cr_expect_eq(generator_find("stencil"), -1);
}

Test(generate, makes_the_same_matrix_as_ever)
{
    for (int k = 0; k < NKINDS; k++) {
        spgemm_csr A = make_kind(kinds[k].text);
        cr_expect_eq(hash_entries(&A), kinds[k].hash, "%s: 0x%llx",
                     kinds[k].text, (unsigned long long)hash_entries(&A));
        spgemm_csr_destroy(&A);
    }
}

/* Values by the rule: integers in 1..9 or reals in [1, 2), by place. */
Test(generate, draws_values_by_place_and_seed)
{
    spgemm_csr A = make_kind("conf5 3 3");
    spgemm_csr B = make_kind("conf5 3 3 --reals");
    spgemm_csr C = make_kind("conf5 3 3 --seed 1");
    cr_assert_eq(A.nnz, B.nnz);
    cr_assert_eq(A.nnz, C.nnz);
    int64_t counts[10] = {0};
    int64_t changed = 0;
    for (int64_t p = 0; p < A.nnz; p++) {
        const double whole = ((double *)A.values)[p];
        const double real = ((double *)B.values)[p];
        cr_assert(whole >= 1 && whole <= 9 && whole == (int)whole);
        cr_assert(real >= 1 && real < 2);
        cr_assert_eq(((int32_t *)A.colidx)[p], ((int32_t *)C.colidx)[p]);
        counts[(int)whole]++;
        changed += whole != ((double *)C.values)[p];
    }
    for (int digit = 1; digit <= 9; digit++)
        cr_expect_gt(counts[digit], A.nnz / 12);
    cr_expect_gt(changed, A.nnz * 3 / 4);
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
    spgemm_csr_destroy(&C);
}

Test(generate, transposes_each_kind)
{
    for (int k = 0; k < NKINDS; k++) {
        char text[96];
        if (strstr(kinds[k].text, "--transpose"))
            continue;
        snprintf(text, sizeof text, "%s --transpose", kinds[k].text);
        spgemm_csr A = make_kind(kinds[k].text);
        spgemm_csr B = make_kind(text);
        spgemm_csr T = {0};
        cr_assert_eq(spgemm_csr_transpose(&T, &A), SPGEMM_SUCCESS);
        cr_expect(spgemm_csr_equal(&T, &B), "%s", text);
        spgemm_csr_destroy(&A);
        spgemm_csr_destroy(&B);
        spgemm_csr_destroy(&T);
    }
}

/* ---- Sizes --------------------------------------------------------------- */

static void expect_refused(const char *text)
{
    spgemm_csr A;
    spgemm_csr untouched;
    memset(&A, 0x3c, sizeof A);
    memset(&untouched, 0x3c, sizeof untouched);
    cr_expect_eq(try_kind(&A, text), SPGEMM_ERROR_INVALID, "%s", text);
    cr_expect_eq(memcmp(&A, &untouched, sizeof A), 0, "%s", text);
}

Test(generate, refuses_a_size_out_of_its_range)
{
    static const char *const bad[] = {"stencil5 0 3",
                                      "stencil27 3 3 0",
                                      "stencil5 -2 -3",
                                      "rmat 0 3",
                                      "rmat 31 1",
                                      "rmat 5 -1",
                                      "erdos-renyi 0 1",
                                      "powerlaw 0",
                                      "banded 4 -1",
                                      "random 3 0 1",
                                      "aggregation 0 1 1",
                                      "cage 2",
                                      "cage 16",
                                      "matching-complex 2 1",
                                      "matching-complex 31 2",
                                      "matching-complex 9 0",
                                      "matching-complex 20 6",
                                      "mc2depi 0 4",
                                      "conf5 2 8",
                                      "conf5 8 2",
                                      "conf5 3 6628036",
                                      "majorbasis 0 5",
                                      "delaunay 2",
                                      "delaunay 268435457",
                                      "fem-brick 0 1 1",
                                      "fem-shell 2 5",
                                      "fem-shell 5 1",
                                      "contact 0 1",
                                      "contact 5 0",
                                      "arrow 0 3",
                                      "arrow 3 3 -1",
                                      "groups 5 6",
                                      "groups 5 0",
                                      "repeated 5 5 2 0",
                                      "giants 1073741824 1 1 1",
                                      "halves 5 5 0 1",
                                      "documents 5 5 0",
                                      "documents 5 5 1048577"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        expect_refused(bad[k]);
}

Test(generate, refuses_more_rows_than_an_index_can_have)
{
    static const char *const bad[] = {
        "stencil5 46341 46341",
        "stencil27 1000 1000 716 --dofs 3",
        "stencil27 2147483646 2147483646 2147483646 --dofs 64",
        "aggregation 2000 2000 2000",
        "matching-complex 30 4",
        "matching-complex 8 3",
        "mc2depi 2147483646 2",
        "conf5 390 4",
        "majorbasis 23171 23171",
        "fem-brick 1290 1290 1290 --dofs 1",
        "fem-brick 2147483646 2147483646 2147483646",
        "fem-shell 2147483646 2147483646 --dofs 1",
        "contact 715827883 1",
        "arrow 46341 46341",
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        expect_refused(bad[k]);
}

Test(generate, says_what_sizes_can_be)
{
    char text[128];
    generator_limits(generator_find("cage"), &(recipe){.sizes = {20}}, text,
                     sizeof text);
    cr_expect_str_eq(text, "L is in 3..15");
    generator_limits(generator_find("fem-shell"), &(recipe){.sizes = {3, 1}},
                     text, sizeof text);
    cr_expect_str_eq(text, "ALONG is in 2..2147483646");
    generator_limits(generator_find("matching-complex"),
                     &(recipe){.sizes = {8, 3}}, text, sizeof text);
    cr_expect_str_eq(text, "a matrix has 1..2147483646 rows and columns");
}

Test(generate, has_sizes_by_default)
{
    static const char *const same[][2] = {{"powerlaw 300", "powerlaw 300 4"},
                                          {"arrow 3 9", "arrow 3 9 0"},
                                          {"groups 90 9", "groups 90 9 0"},
                                          {"conf5 3", "conf5 3 8"},
                                          {"majorbasis", "majorbasis 200 200"}};
    for (int k = 0; k < 5; k++) {
        spgemm_csr A = make_kind(same[k][0]);
        spgemm_csr B = make_kind(same[k][1]);
        cr_expect(spgemm_csr_equal(&A, &B), "%s", same[k][0]);
        spgemm_csr_destroy(&A);
        spgemm_csr_destroy(&B);
    }
}
