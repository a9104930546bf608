/* SPDX-License-Identifier: BSD-3-Clause */
/* What a product predicted, chose and cost. */
#ifndef SPGEMM_REPORT_H
#define SPGEMM_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spgemm/csr.h"
#include "spgemm/options.h"
#include "spgemm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Accumulators: how the products of one row of C are summed. */
typedef enum spgemm_accumulator {
    /** A few products: sorted in place. */
    SPGEMM_ACCUMULATOR_ESC = 0,
    /** Runs of columns, by eights; rows of one pattern together. */
    SPGEMM_ACCUMULATOR_SUPERNODE = 1,
    /** Scattered over a window of columns. */
    SPGEMM_ACCUMULATOR_DENSE = 2,
    /** Table of the predicted nnz. */
    SPGEMM_ACCUMULATOR_HASH = 3,
    /** As the row before, a column further. */
    SPGEMM_ACCUMULATOR_SHIFTED = 4,
    /** At the columns of a mask's row. */
    SPGEMM_ACCUMULATOR_MASKED = 5,
    /** Few products, into a long row of B. */
    SPGEMM_ACCUMULATOR_MERGE = 6,
    /** In slices, of which only what keep_top may keep goes on. */
    SPGEMM_ACCUMULATOR_LARGEST = 7
} spgemm_accumulator;

enum { SPGEMM_ACCUMULATOR_COUNT = 8 };

/** Accumulators that a report has room for. */
enum { SPGEMM_ACCUMULATOR_CAPACITY = 16 };

/** Name of an accumulator; NULL if there is none. */
SPGEMM_API const char *spgemm_accumulator_name(spgemm_accumulator accumulator);

/**
 * What a product predicted, chose and cost. Filled in as far as the call came,
 * on failure too; on SPGEMM_ERROR_STRUCTURE, `fault` says where.
 */
typedef struct spgemm_report {
    /** The method used. */
    spgemm_predictor predictor;
    /** Threads that took part. */
    int nthreads;
    /** "base", "avx2" or "avx512". */
    const char *isa;
    /** spgemm_memory_name(), or "caller". */
    const char *memory;

    /** Of C: sorted also where unsorted rows were asked for and came sorted. */
    spgemm_row_order row_order;

    int64_t products;
    int64_t nnz_predicted;

    /** Entries; 0: nnz_predicted is exact. NaN: nobody knows, since the method
        has none, its sample showed no spread, or it only tells of A*B, and C has
        something of D, or less by a mask or by drops: stratified tells of these,
        but for D. */
    double nnz_standard_error;
    int64_t nnz;
    int64_t rows_sampled;
    int64_t products_sampled;

    /** Units of work: some rows, or a column range of a giant row. */
    int64_t blocks;
    /** Buffers that threads wrote their rows into before they moved to C. */
    int64_t chunks;
    /** Rows that outgrew their chunk and went to the overflow pool. */
    int64_t overflow_rows;
    /** Their entries. */
    int64_t overflow_entries;
    /** Parts of giant rows count each. */
    int64_t rows_by_accumulator[SPGEMM_ACCUMULATOR_CAPACITY];

    /** Of C: rowptr, colidx and values. An empty array takes a byte. */
    size_t c_bytes;
    /** Taken for C's arrays, before they shrank to c_bytes. */
    size_t allocated_bytes;
    /** Most that the call held at one time, C included, A and B not. */
    size_t peak_bytes;
    /** Of C's arrays, had each row got min(products, ncols) entries. */
    size_t upper_bound_bytes;

    /** op(A), op(B), rows and columns chosen, and what they are made of
        checked; 0: nothing to do. */
    double operands_seconds;
    /** A and B, and a survey of their patterns. */
    double check_seconds;
    /** Counting the products of each row. */
    double products_seconds;
    /** precise: the symbolic pass. */
    double predict_seconds;
    /** Schedule, and C's arrays. */
    double allocate_seconds;
    /** With the moves into C. */
    double multiply_seconds;
    /** Compaction, shrinking. */
    double compact_seconds;
    double total_seconds;

    spgemm_fault fault;

    /** Why the call failed, as spgemm_error_text(); "" on success. */
    char refusal[SPGEMM_REFUSAL_BYTES];

    /** No value of C is zero. false: some are, or nobody looked: floating-point
        numbers are looked at where they move into C, since that costs nothing. */
    bool lacks_zeros;

    /** 0; room for what later versions report. */
    uint64_t reserved[7];
} spgemm_report;

#ifdef __cplusplus
}
#endif
#endif
