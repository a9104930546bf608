/* SPDX-License-Identifier: BSD-3-Clause */
/* What is multiplied, what of it is kept, how its size is predicted, and what a
   call may take. */
#ifndef SPGEMM_OPTIONS_H
#define SPGEMM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spgemm/alloc.h"
#include "spgemm/csr.h"
#include "spgemm/export.h"
#include "spgemm/semiring.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Product: what is multiplied ----------------------------------------- */

/** op(X): what is done to an operand before it is multiplied. */
typedef enum spgemm_operation {
    SPGEMM_OP_NONE = 0,
    SPGEMM_OP_TRANSPOSE = 1,
    /** Of real values: transpose. */
    SPGEMM_OP_CONJUGATE_TRANSPOSE = 2
} spgemm_operation;

/** Order of the columns within each row of C. */
typedef enum spgemm_row_order {
    /** Increasing. */
    SPGEMM_ROWS_SORTED = 0,
    /** As found: 2 to 6 % faster in the mean of the benchmarks, up to 1.5 times as
        slow on single matrices. Rows that come sorted at no cost, or must be for
        what is asked of them (a complement, D, keep_top), are sorted;
        report.row_order says so. */
    SPGEMM_ROWS_UNSORTED = 1
} spgemm_row_order;

/**
 * C = alpha op(A)(rows, :) op(B)(:, cols) + beta D, by the "+" and "*" of the
 * semiring.
 *
 * alpha and beta are the left operand of "*": with plus_first, alpha times a
 * sum is alpha. C has the entries of both terms: where only D has one it is the
 * identity of "+" plus beta D, where only A*B has one alpha times the sum.
 */
typedef struct spgemm_product_options {
    /** What is multiplied and added. */
    spgemm_semiring semiring;
    /** Read with SPGEMM_USER only. */
    const spgemm_user_semiring *user;

    spgemm_operation op_a;
    spgemm_operation op_b;

    /** One value of the value type; NULL: none. */
    const void *alpha;
    /** One value of the value type; NULL: none. */
    const void *beta;
    /** As C; several entries at one place are added in their order. NULL: none. */
    const spgemm_csr *D;

    /** [nrows]: rows of op(A) that are multiplied, in any order, and again.
        Rows of C are these. NULL: all; else there is at least one. */
    const int64_t *rows;
    int64_t nrows;

    /** [ncols]: columns of op(B) that are multiplied, strictly increasing.
        Columns of C are these. NULL: all; else there is at least one. */
    const int64_t *cols;
    int64_t ncols;

    spgemm_row_order row_order;

    /** Must be 0. */
    uint64_t reserved[2];
} spgemm_product_options;

/* ---- Filter: what of it is kept ------------------------------------------ */

/** What of a mask counts: bits of spgemm_filter_options.mask_mode. */
enum {
    /** Every entry of the mask. */
    SPGEMM_MASK_STRUCTURE = 0,
    /** Entries that are not zero. NaN is not zero. */
    SPGEMM_MASK_VALUES = 1,
    /** C may have what the mask has not. */
    SPGEMM_MASK_COMPLEMENT = 2
};

/** By what keep_top orders the entries of a row. */
typedef enum spgemm_top_order {
    SPGEMM_TOP_MAGNITUDE = 0,
    /** -1 is less than 0. Complex values have no order, and are refused. */
    SPGEMM_TOP_VALUE = 1
} spgemm_top_order;

/**
 * What of C is kept, of each row while it is in the cache, in this order: the
 * mask, drop_zeros and drop_tolerance, keep_top.
 *
 * Integers are compared as integers, the magnitude of a complex number is
 * sqrt(a^2 + b^2), rounded three times, whatever its exponent. NaN is no zero,
 * above every tolerance, and the largest of all, by magnitude and by value. -0
 * equals 0.
 */
typedef struct spgemm_filter_options {
    /** C has entries only where the mask has some: its values may be of any
        type. The shape of C; NULL: everywhere. What of D lies outside is left
        out, too. Several entries at one place are one; with
        SPGEMM_MASK_VALUES, which needs values, they are their sum: 1 and -1
        let nothing pass (of SPGEMM_ELEMENTS() they are refused). */
    const spgemm_csr *mask;
    /** SPGEMM_MASK_*. */
    unsigned mask_mode;

    bool drop_zeros;
    /** Entries of this magnitude or less are dropped; 0: none. */
    double drop_tolerance;
    /** Entries of a row that are kept, the largest by top_by, of equals those of
        the least columns; 0: all. */
    int64_t keep_top;
    /** Which are the largest; refused without keep_top. */
    spgemm_top_order top_by;

    /** Must be 0. */
    uint64_t reserved[2];
} spgemm_filter_options;

/* ---- Predict: how many entries C will have -------------------------------- */

/** How nnz(C) is predicted. Each is a folder or a file of src/predict. */
typedef enum spgemm_predictor {
    /** Stratified; of spgemm_predicted() of up to 2^21 products whose C has at most 2^18
        entries by the upper bound, that bound: any sample takes longer than it saves
        memory. The bound is also used, and is exact, where no two products of a row
        meet, as where A or B is diagonal or chooses rows or columns, and where B has
        all entries. */
    SPGEMM_PREDICTOR_AUTO = 0,
    /** min(products, ncols) of each row. */
    SPGEMM_PREDICTOR_UPPER_BOUND = 1,
    /** Exact: a symbolic pass over all products. */
    SPGEMM_PREDICTOR_PRECISE = 2,
    /** The k smallest hashes of all products. */
    SPGEMM_PREDICTOR_MIN_HASH = 3,
    /** The same, only small ones looked at. */
    SPGEMM_PREDICTOR_KMV_SAMPLED = 4,
    /** The same, of sampled rows and columns. */
    SPGEMM_PREDICTOR_BHASH = 5,
    /** Du et al., reference design, Z1*. */
    SPGEMM_PREDICTOR_SAMPLED_NNZ = 6,
    /** Du et al., proposed method, Z2*. */
    SPGEMM_PREDICTOR_SAMPLED_CR = 7,
    /** Compression, sampled per class of rows. */
    SPGEMM_PREDICTOR_STRATIFIED = 8,
    /** Minima of exponential variables. */
    SPGEMM_PREDICTOR_COHEN = 9,
    /** A sketch of each row of B. */
    SPGEMM_PREDICTOR_HYPERLOGLOG = 10,
    /** As if columns were random. */
    SPGEMM_PREDICTOR_ROW_INDEPENDENT = 11,
    /** That, scaled by a sample. */
    SPGEMM_PREDICTOR_ROW_INDEPENDENT_RATIO = 12,
    /** spgemm_predict_options.row_nnz. */
    SPGEMM_PREDICTOR_CALLER = 13
} spgemm_predictor;

enum { SPGEMM_PREDICTOR_COUNT = 14 };

/** Name of a predictor, as the command line spells it; NULL if there is none. */
SPGEMM_API const char *spgemm_predictor_name(spgemm_predictor predictor);

/**
 * The predictor and its parameters; 0: the method's default. What a method does
 * not take is refused: spgemm_predict_limits() in predict.h says what it takes.
 */
typedef struct spgemm_predict_options {
    spgemm_predictor method;

    /** Hashes kept (min_hash, kmv_sampled, bhash), variables (cohen), registers
        (hyperloglog), rows sampled (sampled_nnz, sampled_cr,
        row_independent_ratio). */
    int64_t size;
    /** That a row of A, and a column of B, is sampled (kmv_sampled, bhash). */
    double probability;
    /** Products that may be looked at (stratified): no more, but for one row. */
    int64_t budget;
    /** Standard error / nnz to aim at (stratified). */
    double error;

    /** Of the samples: one seed, one prediction, for any number of threads. */
    uint64_t seed;
    /** C's capacity / predicted nnz, at least 1; 0: from the standard error.
        Infinity: C's bound. */
    double slack;

    /** Looked at with SPGEMM_PREDICTOR_CALLER alone: predicted nnz of row `row` of
        C, which has `products` products. Any number is safe, NaN included. Called from
        several threads at once. */
    double (*row_nnz)(void *context, int64_t row, int64_t products);
    void *row_nnz_context;

    /** Must be 0. */
    uint64_t reserved[2];
} spgemm_predict_options;

/* ---- Resources: what a call may take -------------------------------------- */

/** Whether A, B, D and the mask are checked. */
typedef enum spgemm_input_check {
    /** spgemm_csr_check() of each: a few per cent of a call. Finds, too, whether rows
        are sorted. Of a B of 16384 rows or more for which A has less than an eighth
        of an entry each, the entries of rows that A has no entry for are not looked
        at, whatever they are. */
    SPGEMM_CHECK_FULL = 0,
    /** You vouch for them: a malformed matrix is undefined behaviour. Rows are taken
        for sorted where SPGEMM_SORTED_ROWS says so, and for unsorted, which can
        take twice as long, where not. */
    SPGEMM_CHECK_NONE = 1
} spgemm_input_check;

/** Arrays of yours that C may be put into. */
typedef struct spgemm_out {
    /** [rows of C + 1]. */
    int64_t *rowptr;
    /** [capacity] of the index type. */
    void *colidx;
    /** [capacity] of the value type; NULL for a pattern. */
    void *values;
    /** Entries. */
    int64_t capacity;
} spgemm_out;

/** Memory kept between calls: context.h. */
typedef struct spgemm_context spgemm_context;

/** Threads, memory, time. */
typedef struct spgemm_resource_options {
    /** At most, and no more than 1024; 0: omp_get_max_threads(). */
    int nthreads;

    /** Most bytes that a call may hold at one time, C included, A and B not:
        what report.peak_bytes says it held. 0: no limit. A product is refused
        before it is begun only if half of the predicted nnz, or the predicted nnz
        less 5 standard errors if that is smaller, would not fit; one that may fit
        and does not on the way is given back, and made once more in two passes,
        which need least. */
    size_t memory_limit_bytes;

    spgemm_input_check input_check;

    /** NULL: the library's own memory. */
    const spgemm_allocator *allocator;

    /** Memory kept between calls; NULL: none. */
    spgemm_context *context;

    /** C goes into these arrays where it fits, and is then a view of them; it
        has arrays of its own where it does not. NULL: its own. */
    const spgemm_out *out;

    /** Called by the thread that called, about every 100 ms, with the share of
        the products done, 0 to 1 (entries of D are none); not within one row (of
        SPGEMM_USER: some thousand products), not while operands are
        checked, transposed or sorted, and not while nnz(C) is predicted by
        another method than stratified or precise. Not 0: the call ends with
        SPGEMM_ERROR_CANCELLED. */
    int (*progress)(void *context, double done);
    void *progress_context;

    /** Must be 0. */
    uint64_t reserved[2];
} spgemm_resource_options;

/* ---- Options -------------------------------------------------------------- */

/**
 * Options of a product, in groups. All zero is the default of each, now and
 * later: write &(spgemm_options){.resources.nthreads = 4}. What a function does
 * not use of them it refuses by name.
 */
typedef struct spgemm_options {
    spgemm_product_options product;
    spgemm_filter_options filter;
    spgemm_predict_options predict;
    spgemm_resource_options resources;
} spgemm_options;

#ifdef __cplusplus
}
#endif
#endif
