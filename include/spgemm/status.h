/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a call succeeded, and if not, why. */
#ifndef SPGEMM_STATUS_H
#define SPGEMM_STATUS_H

#include "spgemm/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/** 0 is success, negative an error. */
typedef enum spgemm_status {
    SPGEMM_SUCCESS = 0,
    /** NULL, negative size, unknown enum value, reserved field set, C aliases A
        or B. */
    SPGEMM_ERROR_INVALID = -1,
    /** Shapes do not match: of the operands, or of the mask or D and C. */
    SPGEMM_ERROR_SHAPE = -2,
    /** An allocation failed. */
    SPGEMM_ERROR_OUT_OF_MEMORY = -3,
    /** A count does not fit its type. */
    SPGEMM_ERROR_OVERFLOW = -4,
    /** This combination of types is not built. */
    SPGEMM_ERROR_UNSUPPORTED = -5,
    /** rowptr or colidx is malformed: see spgemm_fault. */
    SPGEMM_ERROR_STRUCTURE = -6,
    /** A file could not be read, parsed or written. */
    SPGEMM_ERROR_IO = -7,
    /** More than options.resources.memory_limit_bytes would be needed. */
    SPGEMM_ERROR_MEMORY_LIMIT = -8,
    /** options.resources.progress asked to stop. */
    SPGEMM_ERROR_CANCELLED = -9,
    /** Not the pattern that was planned for. */
    SPGEMM_ERROR_PATTERN = -10
} spgemm_status;

/** A sentence in English for a status; never NULL, never to be freed. */
SPGEMM_API const char *spgemm_status_string(spgemm_status status);

/** Length of the texts that say why a call failed, the closing 0 included. */
enum { SPGEMM_REFUSAL_BYTES = 256 };

/**
 * Why the last call of this thread failed: a sentence that names the argument
 * or the option, and what it was ("options.resources.nthreads is -1, and must be at
 * least 0"). "" when that call succeeded.
 *
 * Of every function that returns a spgemm_status. Reports and predictions hold
 * a copy of their own call's. Never NULL, never to be freed; it changes with
 * the next call of this thread.
 */
SPGEMM_API const char *spgemm_error_text(void);

#ifdef __cplusplus
}
#endif
#endif
