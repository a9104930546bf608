/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse matrix in compressed sparse rows (CSR): types, making, checking. */
#ifndef SPGEMM_CSR_H
#define SPGEMM_CSR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spgemm/alloc.h"
#include "spgemm/export.h"
#include "spgemm/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Type of column indices. */
typedef enum spgemm_index_type {
    /** int32_t */
    SPGEMM_I32 = 0,
    /** int64_t */
    SPGEMM_I64 = 1
} spgemm_index_type;

/**
 * Type of values. Integers wrap where they overflow. SPGEMM_BOOL holds 0 or 1,
 * adds by "or" and multiplies by "and".
 */
typedef enum spgemm_value_type {
    /** double */
    SPGEMM_FP64 = 0,
    /** float */
    SPGEMM_FP32 = 1,
    /** double _Complex */
    SPGEMM_CFP64 = 2,
    /** float _Complex */
    SPGEMM_CFP32 = 3,
    /** int64_t */
    SPGEMM_INT64 = 4,
    /** int32_t */
    SPGEMM_INT32 = 5,
    /** uint8_t */
    SPGEMM_BOOL = 6,
    /** See SPGEMM_ELEMENTS(). */
    SPGEMM_ELEMENTS_BASE = 0x10000
} spgemm_value_type;

enum { SPGEMM_VALUE_TYPE_COUNT = 7 };

/** Elements of `bytes` bytes, 1 to 4096, that only a semiring of yours knows. */
#ifdef __cplusplus
#define SPGEMM_ELEMENTS(bytes)                                                 \
    (static_cast<spgemm_value_type>(SPGEMM_ELEMENTS_BASE + (bytes)))
#else
#define SPGEMM_ELEMENTS(bytes)                                                 \
    ((spgemm_value_type)(SPGEMM_ELEMENTS_BASE + (bytes)))
#endif

/** Name of a type ("double", "int32", ...); NULL if it is none of the table. */
SPGEMM_API const char *spgemm_value_type_name(spgemm_value_type type);
SPGEMM_API const char *spgemm_index_type_name(spgemm_index_type type);

/** Bytes of one value; 0 if there is no such type. */
SPGEMM_API size_t spgemm_value_bytes(spgemm_value_type type);

/** Bits of spgemm_csr.flags. */
enum {
    /** Columns strictly increase within each row. */
    SPGEMM_SORTED_ROWS = 1,
    /** spgemm_csr_destroy() frees the arrays. */
    SPGEMM_OWNS_ARRAYS = 2,
    /** It frees rowptr: colidx and values are yours. */
    SPGEMM_OWNS_ROWPTR = 4
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
    /** Length of colidx and values; equals rowptr[nrows]. */
    int64_t nnz;
    /** [nrows + 1]: rowptr[0] = 0, never decreasing. */
    int64_t *rowptr;
    /** [nnz] of index_type, 0-based, in [0, ncols). */
    void *colidx;
    /** [nnz] of value_type; NULL: pattern only. */
    void *values;
    spgemm_index_type index_type;
    spgemm_value_type value_type;
    /** SPGEMM_SORTED_ROWS | SPGEMM_OWNS_... */
    uint32_t flags;
    /** Of owned arrays; zero: the library's own. */
    spgemm_allocator allocator;
} spgemm_csr;

/** Where a matrix is malformed; filled in on SPGEMM_ERROR_STRUCTURE. */
typedef struct spgemm_fault {
    /** Name of the argument: "A", "B", "C" (of a chain), "R", "P", "mask" or "D";
        never to be freed. */
    const char *operand;
    /** "rowptr" or "colidx". */
    const char *array;
    /** Index into that array. */
    int64_t position;
    /** What stands there. */
    int64_t value;
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
spgemm_csr_create(spgemm_csr *A, int64_t nrows, int64_t ncols, int64_t nnz,
                  spgemm_index_type index_type, spgemm_value_type value_type,
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
SPGEMM_API spgemm_csr spgemm_csr_view(int64_t nrows, int64_t ncols, int64_t nnz,
                                      const int64_t *rowptr, const void *colidx,
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
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_csr_view32(
    spgemm_csr *A, int64_t nrows, int64_t ncols, const int32_t *rowptr,
    const int32_t *colidx, const void *values, spgemm_value_type value_type,
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
 * @param[out] T  ncols-by-nrows; same types as A. Not A. On error left as it was.
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
 * @note Time O(nrows + ntriplets log(longest row)); memory A of all
 * triplets, O(nrows) and, where rows come unsorted, O(longest row) a thread more.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_csr_from_coo(
    spgemm_csr *A, int64_t nrows, int64_t ncols, int64_t ntriplets,
    const void *rows, const void *cols, const void *values,
    spgemm_index_type index_type, spgemm_value_type value_type,
    const spgemm_allocator *allocator);

#ifdef __cplusplus
}
#endif
#endif
