/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded into a program before everything else: its n-th call for memory,
   n = FAIL_AT, finds none; with FAIL_EVER set, nor does any after it. A process
   that it starts goes on counting for itself. At its end a program writes to
   the file FAIL_COUNT how many calls it made, or a process that it started. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* jemalloc's. */
void *mallocx(size_t size, int flags);
void *rallocx(void *block, size_t size, int flags);

static atomic_long calls;
static atomic_long *most; /* of all processes */
static long fail_at = -1;
static bool fails_ever;
static pid_t first;

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");
    fails_ever = getenv("FAIL_EVER") != NULL;
    first = getpid();
    most = mmap(NULL, sizeof *most, PROT_READ | PROT_WRITE,
                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    atomic_store(&calls, 0);
    fail_at = at ? atol(at) : 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("FAIL_COUNT");
    const int file = path && getpid() == first
                         ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600)
                         : -1;
    if (file >= 0)
        dprintf(file, "%ld\n", atomic_load(most));
}

static bool fails(void)
{
    const long call = atomic_fetch_add(&calls, 1) + 1;
    if (most && call > atomic_load(most))
        atomic_store(most, call);
    if (fail_at <= 0 || call < fail_at || (call > fail_at && !fails_ever))
        return false;
    errno = ENOMEM;
    return true;
}

/* The function of this name that the program would have called. */
#define NEXT(type, name) ((type)(uintptr_t)dlsym(RTLD_NEXT, name))

void *malloc(size_t size)
{
    static void *(*next)(size_t);
    if (!next)
        next = NEXT(void *(*)(size_t), "malloc");
    return fails() ? NULL : next(size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*next)(size_t, size_t);
    if (!next)
        next = NEXT(void *(*)(size_t, size_t), "calloc");
    return fails() ? NULL : next(count, size);
}

void *realloc(void *block, size_t size)
{
    static void *(*next)(void *, size_t);
    if (!next)
        next = NEXT(void *(*)(void *, size_t), "realloc");
    return fails() ? NULL : next(block, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    static int (*next)(void **, size_t, size_t);
    if (!next)
        next = NEXT(int (*)(void **, size_t, size_t), "posix_memalign");
    return fails() ? ENOMEM : next(block, alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    static void *(*next)(size_t, size_t);
    if (!next)
        next = NEXT(void *(*)(size_t, size_t), "aligned_alloc");
    return fails() ? NULL : next(alignment, size);
}

void *mallocx(size_t size, int flags)
{
    static void *(*next)(size_t, int);
    if (!next)
        next = NEXT(void *(*)(size_t, int), "mallocx");
    return fails() ? NULL : next(size, flags);
}

void *rallocx(void *block, size_t size, int flags)
{
    static void *(*next)(void *, size_t, int);
    if (!next)
        next = NEXT(void *(*)(void *, size_t, int), "rallocx");
    return fails() ? NULL : next(block, size, flags);
}

void *mmap(void *at, size_t size, int protection, int flags, int file,
           off_t from)
{
    static void *(*next)(void *, size_t, int, int, int, off_t);
    if (!next)
        next = NEXT(void *(*)(void *, size_t, int, int, int, off_t), "mmap");
    return fails() ? MAP_FAILED : next(at, size, protection, flags, file, from);
}
