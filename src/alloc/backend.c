/* SPDX-License-Identifier: BSD-3-Clause */
/* Which memory is the library's own. */
#include "alloc/backend.h"

const backend *spgemm_backend(void)
{
    return spgemm_backend_jemalloc_usable() ? &spgemm_backend_jemalloc
                                            : &spgemm_backend_libc;
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
