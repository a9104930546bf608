/* SPDX-License-Identifier: BSD-3-Clause */
/* Which memory is the library's own. */
#include "alloc/backend.h"

/* A sanitizer sees what becomes of malloc()'s blocks, and of no others. */
#if defined(__SANITIZE_ADDRESS__)
#define WITHOUT_JEMALLOC spgemm_backend_libc
#else
#define WITHOUT_JEMALLOC spgemm_backend_kept
#endif

const backend *spgemm_backend(void)
{
    return spgemm_backend_jemalloc_usable() ? &spgemm_backend_jemalloc
                                            : &WITHOUT_JEMALLOC;
}

const backend *spgemm_backend_of(const spgemm_allocator *hooks)
{
    const backend *const used[] = {spgemm_backend(), &spgemm_backend_mapped};
    for (size_t t = 0; t < sizeof used / sizeof used[0]; t++)
        if (hooks->allocate == used[t]->hooks.allocate)
            return used[t];
    return NULL;
}

void spgemm_memory_trim(void)
{
    spgemm_backend()->trim();
}

const char *spgemm_memory_name(void)
{
    return spgemm_backend()->name();
}
