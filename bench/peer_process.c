/* SPDX-License-Identifier: BSD-3-Clause */
/* The process of a peer that comes as a module. It has the C library's malloc,
   told to keep what is freed: see README.md, Memory. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#include "server.h"

/* The tail of the heap that is taken ahead. */
enum { TOP_PAD_BYTES = 16 << 20 };

static void keep_freed_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_TOP_PAD, TOP_PAD_BYTES);
#endif
}

int main(int argc, char **argv)
{
    if (argc != 2 + SERVER_ARGUMENTS) {
        fputs("bench_peer is started by bench_spgemm\n", stderr);
        return 2;
    }
    keep_freed_memory();
    /* Global: libraries of peers load parts of themselves by dlopen(). */
    void *module = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
    if (!module) {
        fprintf(stderr, "bench_peer: %s\n", dlerror());
        return EXIT_FAILURE;
    }
    const peer *(*entry)(void);
    *(void **)&entry = dlsym(module, "bench_peer");
    if (!entry) {
        fprintf(stderr, "bench_peer: %s\n", dlerror());
        return EXIT_FAILURE;
    }
    return serve(entry(), argv + 2);
}
