/* SPDX-License-Identifier: BSD-3-Clause */
/* First each C is compared with that of the predicted variant, entry by entry,
   outside the timing: two are held then. The memory they leave is given back,
   so that peaks are those of one product. Then the variants take turns, each C
   reduced to a checksum and freed before the next call; the extents that one
   leaves serve the next, as in a program that multiplies more than once. */
#include "comparison.h"

#include <stdlib.h>
#include <string.h>

#include "common/rng.h"
#include "common/timer.h"
#include "entries.h"

typedef spgemm_status multiply_fn(spgemm_csr *C, const spgemm_csr *A,
                                  const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report);

static const struct {
    const char *name;
    multiply_fn *multiply;
} ways[VARIANT_COUNT] = {{"predicted", spgemm_predicted},
                         {"precise", spgemm_precise},
                         {"upper_bound", spgemm_upper_bound}};

/* ---- A checksum ---------------------------------------------------------- */

static uint64_t hash_entry(const spgemm_csr *A, size_t value_bytes, int64_t p)
{
    uint64_t bits[2] = {0}; /* of a complex number the second, too */
    memcpy(bits, (const char *)A->values + (size_t)p * value_bytes,
           value_bytes);
    if (value_bytes > sizeof *bits)
        bits[0] ^= rng_mix(bits[1]);
    return rng_mix(rng_bits(bits[0], (uint64_t)p) +
                   (uint64_t)entry_column(A, p));
}

/* Of shape, rowptr, colidx and the bits of the values: the sum, modulo 2^64, of a
   hash of each element and its position, the same for any number of threads. */
static uint64_t checksum(const spgemm_csr *A)
{
    uint64_t sum = rng_bits((uint64_t)A->nrows, (uint64_t)A->ncols) +
                   rng_bits((uint64_t)A->nnz, 0);
    const size_t value_bytes = spgemm_value_bytes(A->value_type);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t p = 0; p < A->nnz; p++)
        sum += hash_entry(A, value_bytes, p);
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i <= A->nrows; i++)
        sum += rng_bits(~(uint64_t)i, (uint64_t)A->rowptr[i]);
    return sum;
}

/* ---- The comparison ------------------------------------------------------ */

static spgemm_status verify(comparison *c, const spgemm_csr *A,
                            const spgemm_csr *B, const spgemm_options *options)
{
    spgemm_csr first = {0};
    spgemm_status status = ways[0].multiply(&first, A, B, options, NULL);
    c->is_identical = true;
    for (int k = 1; k < VARIANT_COUNT && status == SPGEMM_SUCCESS; k++) {
        spgemm_csr other = {0};
        status = ways[k].multiply(&other, A, B, options, NULL);
        if (status == SPGEMM_SUCCESS && !spgemm_csr_equal(&first, &other))
            c->is_identical = false;
        spgemm_csr_destroy(&other);
    }
    spgemm_csr_destroy(&first);
    spgemm_memory_trim();
    return status;
}

static spgemm_status time_variant(comparison *c, int k, int repetition,
                                  const spgemm_csr *A, const spgemm_csr *B,
                                  const spgemm_options *options)
{
    variant *v = &c->variants[k];
    spgemm_csr C = {0};
    double start = timer_seconds();
    const spgemm_status status =
        ways[k].multiply(&C, A, B, options, &v->report);
    v->seconds[repetition] = timer_lap(&start);
    v->name = ways[k].name;
    if (status < 0)
        return status;
    const uint64_t sum = checksum(&C);
    spgemm_csr_destroy(&C);
    if (repetition > 0 || k > 0)
        c->is_identical &= sum == c->variants[0].checksum;
    v->checksum = sum;
    return status;
}

static int compare_numbers(const void *x, const void *y)
{
    const double a = *(const double *)x;
    const double b = *(const double *)y;
    return (a > b) - (a < b);
}

spgemm_status comparison_run(comparison *c, const spgemm_csr *A,
                             const spgemm_csr *B, const spgemm_options *options,
                             int nrepetitions)
{
    c->nrepetitions = nrepetitions;
    spgemm_status status = verify(c, A, B, options);
    for (int r = 0; r < nrepetitions; r++)
        for (int k = 0; k < VARIANT_COUNT && status == SPGEMM_SUCCESS; k++) {
            status = time_variant(c, k, r, A, B, options);
            c->variants[k].ratios[r] =
                c->variants[k].seconds[r] / c->variants[0].seconds[r];
        }
    for (int k = 0; k < VARIANT_COUNT && status == SPGEMM_SUCCESS; k++) {
        variant *v = &c->variants[k];
        qsort(v->seconds, (size_t)nrepetitions, sizeof(double),
              compare_numbers);
        qsort(v->ratios, (size_t)nrepetitions, sizeof(double), compare_numbers);
    }
    return status;
}

double comparison_median(const comparison *c, const double *sorted)
{
    const int n = c->nrepetitions;
    return 0.5 * (sorted[(n - 1) / 2] + sorted[n / 2]);
}
