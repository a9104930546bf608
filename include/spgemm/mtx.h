/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market files: text to CSR and back. */
#ifndef SPGEMM_MTX_H
#define SPGEMM_MTX_H

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Where the text comes from, piece by piece: a file, an archive, a socket. */
typedef struct spgemm_mtx_source {
    void *context;

    /** Up to `size` (> 0) bytes into `buffer`. Returns how many; 0 at the end;
        -1 on failure, `error_text` then says why. May return less than
        asked. */
    ptrdiff_t (*read)(void *context, void *buffer, size_t size);

    /** Why read() failed; may be NULL, and so may its answer. */
    const char *(*error_text)(void *context);
} spgemm_mtx_source;

/** Why a text was refused. */
typedef struct spgemm_mtx_error {
    /** 1-based; 0 where no line is to blame. */
    int64_t line;
    /** One sentence, no full stop, no line break: a blank for each of a source's. */
    char text[256];
} spgemm_mtx_error;

/** Options of reading. All zero is the default. */
typedef struct spgemm_mtx_options {
    /** 0: omp_get_max_threads(). */
    int nthreads;

    /** Called now and then with the bytes read so far; NULL if not wanted. */
    void (*progress)(void *context, int64_t bytes);
    void *progress_context;

    /** Field integer: SPGEMM_INT64, not SPGEMM_FP64. */
    bool keeps_integers;

    /** Hold no more than this while reading, A included, and the text at hand,
        which takes 16 MB; 0: no limit. What the header announces is held against
        it before any entry is read. */
    size_t memory_limit_bytes;

    /** Row pointers of rows that the announced entries cannot fill take no more
        than this; 0: 1 GB. */
    size_t empty_rows_bytes;

    /** Must be 0. */
    uint64_t reserved[2];
} spgemm_mtx_options;

/**
 * Read a matrix in Matrix Market coordinate format.
 *
 * Fields real, integer and pattern (values 1) become SPGEMM_FP64, complex
 * SPGEMM_CFP64; symmetries general, symmetric, skew-symmetric (of numbers) and
 * hermitian (complex) are expanded. Triplets at one place are summed. Numbers are read in the C locale
 * whatever the process has set. Columns are SPGEMM_I32
 * where nrows and ncols allow it, SPGEMM_I64 otherwise. Rows are sorted.
 *
 * @param[out] A        written on success only; free with spgemm_csr_destroy()
 * @param[in]  options  NULL for defaults
 * @param[out] error    NULL if not wanted
 * @retval SPGEMM_ERROR_IO             unreadable, malformed or truncated: see error
 * @retval SPGEMM_ERROR_UNSUPPORTED    array or vector format: see error
 * @retval SPGEMM_ERROR_OVERFLOW       a size, an integer or its mirror image does not
 *                                     fit its type
 * @retval SPGEMM_ERROR_MEMORY_LIMIT   a limit of the options: see error
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 * @note Memory follows what the text holds, never what its header announces,
 *       but for the row pointers. A text of which 16 MB more than 1 KB an entry
 *       are blanks or comments is refused, as a line of more than 16 MB is.
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_mtx_read(spgemm_csr *A, const spgemm_mtx_source *source,
                const spgemm_mtx_options *options, spgemm_mtx_error *error);

/** spgemm_mtx_read() of a plain file; error->text names no path. */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_mtx_read_file(
    spgemm_csr *A, const char *path, const spgemm_mtx_options *options,
    spgemm_mtx_error *error);

/** Where text goes. Returns 0, or -1 on failure. */
typedef int spgemm_mtx_sink(void *context, const char *text, size_t length);

/**
 * Write A as `matrix coordinate FIELD general`, row by row.
 *
 * FIELD is `real` for double and float, each with the digits that read back as
 * the same number (the fewest of 15 to 17 significant ones, or 6 to 9, without
 * zeros at the end, but all of an integer);
 * `complex`; `integer`; or `pattern` for SPGEMM_BOOL and for a matrix without
 * values. Entries of a pattern are those that are not false. Entries are written
 * as they are: those at one place one by one, which readers add up.
 *
 * @note Takes 131 kB a thread, of omp_get_max_threads() at most.
 * @retval SPGEMM_ERROR_IO             the sink failed
 * @retval SPGEMM_ERROR_UNSUPPORTED    values that the format has no word for
 * @retval SPGEMM_ERROR_INVALID, SPGEMM_ERROR_OUT_OF_MEMORY
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_mtx_write(const spgemm_csr *A, spgemm_mtx_sink *sink, void *context);

/**
 * The begin of such a text, for a matrix whose rows are at hand block by block:
 * the banner and the line "NROWS NCOLS NENTRIES". SPGEMM_BOOL: a pattern.
 *
 * @retval as spgemm_mtx_write()
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_mtx_write_header(
    int64_t nrows, int64_t ncols, int64_t nentries,
    spgemm_value_type value_type, spgemm_mtx_sink *sink, void *context);

/**
 * The entries of a block of rows, which are rows first_row (>= 0) and on of the
 * whole matrix.
 *
 * @param[in,out] nentries  grows by the entries written; NULL if not wanted
 * @retval as spgemm_mtx_write()
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status
spgemm_mtx_write_rows(const spgemm_csr *rows, int64_t first_row,
                      int64_t *nentries, spgemm_mtx_sink *sink, void *context);

#ifdef __cplusplus
}
#endif
#endif
