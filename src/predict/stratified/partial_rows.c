/* SPDX-License-Identifier: BSD-3-Clause */
/* Z, f1 and f2 of some rows of B together. */
#include "predict/stratified/partial_rows.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "common/checked.h"
#include "common/partition.h"
#include "common/rng.h"
#include "common/slots.h"
#include "common/team.h"
#include "common/try.h"
#include "matrix/csr.h"

#define THREAD_ROWS 32 /* that are worth a thread */
#define TASK_ROWS   8  /* which a task looks at */
#define SHUFFLES    4

/* A slot is (column + 1) << COUNT_BITS | how often it was met, 0 if empty. Columns that
   are 2^62 apart would be taken for one. */
enum { COUNT_BITS = 2, MOST_COUNT = 3 };

enum { FEW_PICKS = 128, FEW_SLOTS = 1024 };

typedef struct partial_work {
    const predict_input *in;
    partial_row *rows;
    int64_t count;
    uint64_t seed;
    atomic_bool has_failed;
} partial_work;

/* How many columns were met once, twice, and at all. */
typedef struct column_counts {
    int64_t once;
    int64_t twice;
    int64_t all;
} column_counts;

static void add_column(uint64_t *slots, int64_t room, int64_t j,
                       column_counts *n)
{
    const uint64_t key = ((uint64_t)j + 1) & (UINT64_MAX >> COUNT_BITS);
    uint64_t at = hash_column(key, hash_shift(room));
    while (slots[at] != 0 && slots[at] >> COUNT_BITS != key)
        at = (at + 1) & (uint64_t)(room - 1);
    const int64_t before = (int64_t)(slots[at] & MOST_COUNT);
    n->all += before == 0;
    n->once += (before == 0) - (before == 1);
    n->twice += (before == 1) - (before == 2);
    if (before < MOST_COUNT)
        slots[at] = key << COUNT_BITS | (uint64_t)(before + 1);
}

/* Place e of [0, length) in random order: steps of a bijection of [0, 2^bits) until
   it is one of these. */
static int64_t shuffled(int64_t e, int64_t length, uint64_t key)
{
    const int bits = 64 - __builtin_clzll((uint64_t)length);
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    uint64_t x = (uint64_t)e;
    do {
        for (int t = 0; t < SHUFFLES; t++) {
            x = (x * (rng_bits(key, (uint64_t)t) | 1)) & mask;
            x ^= x >> (bits / 2 + 1);
            x = (x + (key >> t)) & mask;
        }
    } while (x >= (uint64_t)length);
    return (int64_t)x;
}

/* The row of B of entry e of those looked at. They are spread over A's row; where the
   row's nnz is what they say, in any order: of rows of B that are like their
   neighbours in A's row, those far from each other have no column together. */
static int64_t picked_row(const partial_work *w, const partial_row *r,
                          int64_t time, int64_t e)
{
    const spgemm_csr *A = w->in->A;
    const int64_t begin = A->rowptr[r->row];
    const int64_t length = A->rowptr[r->row + 1] - begin;
    const bool is_wide = A->index_type == SPGEMM_I64;
    if (r->is_corrected) {
        const uint64_t key =
            rng_bits(w->seed, (uint64_t)r->row << 20 ^ (uint64_t)time);
        return column_at(A->colidx, is_wide, begin + shuffled(e, length, key));
    }
    const int64_t low = partition_bound(length, r->entries, e);
    const int64_t high = partition_bound(length, r->entries, e + 1);
    const uint64_t counter =
        (uint64_t)r->row << 20 ^ (uint64_t)(time * r->entries + e);
    return column_at(A->colidx, is_wide,
                     begin + low + rng_below(w->seed, counter, high - low));
}

/* nnz of the whole row, of which n products were looked at. */
static double extrapolate(const column_counts *seen, double n, double all,
                          double ncols)
{
    const double once = (double)seen->once;
    const double twice = (double)seen->twice;
    const double Z = (double)seen->all;
    const double f0 = fmin(once * once / (2.0 * twice + 1.0), ncols - Z);
    if (!(f0 > 0))
        return Z;
    return fmin(all, Z - f0 * expm1(-(all - n) / n * once / f0));
}

/* The same, were each column that was met to have as many products. */
static double extrapolate_equal(const column_counts *seen, double n, double all)
{
    const double once = (double)seen->once;
    const double odds = n / fmax(1.0, all - n);
    return fmin(all, (double)seen->all +
                         once * once /
                             (2.0 * (double)seen->twice + 1.0 + odds * once));
}

/* The rows of B that one look meets, and slots for their columns: most have few. A
   table has no more slots than B has columns: then there is a byte for each of these,
   which says how often it was met, and nothing else is kept. */
typedef struct look_room {
    int64_t few_picks[FEW_PICKS];
    uint64_t few_slots[FEW_SLOTS];
    int64_t *picks;
    uint64_t *slots;
    int64_t slots_count;
    int64_t times_count; /* of bytes; 0: it is a table */
    column_counts seen;  /* in a table */
} look_room;

/* Picks rows of B and returns their products. All are asked for before any is
   read: they lie anywhere. */
static int64_t pick_rows(const partial_work *w, const partial_row *r,
                         int64_t time, int64_t *picks)
{
    const spgemm_csr *B = w->in->B;
    const bool is_wide = B->index_type == SPGEMM_I64;
    const size_t size = is_wide ? sizeof(int64_t) : sizeof(int32_t);
    int64_t products = 0;
    for (int64_t e = 0; e < r->entries; e++) {
        picks[e] = picked_row(w, r, time, e);
        __builtin_prefetch(&B->rowptr[picks[e]]);
    }
    for (int64_t e = 0; e < r->entries; e++) {
        const int64_t begin = B->rowptr[picks[e]];
        products += B->rowptr[picks[e] + 1] - begin;
        __builtin_prefetch((const char *)B->colidx + (size_t)begin * size);
    }
    return products;
}

static void end_look(const partial_work *w, const partial_row *r, look_room *o)
{
    if (o->picks != o->few_picks)
        spgemm_memory_release(w->in->m, o->picks, r->entries, sizeof *o->picks);
    if (o->slots != o->few_slots)
        spgemm_memory_release(w->in->m, o->slots, o->slots_count,
                              sizeof *o->slots);
}

/* The rows of B and empty slots for their columns. Returns their products, < 0: no
   memory. */
static int64_t begin_look(const partial_work *w, const partial_row *r,
                          int64_t time, look_room *o)
{
    o->picks = o->few_picks;
    o->slots = o->few_slots;
    if (r->entries > FEW_PICKS)
        o->picks =
            spgemm_memory_allocate(w->in->m, r->entries, sizeof *o->picks);
    if (!o->picks)
        return -1;
    const int64_t products = pick_rows(w, r, time, o->picks);
    o->slots_count = hash_slots(2 * products);
    o->times_count = 0;
    o->seen = (column_counts){0};
    if (w->in->B->ncols <= o->slots_count) {
        o->times_count = w->in->B->ncols;
        o->slots_count = o->times_count / (int64_t)sizeof *o->slots + 1;
    }
    if (o->slots_count > FEW_SLOTS)
        o->slots = spgemm_memory_allocate_zeroed(w->in->m, o->slots_count,
                                                 sizeof *o->slots);
    else
        memset(o->slots, 0, (size_t)o->slots_count * sizeof *o->slots);
    if (o->slots)
        return products;
    end_look(w, r, o);
    return -1;
}

/* Row k of B is met. */
static void meet_row(const spgemm_csr *B, int64_t k, look_room *o)
{
    const bool is_wide = B->index_type == SPGEMM_I64;
    uint8_t *times = (uint8_t *)o->slots;
    if (o->times_count > 0)
        for (int64_t q = B->rowptr[k]; q < B->rowptr[k + 1]; q++) {
            uint8_t *of = &times[column_at(B->colidx, is_wide, q)];
            *of = (uint8_t)(*of + (*of < MOST_COUNT));
        }
    else
        for (int64_t q = B->rowptr[k]; q < B->rowptr[k + 1]; q++)
            add_column(o->slots, o->slots_count,
                       column_at(B->colidx, is_wide, q), &o->seen);
}

/* What was met so far. */
static column_counts columns_met(const look_room *o)
{
    const uint8_t *times = (const uint8_t *)o->slots;
    column_counts met = o->seen;
    for (int64_t j = 0; j < o->times_count; j++) {
        met.all += times[j] > 0;
        met.once += times[j] == 1;
        met.twice += times[j] == 2;
    }
    return met;
}

/* What one look says of a row; trend and gap are entries here. */
typedef struct saying {
    double nnz;
    double trend;
    double gap;
} saying;

/* Looks at some entries once. false: no memory. */
static bool look(const partial_work *w, partial_row *r, int64_t time,
                 saying *said)
{
    const spgemm_csr *B = w->in->B;
    const double all = (double)w->in->counts->row[r->row];
    const double ncols = (double)B->ncols;
    column_counts met;
    look_room o;
    const int64_t products = begin_look(w, r, time, &o);
    if (products < 0)
        return false;
    const int64_t evens = (r->entries + 1) / 2;
    const int64_t half = r->is_corrected ? evens : 0;
    double of_half = 0.0;
    int64_t looked_at = 0;
    for (int64_t e = 0; e < r->entries; e++) {
        /* Those of even numbers first: they are spread over the row, too. */
        const int64_t k = o.picks[e < evens ? 2 * e : 2 * (e - evens) + 1];
        meet_row(B, k, &o);
        looked_at += B->rowptr[k + 1] - B->rowptr[k];
        if (e + 1 == half) {
            met = columns_met(&o);
            of_half =
                extrapolate(&met, (double)max_i64(1, looked_at), all, ncols);
        }
    }
    met = columns_met(&o);
    end_look(w, r, &o);
    r->products += products;
    const double n = (double)max_i64(1, products);
    const double nnz = extrapolate(&met, n, all, ncols);
    *said = (saying){.nnz = nnz};
    if (half > 0) {
        said->nnz = fmax((double)met.all, fmin(all, 2.0 * nnz - of_half));
        said->trend = nnz - of_half;
        said->gap = nnz - extrapolate_equal(&met, n, all);
    }
    return true;
}

static void estimate_row(partial_work *w, partial_row *r)
{
    double sum = 0.0;
    double squares = 0.0;
    double trend = 0.0;
    double gap = 0.0;
    r->products = 0;
    for (int64_t time = 0; time < r->times; time++) {
        saying said = {0};
        if (!look(w, r, time, &said))
            atomic_store(&w->has_failed, true);
        sum += said.nnz;
        squares += said.nnz * said.nnz;
        trend += said.trend;
        gap += said.gap;
    }
    const double n = (double)max_i64(1, r->times);
    r->nnz = sum / n;
    r->trend = sum > 0 ? trend / sum : 0.0;
    r->gap = sum > 0 ? gap / sum : 0.0;
    r->variance = sum > 0 ? fmax(0.0, squares * n / (sum * sum) - 1.0) : 0.0;
}

static void estimate_task(void *context, int64_t t)
{
    partial_work *w = context;
    const int64_t end = min_i64(w->count, (t + 1) * TASK_ROWS);
    for (int64_t n = t * TASK_ROWS; n < end; n++)
        estimate_row(w, &w->rows[n]);
}

/* Products of the entries that are looked at. */
static void cost_row(const partial_work *w, partial_row *r)
{
    const int64_t *rowptr = w->in->B->rowptr;
    r->products = 0;
    for (int64_t time = 0; time < r->times; time++)
        for (int64_t e = 0; e < r->entries; e++) {
            const int64_t k = picked_row(w, r, time, e);
            r->products += rowptr[k + 1] - rowptr[k];
        }
}

static void cost_task(void *context, int64_t t)
{
    const partial_work *w = context;
    const int64_t end = min_i64(w->count, (t + 1) * TASK_ROWS);
    for (int64_t n = t * TASK_ROWS; n < end; n++)
        cost_row(w, &w->rows[n]);
}

static void share_rows(partial_work *w, team_task *task)
{
    const int team = spgemm_team_size(w->in->options->resources.nthreads,
                                      w->count, THREAD_ROWS);
    spgemm_team_for(team, (w->count + TASK_ROWS - 1) / TASK_ROWS, task, w);
}

void spgemm_partial_rows_cost(const predict_input *in, partial_row *rows,
                              int64_t count, uint64_t seed)
{
    partial_work w = {.in = in, .rows = rows, .count = count, .seed = seed};
    share_rows(&w, cost_task);
}

spgemm_status spgemm_partial_rows_estimate(const predict_input *in,
                                           partial_row *rows, int64_t count,
                                           uint64_t seed)
{
    partial_work w = {.in = in, .rows = rows, .count = count, .seed = seed};
    share_rows(&w, estimate_task);
    return atomic_load(&w.has_failed) ? SPGEMM_ERROR_OUT_OF_MEMORY
                                      : SPGEMM_SUCCESS;
}
