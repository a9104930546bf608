/* SPDX-License-Identifier: BSD-3-Clause */
#include "kernels/row/output.h"

#include <criterion/criterion.h>

typedef struct trial {
    memory m;
    chunk_store store;
    output out;
    int64_t row_nnz[10];
} trial;

static void begin(trial *t, int64_t capacity)
{
    *t = (trial){0};
    spgemm_memory_init(&t->m, NULL);
    spgemm_chunk_store_init(&t->store, &t->m, sizeof(int32_t), sizeof(double));
    spgemm_chunk_store_reserve(&t->store, capacity);
    cr_assert(spgemm_output_open(&t->out, &t->store, capacity, t->row_nnz));
}

static void end(trial *t)
{
    spgemm_chunk_give(&t->store, t->out.first);
    spgemm_chunk_store_clear(&t->store);
    cr_expect_eq(t->m.live_bytes, 0);
}

/* A row of n entries, the columns of which say where they stand. */
static void add_row(trial *t, int64_t n, int32_t *next)
{
    cr_assert(output_reserve(&t->out, n));
    for (int64_t p = 0; p < n; p++)
        ((int32_t *)t->out.colidx)[t->out.used + p] = (*next)++;
    output_take(&t->out, n);
    output_end_rows(&t->out, 1);
}

/* All chunks, one behind the other, are what was written. */
static void expect_all(const trial *t, int64_t count)
{
    int32_t next = 0;
    for (const chunk *c = t->out.first; c; c = c->next)
        for (int64_t p = 0; p < c->used; p++)
            cr_assert_eq(((const int32_t *)c->colidx)[p], next++);
    cr_expect_eq(next, count);
}

Test(output, keeps_rows_that_fit_in_one_chunk)
{
    trial t;
    int32_t next = 0;
    begin(&t, 100);
    for (int row = 0; row < 10; row++)
        add_row(&t, 10, &next);
    cr_expect_eq(spgemm_output_close(&t.out), 100);
    cr_expect_null(t.out.first->next);
    cr_expect_eq(t.out.overflow_rows, 0);
    expect_all(&t, 100);
    end(&t);
}

Test(output, sends_what_outgrows_its_chunk_to_the_pool)
{
    trial t;
    int32_t next = 0;
    begin(&t, 25);
    const int64_t fit = t.out.capacity / 10;
    cr_assert(fit > 1 && fit < 10);
    for (int row = 0; row < 10; row++)
        add_row(&t, 10, &next);
    cr_expect_eq(spgemm_output_close(&t.out), 100);
    cr_expect_not_null(t.out.first->next);
    cr_expect_eq(t.out.overflow_rows, 10 - fit);
    cr_expect_eq(t.out.overflow_entries, 10 * (10 - fit));
    expect_all(&t, 100);
    end(&t);
}

Test(output, takes_a_row_longer_than_any_chunk)
{
    trial t;
    int32_t next = 0;
    begin(&t, 0);
    add_row(&t, 5000, &next);
    cr_expect_eq(spgemm_output_close(&t.out), 5000);
    expect_all(&t, 5000);
    end(&t);
}

Test(output, writes_straight_to_known_places)
{
    int32_t colidx[8];
    double values[8];
    int64_t row_nnz[1];
    output out;
    spgemm_output_open_direct(&out, 8, colidx, values, row_nnz);
    cr_assert(output_reserve(&out, 8));
    cr_expect(output_is_roomy(&out, 0), "eight places, and none behind");
    cr_expect_not(output_is_roomy(&out, 1));
    output_take(&out, 8);
    cr_expect_eq(spgemm_output_close(&out), 8);
    cr_expect_eq(out.overflow_entries, 0);
}
