/* SPDX-License-Identifier: BSD-3-Clause */
#include "predictor_bench.h"

#include <math.h>
#include <stdlib.h>

#include "common/hash.h"
#include "generate.h"
#include "reference.h"

static spgemm_status count_from_reference(void *context, const int64_t *rows,
                                          int64_t count, int64_t *row_nnz)
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

predictor_spread predictor_bench_spread(predictor_bench *b, predict_fn *predict,
                                        uint64_t seeds)
{
    const double nnz = (double)b->C.nnz;
    predictor_spread s = {0};
    for (uint64_t seed = 0; seed < seeds; seed++) {
        b->options.predict.seed = seed;
        prediction p = predictor_bench_run(b, predict);
        const double error = p.nnz / nnz - 1;
        const double stated = p.standard_error / nnz;
        predictor_bench_clear(b, &p);
        s.bias += error / (double)seeds;
        s.error += error * error / (double)seeds;
        s.stated += stated * stated / (double)seeds;
        s.worst = fmax(s.worst, error == 0 ? 0 : fabs(error) / stated);
    }
    s.error = sqrt(s.error);
    s.stated = sqrt(s.stated);
    return s;
}

double predictor_bench_row_error(const predictor_bench *b, const prediction *p)
{
    double sum = 0;
    for (int64_t i = 0; i < b->C.nrows; i++)
        sum +=
            fabs((double)(prediction_row(p, i, b->counts.row[i],
                                         b->counts.row_class[i], b->C.ncols) -
                          (b->C.rowptr[i + 1] - b->C.rowptr[i])));
    return sum / (double)b->C.nnz;
}

const char *const predictor_bench_cases[] = {
    "empty 0x0",   "empty 0xn",   "empty nx0",        "empty inner dimension",
    "no entries",  "one by one",  "dense row",        "dense column",
    "rmat",        "hypersparse", "row times column", "column times row",
    "banded",      "duplicates",  "unsorted",         "widest",
    "tall skinny", "strided",     "hidden rows"};
const int predictor_bench_case_count =
    sizeof predictor_bench_cases / sizeof predictor_bench_cases[0];

void predictor_bench_begin_case(predictor_bench *b, const char *name,
                                spgemm_index_type index_type)
{
    spgemm_csr A;
    spgemm_csr B;
    make_case(find_case(name), index_type, VALUES_INTEGER, &A, &B);
    predictor_bench_begin(b, A, B);
}

static int by_hash(const void *x, const void *y)
{
    const uint64_t left = *(const uint64_t *)x;
    const uint64_t right = *(const uint64_t *)y;
    return (left > right) - (left < right);
}

double predictor_bench_places(const predictor_bench *b, place_hash *hash,
                              int64_t k)
{
    uint64_t *hashes = must_allocate(b->C.nnz, sizeof *hashes);
    int64_t count = 0;
    for (int64_t i = 0; i < b->C.nrows; i++)
        for (int64_t p = b->C.rowptr[i]; p < b->C.rowptr[i + 1]; p++)
            count += hash(b, i, column_of(&b->C, p), &hashes[count]);
    qsort(hashes, (size_t)count, sizeof *hashes, by_hash);
    const double nnz = count < k ? (double)count
                                 : (k > 1 ? (double)(k - 1) : 1.0) /
                                       (((double)hashes[k - 1] + 1) * 0x1p-64);
    free(hashes);
    return nnz;
}

bool predictor_bench_draws(const predictor_bench *b, double preset, int64_t i,
                           int64_t j, uint64_t *row, uint64_t *column)
{
    const uint64_t seed = b->options.predict.seed;
    const double p = b->options.predict.probability > 0
                         ? b->options.predict.probability
                         : preset;
    const hash_sampler rows =
        hash_sampler_make(hash_key(seed, HASH_SAMPLE_ROWS), p);
    const hash_sampler columns =
        hash_sampler_make(hash_key(seed, HASH_SAMPLE_COLUMNS), p);
    *row = hash_index(hash_key(seed, HASH_ROWS), i);
    *column = hash_index(hash_key(seed, HASH_COLUMNS), j);
    return hash_draws(&rows, i) && hash_draws(&columns, j);
}
