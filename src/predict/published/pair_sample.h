/* SPDX-License-Identifier: BSD-3-Clause */
/* C' = A' B', A' some rows of A and B' some columns of B, each drawn with
   probability p; and what the places of C' that hash lowest say of nnz(C). */
#ifndef SPGEMM_PREDICT_PUBLISHED_PAIR_SAMPLE_H
#define SPGEMM_PREDICT_PUBLISHED_PAIR_SAMPLE_H

#include "common/hash.h"
#include "predict/predictor.h"
#include "predict/published/kmin.h"

typedef struct pair_sample {
    double probability;
    hash_sampler rows;    /* draws the rows of A' */
    hash_sampler columns; /* draws the columns of B' */
    uint64_t row_key;     /* of the hashes of rows */
    uint64_t column_key;  /* of the hashes of columns */
    int64_t inner;        /* columns of A, rows of B */
    int64_t *uses;        /* [inner] entries of each column of A' */
    int64_t *start;       /* [inner + 1] row pointers of B' */
    uint64_t *hashes;     /* [nnz(B')] of its columns, row by row */
    int64_t rows_drawn;
    int64_t products; /* of A' B' */
} pair_sample;

/**
 * Rows of B that A' does not use are empty in B'. Release with
 * spgemm_pair_sample_clear(), on failure too.
 *
 * @note Time O(nnz(A) + nnz(B)); memory 16 bytes a row of B and 8 an entry of
 *       B'.
 */
spgemm_status spgemm_pair_sample_make(pair_sample *s, const predict_input *in,
                                      double probability);
void spgemm_pair_sample_clear(pair_sample *s, memory *m);

/* Rows and columns fall into groups at random, by their own hashes: how often
   two places share one tells how nnz(C') is spread over rows and columns. */
enum { PAIR_GROUP_BITS = 6, PAIR_GROUPS = 1 << PAIR_GROUP_BITS };
#define PAIR_GROUPS_STEP ((uint64_t)PAIR_GROUPS * PAIR_GROUPS)

/* The hash of a place, its lowest bits replaced by its groups. */
static inline uint64_t pair_hash(uint64_t hash, uint64_t row, uint64_t column)
{
    return (hash & ~(PAIR_GROUPS_STEP - 1)) |
           (row % PAIR_GROUPS) << PAIR_GROUP_BITS | column % PAIR_GROUPS;
}

/**
 * The prediction from a compact sketch of the places of C', by pair_hash().
 * Where C' has no products nothing is known: it is the bound, without a
 * standard error.
 */
void spgemm_pair_sample_predict(prediction *out, const predict_input *in,
                                const pair_sample *s, const kmin *places);

#endif
