/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of the C library. glibc maps large blocks one by one and moves them
   by page tables (mremap), so growing and shrinking them copies nothing. */
#include "alloc/backend.h"

#include <malloc.h>
#include <stdlib.h>

static const char *libc_name(void)
{
    return "system";
}

static void *libc_allocate(void *context, size_t bytes)
{
    (void)context;
    return malloc(bytes);
}

static void *libc_reallocate(void *context, void *block, size_t bytes)
{
    (void)context;
    return realloc(block, bytes);
}

static void libc_release(void *context, void *block)
{
    (void)context;
    free(block);
}

#ifdef __GLIBC__
/* Weak: in a program that is linked with -static and has jemalloc's archive, the
   strong reference would bring the malloc() of glibc as a second one. */
extern __typeof__(malloc_trim) malloc_trim __attribute__((weak));
#endif

static void libc_trim(void)
{
#ifdef __GLIBC__
    if (malloc_trim != NULL)
        malloc_trim(0);
#endif
}

const backend spgemm_backend_libc = {
    .name = libc_name,
    .hooks = {NULL, libc_allocate, libc_reallocate, libc_release},
    .grow_in_place = NULL,
    .trim = libc_trim,
    .remaps = true,
};
