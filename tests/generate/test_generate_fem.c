/* SPDX-License-Identifier: BSD-3-Clause */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>

#include "make_kind.h"

/* The nodes that share a brick with a node are its 27 neighbours. */
Test(generate_fem_brick, is_the_27_point_stencil_of_its_nodes)
{
    static const char *const kinds[][2] = {
        {"fem-brick 4 3 5", "stencil27 5 4 6 --dofs 3"},
        {"fem-brick 1 1 1 --dofs 1", "stencil27 2 2 2 --dofs 1"},
        {"fem-brick 9 1 2 --dofs 2 --reals",
         "stencil27 10 2 3 --dofs 2 --reals"}};
    for (int k = 0; k < 3; k++) {
        spgemm_csr A = make_kind(kinds[k][0]);
        spgemm_csr B = make_kind(kinds[k][1]);
        cr_expect(spgemm_csr_equal(&A, &B), "%s", kinds[k][0]);
        spgemm_csr_destroy(&A);
        spgemm_csr_destroy(&B);
    }
}

/* Three nodes around, in each of three circles, or of two at the ends. */
Test(generate_fem_shell, has_nine_nodes_in_reach_and_six_at_the_ends)
{
    spgemm_csr A = make_kind("fem-shell 5 7 --dofs 4");
    cr_assert_eq(A.nrows, 5 * 7 * 4);
    for (int64_t i = 0; i < A.nrows; i++) {
        const bool is_end = i < 20 || i >= 6 * 20;
        cr_assert_eq(A.rowptr[i + 1] - A.rowptr[i], (is_end ? 6 : 9) * 4);
    }
    cr_expect(has_symmetric_places(&A));
    spgemm_csr_destroy(&A);
}

Test(generate_fem_shell, is_closed_around)
{
    spgemm_csr A = make_kind("fem-shell 8 4 --dofs 1");
    const int32_t *columns = A.colidx;
    for (int64_t i = 0; i < A.nrows; i++)
        for (int64_t p = A.rowptr[i]; p < A.rowptr[i + 1]; p++) {
            const int64_t j = columns[p];
            cr_assert(has_entry(&A, i / 8 * 8 + (i + 1) % 8,
                                j / 8 * 8 + (j + 1) % 8));
            cr_assert_leq(llabs(i / 8 - j / 8), 1);
        }
    cr_expect(has_entry(&A, 0, 7));
    spgemm_csr_destroy(&A);
}

Test(generate_fem_shell, has_six_unknowns_a_node_by_itself)
{
    spgemm_csr A = make_kind("fem-shell 3 2");
    spgemm_csr B = make_kind("fem-shell 3 2 --dofs 6");
    cr_expect_eq(A.nrows, 36);
    cr_expect_eq(A.nnz, 36 * 36);
    cr_expect(spgemm_csr_equal(&A, &B));
    spgemm_csr_destroy(&A);
    spgemm_csr_destroy(&B);
}
