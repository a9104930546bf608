/* SPDX-License-Identifier: BSD-3-Clause */
/* What is exactly so of C = A*B: products, nnz, and the time it takes.

   C is multiplied only where it fits: nnz as the library predicts it, three
   standard errors added. A symbolic pass counts it otherwise, without C. */
#include "pair.h"

#include <math.h>

#include "doubles.h"
#include "machine.h"
#include "spgemm/predict.h"

#define FREE_SHARE 0.9 /* of the memory that is free, for C */

enum { MOST_CALLS = 1000 };

/* C, and the counts of its rows. */
static double bytes_needed(const pair_facts *pair, const spgemm_prediction *p)
{
    const double spread = isnan(p->standard_error) ? 0 : p->standard_error;
    const double nnz = fmin(p->nnz + 3 * spread, (double)pair->bound);
    return 12 * nnz + 16 * ((double)pair->nrows + 1);
}

static double bytes_free(const accuracy_options *o)
{
    return o->memory_bytes > 0 ? o->memory_bytes
                               : FREE_SHARE * machine_free_bytes();
}

static bool fits(const pair_facts *pair, const spgemm_prediction *p,
                 const accuracy_options *o, char why_time[PAIR_WHY_BYTES])
{
    const double needed = bytes_needed(pair, p);
    if (needed > bytes_free(o))
        spgemm_memory_trim();
    const double room = bytes_free(o);
    if (needed > room)
        snprintf(why_time, PAIR_WHY_BYTES,
                 "C needs %.3g GB as predicted; the limit is %.3g GB",
                 1e-9 * needed, 1e-9 * room);
    return needed <= room;
}

static spgemm_status multiply_once(pair_facts *pair, const crop *ops,
                                   const accuracy_options *o, double *seconds)
{
    const spgemm_options options = {.resources.nthreads = o->nthreads};
    spgemm_csr C = {0};
    spgemm_report report;
    const spgemm_status status =
        spgemm_precise(&C, ops->A, ops->B, &options, &report);
    pair->nnz_exact = C.nnz;
    *seconds = report.total_seconds;
    spgemm_csr_destroy(&C);
    return status;
}

/* The first call warms up, unless it takes all the time there is. */
static spgemm_status time_precise(pair_facts *pair, const crop *ops,
                                  const accuracy_options *o)
{
    double seconds[MOST_CALLS];
    double spent = 0;
    spgemm_status status = multiply_once(pair, ops, o, &spent);
    seconds[0] = spent;
    int calls = spent >= o->seconds ? 1 : 0;
    while (status == SPGEMM_SUCCESS &&
           (calls == 0 || (calls < o->repetitions && spent < o->seconds))) {
        status = multiply_once(pair, ops, o, &seconds[calls]);
        spent += seconds[calls++];
    }
    if (status < 0)
        return status;
    pair->precise_calls = calls;
    pair->precise_seconds = doubles_median(seconds, (size_t)calls);
    return SPGEMM_SUCCESS;
}

static spgemm_status count_nnz(pair_facts *pair, const crop *ops,
                               const accuracy_options *o)
{
    const spgemm_options options = {.resources.nthreads = o->nthreads,
                                    .predict.method = SPGEMM_PREDICTOR_PRECISE};
    spgemm_prediction p;
    const spgemm_status status =
        spgemm_predict(&p, ops->A, ops->B, &options, NULL);
    if (status == SPGEMM_SUCCESS)
        pair->nnz_exact = (int64_t)p.nnz;
    return status;
}

static spgemm_status predict(pair_facts *pair, spgemm_prediction *p,
                             const crop *ops, int nthreads)
{
    const spgemm_options options = {.resources.nthreads = nthreads};
    const spgemm_status status =
        spgemm_predict(p, ops->A, ops->B, &options, NULL);
    pair->products = p->products;
    pair->bound = p->bound;
    return status;
}

static bool refuse(char why[PAIR_WHY_BYTES], spgemm_status status)
{
    snprintf(why, PAIR_WHY_BYTES, "%s", spgemm_status_string(status));
    return false;
}

bool pair_measure(pair_facts *pair, const crop *ops, const accuracy_options *o,
                  char why[PAIR_WHY_BYTES], char why_time[PAIR_WHY_BYTES])
{
    spgemm_prediction p;
    why_time[0] = '\0';
    pair->crop = ops->word;
    pair->nrows = ops->A->nrows;
    pair->inner = ops->A->ncols;
    pair->ncols = ops->B->ncols;
    pair->nnz_a = ops->A->nnz;
    pair->nnz_b = ops->B->nnz;
    pair->precise_seconds = NAN;
    pair->nthreads = o->nthreads;
    spgemm_status status = predict(pair, &p, ops, o->nthreads);
    if (status < 0)
        return refuse(why, status);
    if ((double)pair->products > o->most_products) {
        snprintf(why, PAIR_WHY_BYTES,
                 "%.4g products, more than --limit-products",
                 (double)pair->products);
        return false;
    }
    if (o->is_multiplied && fits(pair, &p, o, why_time)) {
        status = time_precise(pair, ops, o);
        if (status == SPGEMM_SUCCESS)
            return true;
        refuse(why_time, status);
    }
    status = count_nnz(pair, ops, o);
    return status == SPGEMM_SUCCESS || refuse(why, status);
}
