/* SPDX-License-Identifier: BSD-3-Clause */
/* Which memory is the library's own. */
#include "alloc/backend.h"

const backend *spgemm_backend(void)
{
    return spgemm_backend_jemalloc_usable() ? &spgemm_backend_jemalloc
                                            : &spgemm_backend_libc;
}

void spgemm_memory_trim(void)
{
    spgemm_backend()->trim();
}

const char *spgemm_memory_name(void)
{
    return spgemm_backend()->name();
}
