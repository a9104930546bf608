/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz of chosen rows of C, by the kernels of the symbolic pass. */
#include "spgemm/count_rows.h"

#include "common/checked.h"
#include "matrix/csr.h"

/* Rows a task: few, since sampled rows differ much. */
#define COUNT_ROWS  8
#define COUNT_TASKS 4096

spgemm_status spgemm_count_rows(void *context,
                                const int64_t *rows,
                                int64_t count,
                                int64_t *row_nnz)
{
    const count_context *c = context;
    const spgemm_csr *B = c->ops->B;
    const int64_t length = max_i64(COUNT_ROWS, count / COUNT_TASKS);
    const int64_t tasks = (count + length - 1) / length;
    const int team = (int)max_i64(1, min_i64(c->team, tasks));
    bool has_failed = false;
#pragma omp parallel num_threads(team)
    {
        scratch s;
        spgemm_scratch_init(&s, c->m, spgemm_value_size(B->value_type),
                            spgemm_index_size(B->index_type));
        bool is_well = true;
#pragma omp for schedule(dynamic, 1)
        for (int64_t t = 0; t < tasks; t++) {
            const row_range range = {
                .row_begin = t * length,
                .row_end = min_i64(count, (t + 1) * length),
            };
            is_well =
                is_well && c->kernels->symbolic(c->ops, rows, &range, &s,
                                                row_nnz + range.row_begin);
        }
        spgemm_scratch_clear(&s);
        if (!is_well) {
#pragma omp atomic write
            has_failed = true;
        }
    }
    return has_failed ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_SUCCESS;
}
