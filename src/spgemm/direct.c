/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes over all blocks whose places are known beforehand. */
#include "spgemm/direct.h"

#include "common/team.h"
#include "common/timer.h"
#include "common/try.h"

spgemm_status spgemm_direct_open(direct *d, call *c, bool splits_rows)
{
    spgemm_status status = SPGEMM_SUCCESS;
    *d = (direct){.c = c};
    SPGEMM_TRY(spgemm_call_predict(c, SPGEMM_PREDICTOR_UPPER_BOUND));
    SPGEMM_TRY(spgemm_call_plan(c, splits_rows));
    SPGEMM_TRY(spgemm_call_make_rowptr(c));
    d->team = spgemm_call_team(c);
    d->block_nnz =
        spgemm_memory_allocate(&c->m, c->p.count, sizeof *d->block_nnz);
    SPGEMM_REQUIRE(d->block_nnz, SPGEMM_ERROR_OUT_OF_MEMORY);
    d->offset =
        spgemm_memory_allocate(&c->m, c->p.count + 1, sizeof *d->offset);
    SPGEMM_REQUIRE(d->offset, SPGEMM_ERROR_OUT_OF_MEMORY);

cleanup:
    return status;
}

void spgemm_direct_close(direct *d)
{
    memory *m = &d->c->m;
    const int64_t blocks = d->c->p.count;
    spgemm_memory_release(m, d->offset, blocks + 1, sizeof *d->offset);
    spgemm_memory_release(m, d->block_nnz, blocks, sizeof *d->block_nnz);
    d->c->report.blocks = blocks;
    d->c->report.nthreads = d->threads_used;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        d->c->report.rows_by_accumulator[a] = d->rows_by_accumulator[a];
}

/* Where block b's counts go: into rowptr or, for a part of a row, aside. */
static int64_t *row_counts(const direct *d, const row_range *r, int64_t *aside)
{
    return r->parts > 0 ? aside : d->c->made.rowptr + r->row_begin + 1;
}

static bool symbolic_block(const direct *d, int64_t b, scratch *s)
{
    const row_range *range = &d->c->p.blocks[b].range;
    int64_t aside;
    int64_t *counts = row_counts(d, range, &aside);
    if (!d->c->kernels->symbolic(&d->c->ops, NULL, range, s, counts))
        return false;
    int64_t nnz = 0;
    for (int64_t i = 0; i < range->row_end - range->row_begin; i++)
        nnz += counts[i];
    d->block_nnz[b] = nnz;
    return true;
}

static bool numeric_block(const direct *d, int64_t b, scratch *s)
{
    const row_range *range = &d->c->p.blocks[b].range;
    const spgemm_csr *C = &d->c->made;
    const size_t at = (size_t)d->offset[b];
    int64_t aside;
    output out;
    spgemm_output_open_direct(
        &out, d->offset[b + 1] - d->offset[b],
        (char *)C->colidx + at * spgemm_index_size(C->index_type),
        (char *)C->values + at * spgemm_value_size(C->value_type),
        row_counts(d, range, &aside));
    if (!d->c->kernels->numeric(&d->c->ops, range, s, &out))
        return false;
    d->block_nnz[b] = spgemm_output_close(&out);
    return true;
}

static void add_counts(direct *d, const scratch *s)
{
#pragma omp critical(spgemm_direct)
    {
        d->threads_used++;
        for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
            d->rows_by_accumulator[a] += s->rows_by_accumulator[a];
    }
}

static spgemm_status run(direct *d, bool is_numeric)
{
    const spgemm_csr *B = d->c->ops.B;
    bool has_failed = false;
#pragma omp parallel num_threads(d->team)
    {
        const team_fpmode mode = team_fpmode_enter();
        bool is_well = true;
        scratch s;
        spgemm_scratch_init(&s, &d->c->m, spgemm_value_size(B->value_type),
                            spgemm_index_size(B->index_type));
#pragma omp for schedule(dynamic, 1)
        for (int64_t b = 0; b < d->c->p.count; b++)
            is_well = is_well && (is_numeric ? numeric_block(d, b, &s)
                                             : symbolic_block(d, b, &s));
        if (is_numeric)
            add_counts(d, &s);
        spgemm_scratch_clear(&s);
        if (!is_well) {
#pragma omp atomic write
            has_failed = true;
        }
        team_fpmode_leave(&mode);
    }
    return has_failed ? SPGEMM_ERROR_OUT_OF_MEMORY : SPGEMM_SUCCESS;
}

spgemm_status spgemm_direct_symbolic(direct *d)
{
    return run(d, false);
}

spgemm_status spgemm_direct_numeric(direct *d)
{
    return run(d, true);
}

int64_t spgemm_direct_offsets(direct *d)
{
    int64_t sum = 0;
    for (int64_t b = 0; b < d->c->p.count; b++) {
        d->offset[b] = sum;
        sum += d->block_nnz[b];
    }
    d->offset[d->c->p.count] = sum;
    return sum;
}

void spgemm_direct_rowptr(direct *d)
{
    int64_t *rowptr = d->c->made.rowptr;
#pragma omp parallel for num_threads(d->team) schedule(dynamic, 16)
    for (int64_t b = 0; b < d->c->p.count; b++) {
        const row_range *range = &d->c->p.blocks[b].range;
        if (range->parts > 0) {
            if (range->is_last)
                rowptr[range->row_end] = d->offset[b + 1];
            continue;
        }
        int64_t end = d->offset[b];
        for (int64_t i = range->row_begin; i < range->row_end; i++) {
            end += rowptr[i + 1];
            rowptr[i + 1] = end;
        }
    }
}
