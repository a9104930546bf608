/* SPDX-License-Identifier: BSD-3-Clause */
#include "predictor_bench.h"

#include <stdlib.h>

#include "build_csr.h"
#include "reference.h"

static spgemm_status count_from_reference(void *context,
                                          const int64_t *rows,
                                          int64_t count,
                                          int64_t *row_nnz)
{
    predictor_bench *b = context;
    b->rows_asked += count;
    for (int64_t t = 0; t < count; t++) {
        const int64_t i = rows ? rows[t] : t;
        row_nnz[t] = b->C.rowptr[i + 1] - b->C.rowptr[i];
    }
    return SPGEMM_SUCCESS;
}

void predictor_bench_begin(predictor_bench *b, spgemm_csr A, spgemm_csr B)
{
    *b = (predictor_bench){.A = A, .B = B};
    b->C = reference_multiply(&A, &B);
    spgemm_memory_init(&b->m, NULL);
    if (spgemm_products_count(&b->counts, &b->A, &b->B, 1, &b->m) < 0)
        abort();
    b->in = (predict_input){.A = &b->A,
                            .B = &b->B,
                            .counts = &b->counts,
                            .options = &b->options,
                            .count_rows = count_from_reference,
                            .count_context = b,
                            .m = &b->m};
}

void predictor_bench_end(predictor_bench *b)
{
    spgemm_products_clear(&b->counts, &b->m);
    free_csr(&b->A);
    free_csr(&b->B);
    free_csr(&b->C);
}

prediction predictor_bench_run(predictor_bench *b, predict_fn *predict)
{
    prediction p = {0};
    b->rows_asked = 0;
    if (predict(&p, &b->in) < 0)
        abort();
    return p;
}

void predictor_bench_clear(predictor_bench *b, prediction *p)
{
    spgemm_memory_release(&b->m, p->row_nnz, b->A.nrows, sizeof *p->row_nnz);
    p->row_nnz = NULL;
}
