/* SPDX-License-Identifier: BSD-3-Clause */
#include "spgemm/execute/commit.h"

#include <criterion/criterion.h>

enum { BLOCKS = 7, ROWS = 3, MOST = BLOCKS * ROWS };

/* Blocks of three rows; row i of C has i % 4 entries, of column i. */
typedef struct trial {
    memory m;
    schedule p;
    block blocks[BLOCKS];
    commit_queue q;
    growable entries;
    int64_t rowptr[MOST + 1];
    result results[BLOCKS];
    chunk chunks[BLOCKS];
    int64_t row_nnz[BLOCKS][ROWS];
    int32_t colidx[BLOCKS][4 * ROWS];
    double values[BLOCKS][4 * ROWS];
} trial;

static void compute(trial *t, int b)
{
    chunk *c = &t->chunks[b];
    *c = (chunk){.colidx = t->colidx[b], .values = t->values[b]};
    for (int i = 0; i < ROWS; i++) {
        const int row = b * ROWS + i;
        t->row_nnz[b][i] = row % 4;
        for (int p = 0; p < row % 4; p++) {
            t->colidx[b][c->used] = row;
            t->values[b][c->used++] = row + 0.5;
        }
    }
    t->results[b] = (result){
        .block = b, .nnz = c->used, .chunks = c, .row_nnz = t->row_nnz[b]};
}

/* Room for `capacity` entries, and no more. */
static void begin(trial *t, void *colidx, void *values, int64_t capacity)
{
    *t = (trial){0};
    spgemm_memory_init(&t->m, NULL);
    for (int b = 0; b < BLOCKS; b++) {
        t->blocks[b].range =
            (row_range){.row_begin = b * ROWS, .row_end = (b + 1) * ROWS};
        compute(t, b);
    }
    t->p = (schedule){.count = BLOCKS, .blocks = t->blocks};
    spgemm_growable_borrow(&t->entries, sizeof(int32_t), sizeof(double), colidx,
                           values, capacity);
    spgemm_commit_init(&t->q, &t->p, sizeof(int32_t), NUMBERS_DOUBLE, &t->m);
    cr_assert_eq(spgemm_commit_begin(&t->q, &t->entries, t->rowptr, 0),
                 SPGEMM_SUCCESS);
}

static void end(trial *t)
{
    spgemm_commit_clear(&t->q);
    cr_expect_eq(t->m.live_bytes, 0);
}

static void expect_c(const trial *t, const int32_t *colidx,
                     const double *values)
{
    for (int i = 0; i < MOST; i++) {
        cr_assert_eq(t->rowptr[i + 1] - t->rowptr[i], i % 4, "row %d", i);
        for (int64_t p = t->rowptr[i]; p < t->rowptr[i + 1]; p++) {
            cr_assert_eq(colidx[p], i);
            cr_assert_eq(values[p], i + 0.5);
        }
    }
}

/* Order k of the blocks: a step that has no factor in common with 7. */
static int block_at(int k, int turn)
{
    return k * turn % BLOCKS;
}

Test(commit, puts_blocks_in_order_whenever_they_are_finished)
{
    for (int turn = 1; turn < BLOCKS; turn++) {
        trial t;
        int32_t colidx[4 * MOST];
        double values[4 * MOST];
        begin(&t, colidx, values, 4 * MOST);
        for (int k = 0; k < BLOCKS; k++) {
            const int b = block_at(k, turn);
            cr_assert(spgemm_commit_publish(&t.q, &t.results[b]));
            spgemm_commit_advance(&t.q);
            /* What lies before the frontier has a place, nothing behind it. */
            const int64_t frontier = atomic_load(&t.q.frontier);
            for (int other = 0; other < BLOCKS; other++)
                cr_expect_eq(atomic_load(&t.results[other].is_placed),
                             other < frontier);
        }
        cr_assert_eq(atomic_load(&t.q.frontier), BLOCKS);
        for (int b = 0; b < BLOCKS; b++)
            spgemm_commit_copy(&t.q, &t.results[b]);
        expect_c(&t, colidx, values);
        end(&t);
    }
}

Test(commit, takes_a_block_from_one_thread_only)
{
    trial t;
    result second = {.block = 2};
    int32_t colidx[4 * MOST];
    double values[4 * MOST];
    begin(&t, colidx, values, 4 * MOST);
    cr_expect_not(spgemm_commit_is_published(&t.q, 2));
    cr_expect(spgemm_commit_publish(&t.q, &t.results[2]));
    cr_expect(spgemm_commit_is_published(&t.q, 2));
    cr_expect_not(spgemm_commit_publish(&t.q, &second));
    end(&t);
}

Test(commit, stops_everybody_where_there_is_no_room)
{
    trial t;
    int32_t colidx[5];
    double values[5];
    begin(&t, colidx, values, 5); /* block 0 has 3 entries, block 1 another 3 */
    for (int b = 0; b < BLOCKS; b++)
        spgemm_commit_publish(&t.q, &t.results[b]);
    spgemm_commit_advance(&t.q);
    cr_expect_eq(atomic_load(&t.q.frontier), 1, "its rows are whole");
    cr_expect(atomic_load(&t.q.has_failed));
    cr_expect(t.q.is_full);
    end(&t);
}

/* Parts of a giant row: its end is where the last of them ends. */
Test(commit, ends_a_row_of_parts_with_the_last)
{
    trial t;
    int32_t colidx[4 * MOST];
    double values[4 * MOST];
    begin(&t, colidx, values, 4 * MOST);
    for (int b = 0; b < BLOCKS; b++)
        t.blocks[b].range = (row_range){.row_begin = 0,
                                        .row_end = 1,
                                        .parts = BLOCKS,
                                        .is_last = b == BLOCKS - 1};
    for (int b = BLOCKS - 1; b >= 0; b--)
        spgemm_commit_publish(&t.q, &t.results[b]);
    spgemm_commit_advance(&t.q);
    for (int b = 0; b < BLOCKS; b++)
        spgemm_commit_copy(&t.q, &t.results[b]);
    cr_expect_eq(t.rowptr[1], t.entries.used);
    cr_expect_eq(t.rowptr[2], 0, "no other row");
    end(&t);
}
