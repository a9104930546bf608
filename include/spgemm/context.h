/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is kept from one product to the next. */
#ifndef SPGEMM_CONTEXT_H
#define SPGEMM_CONTEXT_H

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A context for calls with options.resources.context: their threads' working memory
 * (accumulators, chunks) stays in it when a call ends, and the next call goes
 * on with it. It changes no result.
 *
 * A context serves one call at a time; a second call that meets it in use takes
 * memory of its own, as without one.
 *
 * @param[out] context    free with spgemm_context_destroy()
 * @param[in]  allocator  NULL for the library's own memory; copied
 * @retval SPGEMM_ERROR_INVALID        context is NULL, an allocator is half set
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY
 */
SPGEMM_API SPGEMM_NODISCARD spgemm_status spgemm_context_create(
    spgemm_context **context, const spgemm_allocator *allocator);

/** Bytes kept between calls. */
SPGEMM_API size_t spgemm_context_bytes(const spgemm_context *context);

/** Give the memory back, and keep the context. While a call uses it nothing is
    given back. */
SPGEMM_API void spgemm_context_trim(spgemm_context *context);

/** Accepts NULL. No call may be using it. */
SPGEMM_API void spgemm_context_destroy(spgemm_context *context);

#ifdef __cplusplus
}
#endif
#endif
