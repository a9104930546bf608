/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of rows, or groups of them, as the strata of a separate ratio
   estimator,

       Z = sum over strata c of G_c q_c,   q_c = sum z / sum g,

   z being nnz of the rows sampled in it, g what they had if their f products
   fell on the n columns at random, n (1 - exp(-f / n)), and G_c the same of all
   its rows, as if those of one class had equal f. Of short rows g is f; rows
   of many more products than there are columns are full, whatever they have.

   W. G. Cochran, Sampling Techniques, 3rd edition, 1977: 6.10 the estimator,
   6.13 its variance, 5.5 the allocation that makes it least at a given cost. */
#ifndef SPGEMM_PREDICT_STRATA_H
#define SPGEMM_PREDICT_STRATA_H

#include "predict/predictor.h"

/* Standard errors to each side that hold 95 % of a normal distribution. */
#define NORMAL_95 1.96

/* Pieces that are counted of a stratum whose rows are too dear to count. */
#define CLASS_PIECES 12

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
    double residuals; /* sum of (z - q_c g)^2 */
    double expected;  /* G_c */
    double departure; /* q_c */
} stratum;

typedef struct strata {
    int count;
    int room;
    stratum *of;  /* [count], of [room] */
    double price; /* see rows_deserved() */
    double total; /* products */
    double ncols;
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
                                  int64_t ncols,
                                  bool has_parts,
                                  memory *m);

void spgemm_strata_clear(strata *s, memory *m);

/** What to take first, when nothing is known of them. */
void spgemm_strata_allot_first(strata *s, const sample_budget *budget);

/** What more to take, where rows differ. false: nothing, the error is small
    enough, or the budget spent. */
bool spgemm_strata_allot_more(strata *s,
                              const sample_budget *budget,
                              double spent);

/** Compression and spread of each stratum from all samples taken. */
void spgemm_strata_measure(strata *s,
                           const stratum_sample *samples,
                           int64_t count);

/** The total, its standard error, and the compression of each class. */
void spgemm_strata_sum(prediction *out,
                       strata *s,
                       const product_counts *counts);

#endif
