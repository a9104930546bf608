/* SPDX-License-Identifier: BSD-3-Clause */
/* A status as a sentence. */
#include "spgemm/spgemm.h"

const char *spgemm_status_string(spgemm_status status)
{
    switch (status) {
    case SPGEMM_SUCCESS:
        return "success";
    case SPGEMM_ERROR_INVALID:
        return "invalid argument";
    case SPGEMM_ERROR_SHAPE:
        return "shapes do not match: A has another number of columns than B "
               "has rows";
    case SPGEMM_ERROR_OUT_OF_MEMORY:
        return "out of memory";
    case SPGEMM_ERROR_OVERFLOW:
        return "a count does not fit its type";
    case SPGEMM_ERROR_UNSUPPORTED:
        return "this combination of types is not built";
    case SPGEMM_ERROR_STRUCTURE:
        return "malformed matrix";
    case SPGEMM_ERROR_IO:
        return "could not be read or written";
    case SPGEMM_ERROR_MEMORY_LIMIT:
        return "more than the memory limit would be needed";
    case SPGEMM_ERROR_CANCELLED:
        return "cancelled";
    case SPGEMM_ERROR_PATTERN:
        return "not the pattern that was planned for";
    }
    return "unknown status";
}

const char *spgemm_version(void)
{
    return SPGEMM_VERSION_STRING;
}
