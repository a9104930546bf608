/* SPDX-License-Identifier: BSD-3-Clause */
/* z of some rows of each stratum on some columns of B. */
#include "common/try.h"
#include "predict/stratified/column_sample_rows.h"
#include "predict/stratified/sampler.h"

/* Fewer columns than these say too little of the others: a few then have most of
   the products. */
#define LEAST_COLUMNS 64

/* The rows drawn of classes that are sampled by columns. */
static int64_t list_column_sampled(sampler *m, int64_t *rows,
                                   stratum_sample *samples)
{
    int64_t n = 0;
    for (int t = 0; t < m->s.count; t++) {
        const stratum *k = &m->s.of[t];
        const double weight =
            COLUMN_WEIGHT * (double)k->all.rows / fmax(1.0, (double)k->take);
        for (int64_t e = 0; e < k->take; e++, n++) {
            rows[n] = m->picks[n].row;
            samples[n] = (stratum_sample){.stratum = t,
                                          .whole = m->in->counts->row[rows[n]],
                                          .weight = (int64_t)(weight + 0.5)};
        }
    }
    return n;
}

/* Counts the rows listed, on the columns drawn. */
static spgemm_status count_column_sample(sampler *m,
                                         const column_sample *columns,
                                         const int64_t *rows,
                                         stratum_sample *samples, int64_t count)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const predict_input *in = m->in;
    int64_t *column_nnz = spgemm_memory_allocate_zeroed(in->m, columns->count,
                                                        sizeof *column_nnz);
    SPGEMM_REQUIRE(column_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(spgemm_column_sample_count_rows(in, columns, rows, samples,
                                               count, column_nnz));
    spgemm_strata_begin_column_sample(&m->s);
    spgemm_sampler_forget(m);
    m->count += count;
    for (int64_t e = 0; e < count; e++)
        m->spent += samples[e].counted;
    for (int t = 0; t < m->s.count; t++)
        m->s.of[t].rows += m->s.of[t].take;
    spgemm_strata_measure_columns(&m->s, column_nnz, columns->weight,
                                  columns->count);
    spgemm_strata_measure(&m->s, m->samples, m->count);

cleanup:
    spgemm_memory_release(in->m, column_nnz, columns->count,
                          sizeof *column_nnz);
    return status;
}

/* Draws what is to be taken, and counts it on sampled columns with one product in
   `parts`. *is_done: there are columns enough for that. */
spgemm_status spgemm_sampler_take_columns(sampler *m, int64_t parts,
                                          bool *is_done)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const predict_input *in = m->in;
    column_sample columns = {0};
    int64_t *rows = NULL;
    SPGEMM_TRY(spgemm_sampler_draw(m, 1));
    rows = spgemm_memory_allocate(in->m, m->picked, sizeof *rows);
    SPGEMM_REQUIRE(rows, SPGEMM_ERROR_OUT_OF_MEMORY);
    SPGEMM_TRY(spgemm_sampler_grow(m, m->picked));
    stratum_sample *samples = m->samples + m->count;
    const int64_t n = list_column_sampled(m, rows, samples);
    SPGEMM_TRY(spgemm_column_sample_make(&columns, in, rows, samples, n,
                                         1.0 / (double)parts));
    *is_done = columns.count >= LEAST_COLUMNS;
    if (*is_done)
        SPGEMM_TRY(count_column_sample(m, &columns, rows, samples, n));

cleanup:
    spgemm_column_sample_clear(&columns, in->m);
    spgemm_memory_release(in->m, rows, m->picked, sizeof *rows);
    spgemm_sampler_release_picks(m);
    return status;
}
