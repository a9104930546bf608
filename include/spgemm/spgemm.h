/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libspgemm: C = A*B for sparse matrices in compressed sparse rows (CSR),
 * allocated from a prediction of nnz(C) and multiplied in one pass.
 *
 * Read from top to bottom: status, matrix, options, report, multiply.
 * Words: `nnz` counts stored entries, explicit zeros included; `products` is
 * the number of scalar multiplications, the sum over A(i,k) of nnz(B(k,:));
 * `compression` is products / nnz(C).
 */
#ifndef SPGEMM_H
#define SPGEMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spgemm/alloc.h"
#include "spgemm/export.h"
#include "spgemm/semiring.h"
#include "spgemm/version.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Status ------------------------------------------------------------- */

/** 0 is success, negative an error. */
typedef enum spgemm_status {
    SPGEMM_SUCCESS = 0,
    SPGEMM_ERROR_INVALID =
        -1, /* NULL, negative size, unknown enum value, reserved field set, C aliases A or B */
    SPGEMM_ERROR_SHAPE = -2,         /* A->ncols != B->nrows */
    SPGEMM_ERROR_OUT_OF_MEMORY = -3, /* an allocation failed */
    SPGEMM_ERROR_OVERFLOW = -4,      /* a count does not fit its type */
    SPGEMM_ERROR_UNSUPPORTED = -5, /* this combination of types is not built */
    SPGEMM_ERROR_STRUCTURE =
        -6,               /* rowptr or colidx is malformed: see spgemm_fault */
    SPGEMM_ERROR_IO = -7, /* a file could not be read, parsed or written */
    SPGEMM_ERROR_MEMORY_LIMIT =
        -8, /* more than options.memory_limit_bytes would be needed */
    SPGEMM_ERROR_CANCELLED = -9, /* options.progress asked to stop */
    SPGEMM_ERROR_PATTERN = -10   /* not the pattern that was planned for */
} spgemm_status;

/** A sentence in English for a status; never NULL, never to be freed. */
SPGEMM_API const char *spgemm_status_string(spgemm_status status);

/** Length of the texts that say why a call failed, the closing 0 included. */
enum { SPGEMM_REFUSAL_BYTES = 256 };

/**
 * Why the last call of this thread failed: a sentence that names the argument
 * or the option, and what it was ("options.nthreads is -1, and must be at
 * least 0"). "" when that call succeeded.
 *
 * Of every function that returns a spgemm_status. Reports and predictions hold
 * a copy of their own call's. Never NULL, never to be freed; it changes with
 * the next call of this thread.
 */
SPGEMM_API const char *spgemm_error_text(void);

/* ---- Matrix ------------------------------------------------------------- */

/** Type of column indices. */
typedef enum spgemm_index_type {
    SPGEMM_I32 = 0, /* int32_t */
    SPGEMM_I64 = 1  /* int64_t */
} spgemm_index_type;

/**
 * Type of values. Integers wrap where they overflow. SPGEMM_BOOL holds 0 or 1,
 * adds by "or" and multiplies by "and".
 */
typedef enum spgemm_value_type {
    SPGEMM_FP64 = 0,               /* double */
    SPGEMM_FP32 = 1,               /* float */
    SPGEMM_CFP64 = 2,              /* double _Complex */
    SPGEMM_CFP32 = 3,              /* float _Complex */
    SPGEMM_INT64 = 4,              /* int64_t */
    SPGEMM_INT32 = 5,              /* int32_t */
    SPGEMM_BOOL = 6,               /* uint8_t */
    SPGEMM_ELEMENTS_BASE = 0x10000 /* see SPGEMM_ELEMENTS() */
} spgemm_value_type;

enum { SPGEMM_VALUE_TYPE_COUNT = 7 };

/** Elements of `bytes` bytes, 1 to 4096, that only a semiring of yours knows. */
#define SPGEMM_ELEMENTS(bytes)                                                 \
    ((spgemm_value_type)(SPGEMM_ELEMENTS_BASE + (bytes)))

/** Name of a type ("double", "int32", ...); NULL if it is none of the table. */
SPGEMM_API const char *spgemm_value_type_name(spgemm_value_type type);
SPGEMM_API const char *spgemm_index_type_name(spgemm_index_type type);

/** Bytes of one value; 0 if there is no such type. */
SPGEMM_API size_t spgemm_value_bytes(spgemm_value_type type);

/** Bits of spgemm_csr.flags. */
enum {
    SPGEMM_SORTED_ROWS = 1, /* columns strictly increase within each row */
    SPGEMM_OWNS_ARRAYS = 2, /* spgemm_csr_destroy() frees the arrays */
    SPGEMM_OWNS_ROWPTR = 4  /* it frees rowptr: colidx and values are yours */
};

/**
 * A sparse matrix in compressed sparse rows, or a view of arrays you own.
 *
 * Entry p, for rowptr[i] <= p < rowptr[i+1], is A(i, colidx[p]) = values[p].
 * Rows need not be sorted; several entries at one place stand for their sum.
 */
typedef struct spgemm_csr {
    int64_t nrows;
    int64_t ncols;
    int64_t nnz;     /* length of colidx and values; equals rowptr[nrows] */
    int64_t *rowptr; /* [nrows + 1]: rowptr[0] = 0, never decreasing */
    void *colidx;    /* [nnz] of index_type, 0-based, in [0, ncols) */
    void *values;    /* [nnz] of value_type; NULL: pattern only */
    spgemm_index_type index_type;
    spgemm_value_type value_type;
    uint32_t flags;             /* SPGEMM_SORTED_ROWS | SPGEMM_OWNS_... */
    spgemm_allocator allocator; /* of owned arrays; zero: the library's own */
} spgemm_csr;

/** Where a matrix is malformed; filled in on SPGEMM_ERROR_STRUCTURE. */
typedef struct spgemm_fault {
    const char *operand; /* "A" or "B"; never to be freed */
    const char *array;   /* "rowptr" or "colidx" */
    int64_t position;    /* index into that array */
    int64_t value;       /* what stands there */
} spgemm_fault;

/**
 * Allocate an nrows-by-ncols matrix for nnz entries.
 *
 * rowptr is zeroed, colidx and values are not initialised: fill all three.
 *
 * @param[out] A          written on success only; free with spgemm_csr_destroy()
 * @param[in]  allocator  NULL for the library's own memory; copied
 * @retval SPGEMM_ERROR_INVALID        A is NULL, a size is negative, a type unknown
 * @retval SPGEMM_ERROR_OVERFLOW       ncols does not fit index_type, or bytes do not fit size_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_csr_create(spgemm_csr *A,
                  int64_t nrows,
                  int64_t ncols,
                  int64_t nnz,
                  spgemm_index_type index_type,
                  spgemm_value_type value_type,
                  const spgemm_allocator *allocator);

/**
 * Wrap arrays of yours, without copying and without looking into them.
 *
 * They stay yours: the library reads them only, and only during a call.
 *
 * @param[in] rowptr  [nrows + 1]
 * @param[in] colidx  [nnz] of index_type
 * @param[in] values  [nnz] of value_type, or NULL for a pattern
 */
SPGEMM_API spgemm_csr spgemm_csr_view(int64_t nrows,
                                      int64_t ncols,
                                      int64_t nnz,
                                      const int64_t *rowptr,
                                      const void *colidx,
                                      const void *values,
                                      spgemm_index_type index_type,
                                      spgemm_value_type value_type);

/**
 * The same for row pointers of 32 bits, as LAPACK-style libraries hold them:
 * they are widened into an array that A owns; colidx and values stay yours.
 *
 * @param[out] A          written on success only; free with spgemm_csr_destroy()
 * @param[in]  rowptr     [nrows + 1], rowptr[0] = 0
 * @param[in]  colidx     [rowptr[nrows]] of int32_t
 * @param[in]  allocator  NULL for the library's own memory; copied
 * @retval SPGEMM_ERROR_INVALID        a NULL, a negative size or pointer, an unknown type
 * @retval SPGEMM_ERROR_OVERFLOW       ncols does not fit int32_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Time and memory O(nrows).
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_csr_view32(spgemm_csr *A,
                  int64_t nrows,
                  int64_t ncols,
                  const int32_t *rowptr,
                  const int32_t *colidx,
                  const void *values,
                  spgemm_value_type value_type,
                  const spgemm_allocator *allocator);

/** Free what A owns and zero it. Accepts NULL, a zeroed struct and a view. */
SPGEMM_API void spgemm_csr_destroy(spgemm_csr *A);

/**
 * Check every promise of spgemm_csr: sizes, types, rowptr, range of colidx,
 * and strictly increasing columns where SPGEMM_SORTED_ROWS is set.
 *
 * @param[out] fault  NULL if not wanted; zeroed on success
 * @retval SPGEMM_ERROR_INVALID    a NULL that must not be, a negative size, an unknown type or flag
 * @retval SPGEMM_ERROR_OVERFLOW   ncols does not fit index_type
 * @retval SPGEMM_ERROR_STRUCTURE  see fault
 * @note Time O(nrows + nnz); no memory; uses omp_get_max_threads() threads.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_csr_check(const spgemm_csr *A,
                                                           spgemm_fault *fault);

/**
 * T = A transposed, rows sorted (stable: duplicates keep the order of A's rows).
 *
 * SPGEMM_SORTED_ROWS is set unless A has duplicates. T is the same for any
 * number of threads.
 *
 * @param[out] T  ncols-by-nrows; same types as A. On error left as it was.
 * @retval as spgemm_csr_check(), SPGEMM_ERROR_OUT_OF_MEMORY,
 *         SPGEMM_ERROR_OVERFLOW: nrows does not fit index_type
 * @note Time O(nrows + ncols + nnz), shared by omp_get_max_threads() threads;
 *       memory T and, per thread but one, 8 bytes a column: 8 nnz at most.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_csr_transpose(spgemm_csr *T, const spgemm_csr *A);

/**
 * Sort each row of A by column, in place and stably; duplicates are kept.
 *
 * Sets SPGEMM_SORTED_ROWS unless duplicates are left.
 *
 * @retval as spgemm_csr_check(), SPGEMM_ERROR_OUT_OF_MEMORY (A is unchanged)
 * @note Time O(nnz log(longest row)), shared by omp_get_max_threads() threads;
 *       memory O(longest row) per thread, O(nnz) at most.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_csr_sort_rows(spgemm_csr *A);

/**
 * Whether A and B are the same: shape, types, rowptr, colidx, and values bit
 * for bit, in the order in which they are stored. Both must be well formed.
 */
SPGEMM_API bool spgemm_csr_equal(const spgemm_csr *A, const spgemm_csr *B);

/**
 * Build a matrix from triplets: A(rows[t], cols[t]) += values[t].
 *
 * Rows of A are sorted; triplets at one place are summed in the order given, by
 * the "+" of their type. Values of SPGEMM_BOOL that are not 0 become 1.
 *
 * @param[out] A       written on success only; free with spgemm_csr_destroy()
 * @param[in]  rows    [ntriplets] of index_type, in [0, nrows)
 * @param[in]  cols    [ntriplets] of index_type, in [0, ncols)
 * @param[in]  values  [ntriplets] of value_type; NULL: A is a pattern
 * @param[in]  allocator  NULL for the library's own memory; copied
 * @retval SPGEMM_ERROR_INVALID        a NULL, a negative size, an unknown type, an index out of range
 * @retval SPGEMM_ERROR_UNSUPPORTED    two triplets at one place, of SPGEMM_ELEMENTS()
 * @retval SPGEMM_ERROR_OVERFLOW       nrows or ncols does not fit index_type, or bytes do not fit size_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Time O(nrows + ntriplets log(longest row)); memory A and O(nrows) more.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_csr_from_coo(spgemm_csr *A,
                    int64_t nrows,
                    int64_t ncols,
                    int64_t ntriplets,
                    const void *rows,
                    const void *cols,
                    const void *values,
                    spgemm_index_type index_type,
                    spgemm_value_type value_type,
                    const spgemm_allocator *allocator);

/* ---- Options ------------------------------------------------------------ */

/** Memory kept between calls; see context.h. */
typedef struct spgemm_context spgemm_context;

/** How nnz(C) is predicted. Each is one file of src/predict. */
typedef enum spgemm_predictor {
    SPGEMM_PREDICTOR_AUTO = 0,        /* stratified */
    SPGEMM_PREDICTOR_UPPER_BOUND = 1, /* min(products, ncols) of each row */
    SPGEMM_PREDICTOR_PRECISE = 2, /* exact: a symbolic pass over all products */
    SPGEMM_PREDICTOR_MIN_HASH = 3,    /* k smallest hashes of all products */
    SPGEMM_PREDICTOR_KMV_SAMPLED = 4, /* the same, only small ones looked at */
    SPGEMM_PREDICTOR_BHASH = 5, /* the same, of sampled rows and columns */
    SPGEMM_PREDICTOR_SAMPLED_NNZ = 6, /* Du et al., reference design, Z1* */
    SPGEMM_PREDICTOR_SAMPLED_CR = 7,  /* Du et al., proposed method, Z2* */
    SPGEMM_PREDICTOR_STRATIFIED = 8, /* compression sampled per class of rows */
    SPGEMM_PREDICTOR_COHEN = 9,      /* minima of exponential variables */
    SPGEMM_PREDICTOR_HYPERLOGLOG = 10,           /* a sketch of each row of B */
    SPGEMM_PREDICTOR_ROW_INDEPENDENT = 11,       /* as if columns were random */
    SPGEMM_PREDICTOR_ROW_INDEPENDENT_RATIO = 12, /* that, by a sample */
    SPGEMM_PREDICTOR_CALLER = 13                 /* options.row_nnz */
} spgemm_predictor;

enum { SPGEMM_PREDICTOR_COUNT = 14 };

/** Name of a predictor, as the command line spells it; NULL if there is none. */
SPGEMM_API const char *spgemm_predictor_name(spgemm_predictor predictor);

/** Order of the columns within each row of C. */
typedef enum spgemm_row_order {
    SPGEMM_ROWS_SORTED = 0,  /* increasing */
    SPGEMM_ROWS_UNSORTED = 1 /* as found: cheaper for wide scattered rows */
} spgemm_row_order;

/** op(X): what is done to an operand before it is multiplied. */
typedef enum spgemm_operation {
    SPGEMM_OP_NONE = 0,
    SPGEMM_OP_TRANSPOSE = 1,
    SPGEMM_OP_CONJUGATE_TRANSPOSE = 2 /* of real values: TRANSPOSE */
} spgemm_operation;

/** What of a mask counts: bits of spgemm_options.mask_mode. */
enum {
    SPGEMM_MASK_STRUCTURE = 0, /* every entry of the mask */
    SPGEMM_MASK_VALUES = 1,    /* entries that are not zero */
    SPGEMM_MASK_COMPLEMENT = 2 /* C may have what the mask has not */
};

/** Arrays of yours that C may be put into; see spgemm_options.out. */
typedef struct spgemm_out {
    int64_t *rowptr;  /* [rows of C + 1] */
    void *colidx;     /* [capacity] of the index type */
    void *values;     /* [capacity] of the value type; NULL for a pattern */
    int64_t capacity; /* entries */
} spgemm_out;

/** Whether A and B are checked. */
typedef enum spgemm_input_check {
    SPGEMM_CHECK_FULL =
        0, /* spgemm_csr_check() of both: a few per cent of a call */
    SPGEMM_CHECK_NONE =
        1 /* you vouch for them: a malformed matrix is undefined behaviour */
} spgemm_input_check;

/**
 * Options of a product. All zero is the default of each field, now and later:
 * write &(spgemm_options){.nthreads = 4}.
 */
typedef struct spgemm_options {
    spgemm_predictor predictor;
    /* C's capacity / predicted nnz, at least 1; 0: from the standard error.
       Infinity: C's bound. */
    double slack;
    int nthreads; /* at most; 0: omp_get_max_threads() */
    uint64_t
        seed; /* of the samples: one seed, one prediction, for any nthreads */
    spgemm_row_order row_order;
    spgemm_input_check input_check;
    const spgemm_allocator *allocator; /* NULL: the library's own memory */

    /* SPGEMM_PREDICTOR_CALLER: predicted nnz of row `row` of C, which has
       `products` products. Any number is safe, NaN included. Called from
       several threads at once. */
    double (*row_nnz)(void *context, int64_t row, int64_t products);
    void *row_nnz_context;

    /* Parameters of the prediction; 0: the method's default. What the method
       does not take is refused: spgemm_predict_limits() in predict.h.

       predict_size         hashes kept (min_hash, kmv_sampled, bhash),
                            variables (cohen), registers (hyperloglog) or rows
                            sampled (sampled_nnz, sampled_cr,
                            row_independent_ratio)
       predict_probability  that a row of A, and a column of B, is sampled
                            (kmv_sampled, bhash)
       predict_budget       products that may be counted (stratified)
       predict_error        standard error / nnz to aim at (stratified) */
    int64_t predict_size;
    double predict_probability;
    int64_t predict_budget;
    double predict_error;

    /* Most that a call may hold at one time, C included, A and B not: what
       report.peak_bytes says it held. 0: no limit. A product that is predicted
       not to fit, error bar and all, is refused before it is begun; one that
       grows beyond the limit all the same is stopped, and all given back. */
    size_t memory_limit_bytes;

    /* What is multiplied and added: semiring.h. `user` is read with SPGEMM_USER
       only. */
    spgemm_semiring semiring;
    const spgemm_user_semiring *user;

    /* C = alpha op(A) op(B) + beta D, by the "+" and "*" of the semiring, of
       which alpha and beta are the left operand: with plus_first, alpha times
       a sum is alpha. alpha, beta: one value of the value type, NULL: none. D:
       as C, NULL: none. C has the entries of both: where only D has one it is
       the identity of "+" plus beta D, where only A*B has one alpha times the
       sum. Several entries of D at one place are added in their order. */
    spgemm_operation op_a;
    spgemm_operation op_b;
    const void *alpha;
    const void *beta;
    const spgemm_csr *D;

    /* Rows of op(A) and columns of op(B) that are multiplied; C has so many,
       in this order. NULL: all; else there is at least one. Rows may come in
       any order and again; columns strictly increase. */
    const int64_t *rows;
    int64_t nrows;
    const int64_t *cols;
    int64_t ncols;

    /* C has entries only where the mask has some: its values may be of any
       type. The shape of C; NULL: everywhere. What of D lies outside is
       left out, too. Several entries at one place are one; with
       SPGEMM_MASK_VALUES, which needs values, they are their sum: 1 and -1 let
       nothing pass (of SPGEMM_ELEMENTS() they are refused: UNSUPPORTED). NaN is
       not zero. */
    const spgemm_csr *mask;
    unsigned mask_mode; /* SPGEMM_MASK_* */

    /* What is dropped of each row of C while it is in the cache: zeros, entries
       of magnitude drop_tolerance or less (> 0), all but the keep_top entries
       of largest magnitude (> 0; of equals those of the least columns).
       Integers are compared as integers, the magnitude of a complex number is
       sqrt(a^2 + b^2), rounded three times, whatever its exponent. NaN is no
       zero, above every tolerance, and of the largest magnitude of all. */
    bool drop_zeros;
    double drop_tolerance;
    int64_t keep_top;

    /* Called by the thread that called, about every 100 ms, with the share of
       the products done, 0 to 1. Not 0: the call ends with CANCELLED. */
    int (*progress)(void *context, double done);
    void *progress_context;

    /* Memory kept between calls: context.h. NULL: none. */
    spgemm_context *context;

    /* C goes into these arrays where it fits, and is then a view of them; it
       has arrays of its own where it does not. NULL: its own. */
    const spgemm_out *out;

    uint64_t reserved[4]; /* must be 0 */
} spgemm_options;

/* ---- Report ------------------------------------------------------------- */

/** Accumulators: how the products of one row of C are summed. */
typedef enum spgemm_accumulator {
    SPGEMM_ACCUMULATOR_ESC = 0,       /* a few products: sorted in place */
    SPGEMM_ACCUMULATOR_SUPERNODE = 1, /* runs of columns, by eights; rows of one
                                       pattern together */
    SPGEMM_ACCUMULATOR_DENSE = 2,     /* scattered over a window of columns */
    SPGEMM_ACCUMULATOR_HASH = 3,      /* table of the predicted nnz */
    SPGEMM_ACCUMULATOR_SHIFTED = 4,   /* as the row before, a column further */
    SPGEMM_ACCUMULATOR_MASKED = 5,    /* at the columns of a mask's row */
    SPGEMM_ACCUMULATOR_MERGE = 6      /* few products, into a long row of B */
} spgemm_accumulator;

enum { SPGEMM_ACCUMULATOR_COUNT = 7 };

/** Name of an accumulator; NULL if there is none. */
SPGEMM_API const char *spgemm_accumulator_name(spgemm_accumulator accumulator);

/**
 * What a product predicted, chose and cost. Filled in as far as the call came,
 * on failure too; on SPGEMM_ERROR_STRUCTURE, `fault` says where.
 */
typedef struct spgemm_report {
    spgemm_predictor predictor; /* the method used */
    int nthreads;               /* threads that took part */
    const char *isa;            /* "base", "avx2" or "avx512" */
    const char *memory;         /* spgemm_memory_name(), or "caller" */

    int64_t products;
    int64_t nnz_predicted;
    /* Entries; 0: nnz_predicted is exact. NaN: nobody knows, since the method
       has none, its sample showed no spread, or C is not A*B alone (a mask, D,
       what is dropped). */
    double nnz_standard_error;
    int64_t nnz;
    int64_t rows_sampled;
    int64_t products_sampled;

    int64_t
        blocks; /* units of work: some rows, or a column range of a giant row */
    int64_t
        chunks; /* buffers that threads wrote their rows into before they moved to C */
    int64_t
        overflow_rows; /* rows that outgrew their chunk and went to the overflow pool */
    int64_t overflow_entries; /* their entries */
    int64_t rows_by_accumulator
        [SPGEMM_ACCUMULATOR_COUNT]; /* parts of giant rows count each */

    /* Of C: rowptr, colidx and values. An empty array takes a byte. */
    size_t c_bytes;
    size_t
        allocated_bytes; /* taken for C's arrays, before they shrank to c_bytes */
    size_t
        peak_bytes; /* most that the call held at one time, C included, A and B not */
    size_t
        upper_bound_bytes; /* of C's arrays, had each row got min(products, ncols) entries */

    double prepare_seconds;  /* op(A), op(B), rows and columns chosen, and what
                                they are made of checked; 0: nothing to do */
    double check_seconds;    /* A and B, and a survey of their patterns */
    double products_seconds; /* counting the products of each row */
    double predict_seconds;  /* precise: the symbolic pass */
    double allocate_seconds; /* plan, C's arrays */
    double multiply_seconds; /* with the moves into C */
    double finish_seconds;   /* compaction, shrinking */
    double total_seconds;

    spgemm_fault fault;

    /* Why the call failed, as spgemm_error_text(); "" on success. */
    char refusal[SPGEMM_REFUSAL_BYTES];
} spgemm_report;

/* ---- Multiply ----------------------------------------------------------- */

/**
 * C = A*B, allocated from a prediction of its size, multiplied in one pass.
 *
 * The size of C is predicted, not counted: no symbolic pass is made. A wrong
 * prediction costs time or memory, never correctness: rows that outgrow their
 * chunk go to an overflow pool, and C is the same, bit for bit, whatever was
 * predicted, for any number of threads, on any CPU: each C(i,j) is the sum of
 * its products, begun at +0, in the order of A's row, and a NaN is the one of
 * positive sign and no payload. Entries that cancel to zero are kept. The
 * product of complex numbers is (ac - bd) + (ad + bc)i, each of its six
 * operations rounded. A semiring of yours answers for its own bits.
 *
 * @param[out] C        m-by-n. Its arrays are allocated here; free them with
 *                      spgemm_csr_destroy(). On error *C is left as it was.
 *                      C may not be A or B.
 * @param[in]  A        m-by-k; rows in any order, duplicates are summed
 * @param[in]  B        k-by-n; types as A. May be A itself.
 * @param[in]  options  NULL for defaults
 * @param[out] report   NULL if not wanted
 *
 * @retval SPGEMM_SUCCESS
 * @retval SPGEMM_ERROR_INVALID        a NULL, an unknown enum value, slack below 1, a parameter that the predictor does not take, rows or columns out of range, columns that do not increase, reserved set, C aliases A or B
 * @retval SPGEMM_ERROR_SHAPE          columns of op(A) != rows of op(B)
 * @retval SPGEMM_ERROR_STRUCTURE      A or B is malformed: report->fault
 * @retval SPGEMM_ERROR_UNSUPPORTED    types of A and B differ, are not built, or values are NULL
 * @retval SPGEMM_ERROR_OVERFLOW       products do not fit int64_t, or C's bytes size_t
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @retval SPGEMM_ERROR_MEMORY_LIMIT   C would not fit options.memory_limit_bytes: the
 *                                     report has what was predicted
 *
 * @note Time O(nrows + nnz(A) + products / nthreads). Memory: C, 11 bytes a
 *       row, and per thread a few chunks and an accumulator, which is at most
 *       some MB or a table of the longest row of C.
 * @note Thread-safe. A and B may be shared, and must not change meanwhile.
 *
 * Method: row-wise product of Gustavson [1]; prediction after Du et al. [2],
 * by classes of rows.
 *   [1] F. G. Gustavson, ACM TOMS 4(3):250-269, 1978, doi:10.1145/355791.355796
 *   [2] Z. Du et al., Predicting the Output Structure of Sparse Matrix
 *       Multiplication with Sampled Compression Ratio, arXiv:2207.13848
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_predicted(spgemm_csr *C,
                 const spgemm_csr *A,
                 const spgemm_csr *B,
                 const spgemm_options *options,
                 spgemm_report *report);

/**
 * C = A*B in two passes: a symbolic pass counts nnz(C) row by row, C is
 * allocated exactly, a numeric pass fills it. Otherwise as spgemm_predicted();
 * the predictor and the slack of the options are not used.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_precise(spgemm_csr *C,
               const spgemm_csr *A,
               const spgemm_csr *B,
               const spgemm_options *options,
               spgemm_report *report);

/**
 * C = A*B in one pass into arrays of min(products, ncols) entries a row, then
 * compacted. Otherwise as spgemm_predicted(); the predictor and the slack of
 * the options are not used.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_upper_bound(spgemm_csr *C,
                   const spgemm_csr *A,
                   const spgemm_csr *B,
                   const spgemm_options *options,
                   spgemm_report *report);

#ifdef __cplusplus
}
#endif
#endif
