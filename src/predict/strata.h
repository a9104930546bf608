/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of rows, or groups of them, as the strata of a separate ratio
   estimator,

       Z = sum over strata c of F_c / r_c,   r_c = sum f / sum z,

   f and z being products and nnz of the rows sampled in it.

   W. G. Cochran, Sampling Techniques, 3rd edition, 1977: 6.10 the estimator,
   6.13 its variance, 5.5 the allocation that makes it least at a given cost. */
#ifndef SPGEMM_PREDICT_STRATA_H
#define SPGEMM_PREDICT_STRATA_H

#include "predict/predictor.h"

/* Standard errors to each side that hold 95 % of a normal distribution. */
#define NORMAL_95 1.96

/* Neighbouring classes, as few as deserve to be sampled by themselves. */
typedef struct stratum {
    int first_class;
    int last_class;
    row_class all;    /* N_c, F_c, entries of A */
    int64_t take;     /* rows to sample next */
    int64_t rows;     /* sampled so far */
    int64_t parts;    /* that a sampled row is cut into; 1: counted whole */
    int64_t samples;  /* rows or parts counted */
    double mean;      /* of z over these */
    double residuals; /* sum of (z - f / r_c)^2 */
    double compression;
} stratum;

typedef struct strata {
    int count;
    int room;
    stratum *of; /* [count], of [room] */
    double price;
} strata;

/* One row, or part of a row, that was counted. */
typedef struct stratum_sample {
    int stratum; /* -1: not used any more */
    int64_t products;
    int64_t nnz;
} stratum_sample;

/* Products that samples may cost. */
typedef struct sample_budget {
    double first; /* to learn how much rows differ */
    double most;
    double error; /* that is good enough: relative, 95 % half-width */
} sample_budget;

/** The strata of these rows. has_parts: rows can be counted in part. */
spgemm_status spgemm_strata_begin(strata *s,
                                  const product_counts *counts,
                                  const sample_budget *budget,
                                  bool has_parts,
                                  memory *m);

void spgemm_strata_clear(strata *s, memory *m);

/** What to take first, when nothing is known of them. */
void spgemm_strata_allot_first(strata *s, const sample_budget *budget);

/** What more to take, where rows differ: nothing if the error is small
    enough. */
void spgemm_strata_allot_more(strata *s,
                              const sample_budget *budget,
                              double spent);

/** Compression and spread of each stratum from all samples taken. */
void spgemm_strata_measure(strata *s,
                           const stratum_sample *samples,
                           int64_t count);

/** The total, its standard error, and the compression of each class. */
void spgemm_strata_sum(prediction *out,
                       strata *s,
                       const product_counts *counts,
                       double ncols);

#endif
