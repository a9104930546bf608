/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C(i,:)) = alpha m^2 / (2^-M_1 + ... + 2^-M_m), M_b the longest run of
   leading zeros, plus one, among the hashes of the columns j of row i of C that
   fall into bucket b of m.

   P. Flajolet, E. Fusy, O. Gandouet, F. Meunier, HyperLogLog: the analysis of
   a near-optimal cardinality estimation algorithm, AofA 2007, DMTCS AH; one
   sketch a row of B, the largest registers along the rows of A: Y. Li, G.
   Guidi, Ocean, arXiv:2604.19004. Where the estimate is at most 2.5 m and V
   buckets are empty it is that of linear counting (linear_counting.h). Differs
   from them in: 64 bits of hash, no correction of large ranges; a standard error
   of the total.

   A row's is about 1.04 nnz / sqrt(m), but rows share columns, so that theirs
   are not independent. Buckets nearly are: to first order the total errs by
   the sum over b of y_b = sum_i w_i 2^-M_b(i) (of the row's empty buckets where
   it is counted linearly), w_i = nnz(i) / (its sum). As the columns are given,
   and only where they fall is random, what y_b owes to the load of its bucket
   does not count: that is taken off by regression on the products in it. Where
   an estimate is between 2.5 m and 5 m it is known to be 1.6 % too high at
   most, and so much is added.

   Time: m of A's entries, B's once. Memory: m + 8 bytes a row of B, 8 a row of
   C, 17 m a task. */
#include <math.h>
#include <string.h>

#include "common/hash.h"
#include "common/try.h"
#include "matrix/csr.h"
#include "predict/linear_counting.h"
#include "predict/predictor.h"
#include "predict/published/column_uses.h"
#include "predict/row_tasks.h"

#define LINEAR_MOST 2.5 /* times m */
#define BIASED_MOST 5.0 /* times m */
#define BIAS        0.016

#define PREFETCH_AHEAD 8 /* entries of A; registers are random reads */

typedef struct hll_work {
    const spgemm_csr *A;
    const spgemm_csr *B;
    uint64_t key;
    int64_t m;
    int bits;                   /* of a hash that are its bucket: log2(m) */
    int64_t *uses;              /* [rows of B] entries of A that meet the row */
    uint8_t *registers;         /* [rows of B][m] */
    uint8_t *scratch;           /* [task][m] */
    double *spread;             /* [task][m] y_b */
    int64_t *load;              /* [task][m] products in bucket b */
    double nnz[MOST_ROW_TASKS]; /* sums over rows */
    double biased[MOST_ROW_TASKS]; /* of rows whose estimate is too high */
    double *row_nnz;
} hll_work;

/* What the registers of a row say. */
typedef struct hll_count {
    double nnz;
    double weight; /* of a bucket, by 2^-M, or by being empty */
    bool is_linear;
} hll_count;

static ALWAYS_INLINE void raise(uint8_t *restrict registers,
                                const uint8_t *restrict others, int64_t m)
{
    for (int64_t b = 0; b < m; b++)
        registers[b] = others[b] > registers[b] ? others[b] : registers[b];
}

/* The sketches of rows of B that A meets, and what products they bring. */
static void make_sketches(void *work, int64_t task, int64_t begin, int64_t end)
{
    const hll_work *w = work;
    const spgemm_csr *B = w->B;
    const bool is_wide = B->index_type == SPGEMM_I64;
    int64_t *load = w->load + task * w->m;
    for (int64_t k = begin; k < end; k++) {
        uint8_t *registers = w->registers + k * w->m;
        if (w->uses[k] == 0)
            continue;
        memset(registers, 0, (size_t)w->m);
        for (int64_t q = B->rowptr[k]; q < B->rowptr[k + 1]; q++) {
            const uint64_t hash =
                hash_index(w->key, column_at(B->colidx, is_wide, q));
            const uint64_t bucket = hash >> (64 - w->bits);
            /* Never 0: the bits of the bucket are followed by a one. */
            const uint64_t rest = hash << w->bits | (uint64_t)1
                                                        << (w->bits - 1);
            const uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1);
            if (rank > registers[bucket])
                registers[bucket] = rank;
            load[bucket] += w->uses[k];
        }
    }
}

/* The sketch of row i of C. */
static void merge_row(const hll_work *w, int64_t i, uint8_t *registers)
{
    const spgemm_csr *A = w->A;
    const bool is_wide = A->index_type == SPGEMM_I64;
    memset(registers, 0, (size_t)w->m);
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
        if (p + PREFETCH_AHEAD < A->nnz)
            PREFETCH(w->registers +
                     w->m * column_at(A->colidx, is_wide, p + PREFETCH_AHEAD));
        raise(registers, w->registers + w->m * column_at(A->colidx, is_wide, p),
              w->m);
    }
}

/* 2^-rank. */
static double power_of(uint8_t rank)
{
    const uint64_t bits = (uint64_t)(1023 - rank) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* Flajolet et al., figure 3. */
static double alpha_of(int64_t m)
{
    return m == 16   ? 0.673
           : m == 32 ? 0.697
           : m == 64 ? 0.709
                     : 0.7213 / (1 + 1.079 / (double)m);
}

static hll_count count_row(const uint8_t *registers, int64_t m)
{
    const double buckets = (double)m;
    double sum = 0.0;
    int64_t empty = 0;
    for (int64_t b = 0; b < m; b++) {
        sum += power_of(registers[b]);
        empty += registers[b] == 0;
    }
    const double raw = alpha_of(m) * buckets * buckets / sum;
    if (raw > LINEAR_MOST * buckets || empty == 0)
        return (hll_count){.nnz = raw, .weight = raw / sum};
    const double rate = log1p(-1 / buckets);
    return (hll_count){.nnz = linear_count((double)empty, buckets),
                       .weight = -1 / (rate * (double)empty),
                       .is_linear = true};
}

static void estimate(void *work, int64_t task, int64_t begin, int64_t end)
{
    hll_work *w = work;
    uint8_t *registers = w->scratch + task * w->m;
    double *spread = w->spread + task * w->m;
    for (int64_t i = begin; i < end; i++) {
        merge_row(w, i, registers);
        const hll_count count = count_row(registers, w->m);
        w->row_nnz[i] = count.nnz;
        w->nnz[task] += count.nnz;
        if (!count.is_linear && count.nnz < BIASED_MOST * (double)w->m)
            w->biased[task] += count.nnz;
        for (int64_t b = 0; b < w->m; b++)
            spread[b] += !count.is_linear
                             ? count.weight * power_of(registers[b])
                         : registers[b] == 0 ? count.weight
                                             : 0.0;
    }
}

/* Over the tasks, into the first. */
static void sum_tasks(hll_work *w)
{
    for (int64_t task = 1; task < MOST_ROW_TASKS; task++)
        for (int64_t b = 0; b < w->m; b++) {
            w->spread[b] += w->spread[task * w->m + b];
            w->load[b] += w->load[task * w->m + b];
        }
}

/* Of a sum of squares, what rounding leaves of none. */
#define ROUNDING_SHARE 1e-12

/* All rows have the same few columns, and miss what these lose to one another: the
   deviation of linear counting (Whang et al., 1990), which no spread tells of where they
   happen to lose nothing. */
static double shared_error(const hll_work *w)
{
    const double m = (double)w->m;
    int64_t met = 0;
    for (int64_t b = 0; b < w->m; b++)
        met += w->load[b] > 0;
    const double load = -log1p(-(double)met / m); /* columns a bucket */
    return load <= 1.0 && load > 0.0
               ? sqrt(expm1(load) - load) / (load * sqrt(m)) *
                     sum_row_tasks(w->nnz)
               : 0.0;
}

/* Of the total: of m buckets, about the line through their loads. */
static double standard_error(hll_work *w)
{
    const double m = (double)w->m;
    double y_mean = 0.0;
    double squares = 0.0;
    double q_mean = 0.0;
    double yy = 0.0;
    double yq = 0.0;
    double qq = 0.0;
    sum_tasks(w);
    for (int64_t b = 0; b < w->m; b++) {
        y_mean += w->spread[b] / m;
        squares += w->spread[b] * w->spread[b];
        q_mean += (double)w->load[b] / m;
    }
    for (int64_t b = 0; b < w->m; b++) {
        const double y = w->spread[b] - y_mean;
        const double q = (double)w->load[b] - q_mean;
        yy += y * y;
        yq += y * q;
        qq += q * q;
    }
    const double about_line = qq > 0 ? yy - yq * yq / qq : yy;
    const double spread =
        about_line > ROUNDING_SHARE * squares ? about_line : 0;
    const double bias = BIAS * sum_row_tasks(w->biased);
    return fmax(sqrt(m * spread / (m - 2) + bias * bias), shared_error(w));
}

/* false: no memory. */
static bool take_memory(hll_work *w, prediction *out, const predict_input *in)
{
    const int64_t inner = w->B->nrows;
    const int64_t all = MOST_ROW_TASKS * w->m;
    w->row_nnz = out->row_nnz =
        spgemm_memory_allocate(in->m, w->A->nrows, sizeof *w->row_nnz);
    w->uses = spgemm_memory_allocate_zeroed(in->m, inner, sizeof *w->uses);
    w->registers = spgemm_memory_allocate(in->m, inner, (size_t)w->m);
    w->scratch = spgemm_memory_allocate(in->m, all, sizeof *w->scratch);
    w->spread = spgemm_memory_allocate_zeroed(in->m, all, sizeof *w->spread);
    w->load = spgemm_memory_allocate_zeroed(in->m, all, sizeof *w->load);
    return w->row_nnz && w->uses && w->registers && w->scratch && w->spread &&
           w->load;
}

static void give_memory_back(hll_work *w, memory *m)
{
    const int64_t inner = w->B->nrows;
    const int64_t all = MOST_ROW_TASKS * w->m;
    spgemm_memory_release(m, w->load, all, sizeof *w->load);
    spgemm_memory_release(m, w->spread, all, sizeof *w->spread);
    spgemm_memory_release(m, w->scratch, all, sizeof *w->scratch);
    spgemm_memory_release(m, w->registers, inner, (size_t)w->m);
    spgemm_memory_release(m, w->uses, inner, sizeof *w->uses);
}

spgemm_status spgemm_predict_hyperloglog(prediction *out,
                                         const predict_input *in)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_options *options = in->options;
    const hash_sampler all_rows = hash_sampler_make(0, 1);
    hll_work w = {.A = in->A,
                  .B = in->B,
                  .key = hash_key(options->predict.seed, HASH_COLUMNS),
                  .m = predict_size(options, SPGEMM_PREDICTOR_HYPERLOGLOG)};
    w.bits = floor_log2(w.m);
    SPGEMM_REQUIRE(take_memory(&w, out, in), SPGEMM_ERROR_OUT_OF_MEMORY);
    spgemm_column_uses(w.uses, in->A, &all_rows, options->resources.nthreads);
    spgemm_row_tasks_run(in->B, options->resources.nthreads, make_sketches, &w);
    spgemm_row_tasks_run(in->A, options->resources.nthreads, estimate, &w);
    out->nnz = fmin(sum_row_tasks(w.nnz), (double)in->counts->bound);
    out->standard_error = standard_error(&w);
    out->rows_sampled = in->A->nrows;

cleanup:
    give_memory_back(&w, in->m);
    return status;
}
