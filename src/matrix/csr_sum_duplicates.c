/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,j) = the sum of all that stands at (i,j): a stable sort of the rows that
   need it, and a sum of neighbours. */
#include "matrix/csr_from_coo.h"

#include "common/refusal.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/any_type.h"
#include "values/traits.h"

/* Sum neighbours with one column, the rows moving together. */
static ALWAYS_INLINE void sum_neighbours(void *context, bool is_wide,
                                         size_t size)
{
    spgemm_csr *A = context;
    const value_traits *type = spgemm_value_traits(A->value_type);
    int64_t used = 0;
    int64_t p = 0;
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t first = used;
        for (; p < A->rowptr[i + 1]; p++) {
            const int64_t col = column_at(A->colidx, is_wide, p);
            if (used > first &&
                column_at(A->colidx, is_wide, used - 1) == col) {
                if (size > 0)
                    type->add(A->values, used - 1, p);
                continue;
            }
            set_column(A->colidx, is_wide, used, col);
            if (used < p)
                copy_element(A->values, used, A->values, p, size);
            used++;
        }
        A->rowptr[i + 1] = used;
    }
}

static bool can_add(const spgemm_csr *A)
{
    return !A->values || spgemm_value_traits(A->value_type);
}

spgemm_status spgemm_csr_sum_duplicates(spgemm_csr *A, memory *m, int nthreads)
{
    spgemm_status status = SPGEMM_SUCCESS;
    if (spgemm_csr_is_sorted(A, nthreads)) {
        A->flags |= SPGEMM_SORTED_ROWS;
        return SPGEMM_SUCCESS;
    }
    SPGEMM_TRY(spgemm_csr_sort_rows_of(A, nthreads, m));
    if (A->flags & SPGEMM_SORTED_ROWS)
        return SPGEMM_SUCCESS;
    SPGEMM_REQUIRE(can_add(A), spgemm_refuse(SPGEMM_ERROR_UNSUPPORTED,
                                             "two entries at one place, of "
                                             "SPGEMM_ELEMENTS(), have no sum"));
    const team_fpmode mode = team_fpmode_enter();
    run_typed(sum_neighbours, A, A);
    team_fpmode_leave(&mode);
    SPGEMM_TRY(spgemm_csr_resize(A, m, A->rowptr[A->nrows]));
    A->flags |= SPGEMM_SORTED_ROWS;
cleanup:
    return status;
}
