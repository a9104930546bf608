/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "make_kind.h"
#include "walk.h"

static spgemm_csr make_cage(int nmonomers)
{
    char text[32];
    snprintf(text, sizeof text, "cage %d", nmonomers);
    return make_kind(text);
}

/* Rows and entries of cage3 ... cage10 in the SuiteSparse collection. */
Test(generate_cage, has_the_published_counts)
{
    static const int64_t counts[][2] = {
        {5, 19},     {9, 49},       {37, 233},     {93, 785},
        {340, 3084}, {1015, 11003}, {3534, 41594}, {11397, 150645}};
    for (int k = 0; k < 8; k++) {
        spgemm_csr A = make_cage(k + 3);
        cr_expect_eq(A.nrows, counts[k][0], "cage%d", k + 3);
        cr_expect_eq(A.nnz, counts[k][1], "cage%d", k + 3);
        spgemm_csr_destroy(&A);
    }
}

/* The hash of cage10.mtx as Trilinos has it: every place and every value. */
Test(generate_cage, is_the_published_matrix_entry_for_entry)
{
    spgemm_csr A = make_cage(10);
    cr_expect_eq(hash_entries(&A), 0xf93b065d6590cc71u);
    spgemm_csr_destroy(&A);
}

/* Values have three digits: each is off by 0.5 % at most. */
Test(generate_cage, leaves_each_state_for_some_state)
{
    spgemm_csr A = make_cage(8);
    spgemm_csr T = {0};
    cr_assert_eq(spgemm_csr_transpose(&T, &A), SPGEMM_SUCCESS);
    for (int64_t j = 0; j < T.nrows; j++) {
        double sum = 0;
        for (int64_t p = T.rowptr[j]; p < T.rowptr[j + 1]; p++) {
            const double value = ((const double *)T.values)[p];
            cr_assert(value > 0 && value <= 1);
            sum += value;
        }
        cr_assert(fabs(sum - 1) < 0.005, "column %" PRId64 ": %g", j, sum);
    }
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&T);
}

/* A move can be taken back. */
Test(generate_cage, has_symmetric_places_and_values_that_are_not)
{
    spgemm_csr A = make_cage(7);
    spgemm_csr T = {0};
    cr_assert_eq(spgemm_csr_transpose(&T, &A), SPGEMM_SUCCESS);
    cr_expect(has_symmetric_places(&A));
    cr_expect_not(spgemm_csr_equal(&A, &T));
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&T);
}

Test(generate_cage, ignores_seed_and_kind_of_values)
{
    spgemm_csr A = make_kind("cage 6");
    spgemm_csr B = make_kind("cage 6 --seed 5 --reals");
    cr_expect(spgemm_csr_equal(&A, &B));
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
}

/* ---- Walks --------------------------------------------------------------- */

/* Up, then down again: monomers 0 and 2 are at one place. */
Test(walk, has_bits_for_places_met_again_and_for_steps_up)
{
    walk w;
    walk_fan fan;
    walk_layout layout;
    walk_keys keys = {0, 0};
    walk_layout_init(&layout, 4);
    walk_begin(&w);
    walk_list_fan(&w, 0, &fan);
    cr_assert_eq(fan.count, 2);
    for (int k = 0; k < 2; k++)
        cr_expect_eq(fan.weight[k], 3);
    walk_append(&w, &fan, fan.is_up[0] ? 0 : 1);
    walk_add_monomer(&keys, &layout, &w, 1);
    walk_list_fan(&w, w.at[1], &fan);
    cr_assert_eq(fan.vertex[0], 0);
    cr_expect_not(fan.is_up[0]);
    walk_append(&w, &fan, 0);
    walk_add_monomer(&keys, &layout, &w, 2);
    walk_list_fan(&w, w.at[2], &fan);
    cr_assert_eq(fan.count, 3);
    cr_expect_eq(fan.vertex[0], 1);
    cr_expect_eq(fan.weight[1] + fan.weight[2], 5);
    for (int k = 0; k < 3; k++) {
        walk longer = w;
        walk_keys sum = keys;
        walk_append(&longer, &fan, k);
        walk_add_monomer(&sum, &layout, &longer, 3);
        const uint64_t up = fan.is_up[k];
        const uint64_t again = fan.vertex[k] == 1;
        cr_expect_eq(sum.forward, again << 4 | 1u << 3 | up << 2 | 1);
        cr_expect_eq(sum.backward, 1u << 4 | again << 3 | 1u << 1 | !up);
    }
}

/* All walks of 9 vertices, by their keys. */
static void expect_decoded(const walk_layout *layout, const walk *w,
                           walk_keys keys)
{
    if (w->length < layout->nmonomers) {
        walk_fan fan;
        walk_list_fan(w, w->at[w->length - 1], &fan);
        for (int k = 0; k < fan.count; k++) {
            walk longer = *w;
            walk_keys sum = keys;
            walk_append(&longer, &fan, k);
            walk_add_monomer(&sum, layout, &longer, w->length);
            expect_decoded(layout, &longer, sum);
        }
        return;
    }
    walk decoded;
    walk_decode(&decoded, layout, keys.forward);
    cr_assert_eq(decoded.length, w->length);
    cr_assert_eq(decoded.nvertices, w->nvertices);
    for (int i = 0; i < w->length; i++)
        cr_assert_eq(decoded.at[i], w->at[i]);
    walk_decode(&decoded, layout, keys.backward);
    const walk_keys again = walk_keys_without(layout, &decoded, -1);
    cr_assert_eq(again.forward, keys.backward);
    cr_assert_eq(again.backward, keys.forward);
}

Test(walk, is_known_from_its_key_and_so_is_its_reversal)
{
    walk w;
    walk_layout layout;
    walk_layout_init(&layout, 9);
    walk_begin(&w);
    expect_decoded(&layout, &w, (walk_keys){0, 0});
}
