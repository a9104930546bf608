/* SPDX-License-Identifier: BSD-3-Clause */
/* products(i) = sum over A(i,k) of nnz(B(k,:)).

   Algorithm 1 of Du et al., arXiv:2207.13848. Differs from it in: 64-bit
   counters, checked; rows are taken block by block, not dealt out; the
   lengths of B's rows are written down first, in 32 bits, which leaves one
   random read an entry, of half the size. Measured, one thread of a Zen 4, ms
   with row pointers and with lengths: 27-point 100^3 times its prolongation 21,
   12; consph-like 4.1, 2.2; Erdos-Renyi 1e6/4 6.8, 5.5; where most rows are alike
   they are added to their class by runs (all of a prediction, without and with:
   mario002-like 5.2, 4.2; t60k 0.54, 0.38). */
#include "predict/products.h"

#include "common/checked.h"
#include "common/compiler.h"
#include "common/refusal.h"
#include "common/task_queue.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/near_rows.h"
#include "predict/row_lengths.h"

#define THREAD_ENTRIES 32768 /* of A that are worth a thread */

/* Rows of a block at most; blocks at least where there are as many rows, and for
   each thread where that leaves them so many rows. */
#define BLOCK_ROWS      2048
#define LEAST_BLOCKS    16
#define BLOCKS_A_THREAD 4
#define FEW_BLOCK_ROWS  128

/* Lengths of so many rows stay in a second cache. Of more, those are asked for that
   so many entries of A ahead will be read. Measured, one thread of a Zen 5, the
   whole product of 6e6 rows with 6e5 entries: 111 ms without, 78 with. */
#define NEAR_LENGTHS  262144
#define AHEAD_LENGTHS 16

/* A block in so many is counted by runs, though the last one had not enough. */
#define TRY_RUNS 16

/* x + y, told when they do not fit where they might not. */
static ALWAYS_INLINE int64_t add(int64_t x, int64_t y, bool is_checked,
                                 bool *fits)
{
    if (!is_checked)
        return x + y;
    *fits &= checked_add_i64(x, y, &x);
    return x;
}

/* How a block is counted. */
typedef enum count_way {
    COUNT_CHECKED, /* sums may not fit */
    COUNT_EQUAL,   /* rows of B are of one length */
    COUNT_NEAR,
    COUNT_FAR /* lengths are asked for early */
} count_way;

/* Products of entries [begin, end) of A, and the lengths of B's rows among
   them, or'ed: as many bits as the longest has, at the cost of an instruction.
   false: they do not fit int64_t. */
static ALWAYS_INLINE bool sum_row(const spgemm_csr *A,
                                  const row_lengths *lengths, bool is_wide,
                                  count_way way, int64_t begin, int64_t end,
                                  int64_t *sum, int64_t *lengths_or)
{
    const bool is_checked = way == COUNT_CHECKED;
    const int64_t last = A->nnz - 1;
    bool fits = true;
    int64_t products = 0;
    int64_t bits = 0;
    if (way == COUNT_EQUAL) {
        *lengths_or = lengths->narrow[0];
        *sum = (end - begin) * *lengths_or;
        return true;
    }
    for (int64_t p = begin; p < end; p++) {
        const int64_t k = column_at(A->colidx, is_wide, p);
        if (way == COUNT_FAR)
            PREFETCH(&lengths->narrow[column_at(
                A->colidx, is_wide, min_i64(p + AHEAD_LENGTHS, last))]);
        const int64_t length = is_checked
                                   ? lengths->rowptr[k + 1] - lengths->rowptr[k]
                                   : lengths->narrow[k];
        products = add(products, length, is_checked, &fits);
        bits |= length;
    }
    *sum = products;
    *lengths_or = bits;
    return fits;
}

/* Rows one behind the other that are alike. */
typedef struct row_run {
    int64_t products; /* of each */
    int64_t length;
    int64_t lengths_or;
    int64_t rows;
    int class;
} row_run;

static ALWAYS_INLINE bool are_alike(const row_run *x, const row_run *y)
{
    return x->products == y->products && x->length == y->length &&
           x->lengths_or == y->lengths_or;
}

/* What a thread counts. */
typedef struct counter {
    product_counts counts;
    bool fits;
    bool by_runs;  /* most rows of the last block counted so were alike */
    int64_t since; /* blocks that came when they were not */
} counter;

/* Of the rows of a block, while they are counted. */
typedef struct block_sums {
    int64_t total;
    int64_t bound;
    int64_t longest;
    int64_t runs;
    int64_t rows; /* with products */
} block_sums;

/* Adds the rows of a run to all and to their class. false: a sum does not fit. */
static ALWAYS_INLINE bool add_run(row_class *classes, block_classes *block,
                                  block_sums *all, const row_run *run,
                                  int64_t ncols, bool is_checked)
{
    row_class *class = &classes[run->class];
    const int64_t excess = products_excess(run->products);
    const int64_t products = run->rows * run->products;
    const int64_t bound = run->rows * min_i64(run->products, ncols);
    bool fits = true;
    all->total = add(all->total, products, is_checked, &fits);
    all->bound = add(all->bound, bound, is_checked, &fits);
    all->longest = max_i64(all->longest, run->products);
    all->runs++;
    all->rows += run->rows;
    class->products = add(class->products, products, is_checked, &fits);
    class->rows += run->rows;
    class->entries += run->rows * run->length;
    class->squares += run->rows * (excess * excess);
    block->rows[run->class] += (uint16_t)run->rows;
    return fits;
}

/* Adds the rows of a block: one by one, or by runs. */
static ALWAYS_INLINE void count_block(counter *mine, const spgemm_csr *A,
                                      int64_t ncols, const row_lengths *lengths,
                                      bool is_wide, count_way way, bool by_runs,
                                      int64_t b)
{
    const bool is_checked = way == COUNT_CHECKED;
    product_counts *const counts = &mine->counts;
    const int64_t *restrict Ap = A->rowptr;
    const int64_t end = min_i64(A->nrows, (b + 1) * counts->block_rows);
    row_class *const classes = counts->classes;
    block_classes *const block = &counts->blocks[b];
    bool fits = true;
    block_sums all = {counts->total, counts->bound, counts->longest, 0, 0};
    row_run run = {.rows = 0};
    *block = (block_classes){{0}};
    for (int64_t i = b * counts->block_rows; i < end; i++) {
        row_run row = {.length = Ap[i + 1] - Ap[i], .rows = 1};
        fits &= sum_row(A, lengths, is_wide, way, Ap[i], Ap[i + 1],
                        &row.products, &row.lengths_or);
        counts->row[i] = row.products;
        if (row.products <= 0) {
            counts->row_class[i] = 0;
            continue;
        }
        if (by_runs && are_alike(&run, &row)) {
            run.rows++;
        } else {
            if (by_runs && run.rows > 0)
                fits &= add_run(classes, block, &all, &run, ncols, is_checked);
            run = row;
            run.class =
                prediction_class(row.products, row.length, row.lengths_or);
            if (!by_runs)
                fits &= add_run(classes, block, &all, &run, ncols, is_checked);
        }
        counts->row_class[i] = (uint16_t)run.class;
    }
    if (by_runs && run.rows > 0)
        fits &= add_run(classes, block, &all, &run, ncols, is_checked);
    counts->total = all.total;
    counts->bound = all.bound;
    counts->longest = all.longest;
    mine->fits &= fits;
    if (by_runs)
        mine->by_runs = 2 * all.runs < all.rows;
}

static count_way way_of(const spgemm_csr *A, const row_lengths *lengths,
                        bool is_wide, int64_t begin, int64_t end)
{
    if (!lengths->narrow)
        return COUNT_CHECKED;
    if (lengths->are_equal)
        return COUNT_EQUAL;
    return lengths->nrows > NEAR_LENGTHS &&
                   !are_near_rows(A, is_wide, begin, end)
               ? COUNT_FAR
               : COUNT_NEAR;
}

static ALWAYS_INLINE void count_block_of(counter *mine, const spgemm_csr *A,
                                         int64_t ncols,
                                         const row_lengths *lengths,
                                         bool is_wide, int64_t b)
{
    const int64_t begin = b * mine->counts.block_rows;
    const int64_t end = min_i64(A->nrows, begin + mine->counts.block_rows);
    const bool by_runs = mine->by_runs || mine->since++ % TRY_RUNS == 0;
    switch (way_of(A, lengths, is_wide, begin, end)) {
    case COUNT_CHECKED:
        count_block(mine, A, ncols, lengths, is_wide, COUNT_CHECKED, false, b);
        break;
    case COUNT_EQUAL:
        count_block(mine, A, ncols, lengths, is_wide, COUNT_EQUAL, true, b);
        break;
    case COUNT_FAR:
        if (by_runs)
            count_block(mine, A, ncols, lengths, is_wide, COUNT_FAR, true, b);
        else
            count_block(mine, A, ncols, lengths, is_wide, COUNT_FAR, false, b);
        break;
    case COUNT_NEAR:
        if (by_runs)
            count_block(mine, A, ncols, lengths, is_wide, COUNT_NEAR, true, b);
        else
            count_block(mine, A, ncols, lengths, is_wide, COUNT_NEAR, false, b);
    }
}

void spgemm_classes_add(row_class *all, const row_class *mine)
{
    for (int c = 0; c < PREDICTION_CLASSES; c++) {
        if (mine[c].rows == 0 && mine[c].bound == 0)
            continue;
        all[c].rows += mine[c].rows;
        all[c].bound = saturating_add_i64(all[c].bound, mine[c].bound);
        all[c].products = saturating_add_i64(all[c].products, mine[c].products);
        all[c].entries += mine[c].entries;
        all[c].squares += mine[c].squares;
    }
}

/* What a team counts, block by block. */
typedef struct counting {
    product_counts *all;
    const spgemm_csr *A;
    const spgemm_csr *B;
    row_lengths lengths;
    task_queue blocks;
    bool fits;
} counting;

/* The classes, of which there are many, are added once a thread. */
static void take_blocks(void *context, int rank)
{
    counting *w = context;
    product_counts *all = w->all;
    int64_t b;
    row_class classes[PREDICTION_CLASSES] = {0};
    counter mine = {.counts = {.row = all->row,
                               .row_class = all->row_class,
                               .classes = classes,
                               .block_rows = all->block_rows,
                               .blocks = all->blocks},
                    .fits = true};
    (void)rank;
    while (task_take(&w->blocks, &b))
        count_block_of(&mine, w->A, w->B->ncols, &w->lengths,
                       w->A->index_type == SPGEMM_I64, b);
#pragma omp critical(spgemm_products)
    {
        w->fits &= mine.fits;
        w->fits &= checked_add_i64(all->total, mine.counts.total, &all->total);
        all->bound = saturating_add_i64(all->bound, mine.counts.bound);
        all->longest = max_i64(all->longest, mine.counts.longest);
        spgemm_classes_add(all->classes, classes);
    }
}

static bool make_classes(product_counts *counts, int team, memory *m)
{
    const int64_t nrows = counts->nrows;
    const int64_t least =
        max_i64(LEAST_BLOCKS, min_i64((int64_t)BLOCKS_A_THREAD * team,
                                      nrows / FEW_BLOCK_ROWS));
    counts->block_rows = max_i64(1, min_i64(BLOCK_ROWS, nrows / least));
    counts->nblocks = (nrows + counts->block_rows - 1) / counts->block_rows;
    counts->classes = spgemm_memory_allocate_zeroed(m, PREDICTION_CLASSES,
                                                    sizeof *counts->classes);
    counts->blocks =
        spgemm_memory_allocate(m, counts->nblocks, sizeof *counts->blocks);
    return counts->classes && counts->blocks;
}

int spgemm_products_team(const spgemm_csr *A, int nthreads)
{
    return spgemm_team_size(nthreads, A->nnz, THREAD_ENTRIES);
}

spgemm_status spgemm_products_count(product_counts *counts, const spgemm_csr *A,
                                    const spgemm_csr *B, int nthreads,
                                    memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    row_lengths lengths = {.rowptr = B->rowptr, .nrows = B->nrows};
    int64_t most;
    SPGEMM_REQUIRE(spgemm_products_make_rows(counts, A->nrows, m),
                   SPGEMM_ERROR_OUT_OF_MEMORY);
    const int team = spgemm_products_team(A, nthreads);
    SPGEMM_REQUIRE(make_classes(counts, team, m), SPGEMM_ERROR_OUT_OF_MEMORY);
    /* No sum can overflow when nnz(A) nnz(B) does not. */
    if (B->nnz <= INT32_MAX && !__builtin_mul_overflow(A->nnz, B->nnz, &most)) {
        SPGEMM_REQUIRE(spgemm_row_lengths_make(&lengths, nthreads, m),
                       SPGEMM_ERROR_OUT_OF_MEMORY);
    }
    counting w = {.all = counts,
                  .A = A,
                  .B = B,
                  .lengths = lengths,
                  .blocks = {.count = counts->nblocks},
                  .fits = true};
    spgemm_team_run(team, take_blocks, &w);
    SPGEMM_REQUIRE(w.fits, spgemm_refuse(SPGEMM_ERROR_OVERFLOW,
                                         "A*B has more products than fit "
                                         "int64_t"));

cleanup:
    spgemm_row_lengths_clear(&lengths, m);
    return status;
}

bool spgemm_products_make_rows(product_counts *counts, int64_t nrows, memory *m)
{
    *counts = (product_counts){.nrows = nrows};
    counts->row = spgemm_memory_allocate(m, nrows, sizeof *counts->row);
    counts->row_class =
        spgemm_memory_allocate(m, nrows, sizeof *counts->row_class);
    return counts->row && counts->row_class;
}

void spgemm_products_clear(product_counts *counts, memory *m)
{
    spgemm_memory_release(m, counts->row, counts->nrows, sizeof *counts->row);
    spgemm_memory_release(m, counts->row_class, counts->nrows,
                          sizeof *counts->row_class);
    spgemm_memory_release(m, counts->classes, PREDICTION_CLASSES,
                          sizeof *counts->classes);
    spgemm_memory_release(m, counts->blocks, counts->nblocks,
                          sizeof *counts->blocks);
    *counts = (product_counts){0};
}
