/* SPDX-License-Identifier: BSD-3-Clause */
/* A host that knows the library only at run time: load, multiply in parallel
   on system memory, unload, again and again; nothing stays mapped.

   Usage: dlopen_multiply LIBRARY ROUNDS */
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <spgemm/spgemm.h>

#define N 10000

static int64_t rowptr[N + 1];
static int32_t colidx[3 * N];
static double values[3 * N];

/* Three entries a row, so that C has enough work for two threads. */
static void fill(void)
{
    for (int i = 0; i < N; i++) {
        rowptr[i + 1] = 3 * (int64_t)(i + 1);
        for (int d = 0; d < 3; d++) {
            colidx[3 * i + d] = (i * 7 + d * 1999) % N;
            values[3 * i + d] = 1;
        }
    }
}

static int fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    return 1;
}

/* Of the process. */
static long mapped_bytes(void)
{
    char text[64] = "";
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (!fgets(text, sizeof text, file))
            text[0] = '\0';
        fclose(file);
    }
    return strtol(text, NULL, 10) * sysconf(_SC_PAGESIZE);
}

static int multiply(void *library)
{
    __typeof__(&spgemm_csr_view) view;
    __typeof__(&spgemm_predicted) predicted;
    __typeof__(&spgemm_csr_destroy) destroy;
    __typeof__(&spgemm_memory_name) memory_name;
    /* POSIX: a pointer to data holds a pointer to a function. */
    *(void **)&view = dlsym(library, "spgemm_csr_view");
    *(void **)&predicted = dlsym(library, "spgemm_predicted");
    *(void **)&destroy = dlsym(library, "spgemm_csr_destroy");
    *(void **)&memory_name = dlsym(library, "spgemm_memory_name");
    if (!view || !predicted || !destroy || !memory_name)
        return fail("a function is missing");
    if (strcmp(memory_name(), "system") != 0)
        return fail("the memory should be the system's");

    const spgemm_csr A =
        view(N, N, 3 * N, rowptr, colidx, values, SPGEMM_I32, SPGEMM_FP64);
    const spgemm_options options = {.resources.nthreads = 2};
    spgemm_csr C = {0};
    if (predicted(&C, &A, &A, &options, NULL) != SPGEMM_SUCCESS)
        return fail("the product failed");
    double sum = 0;
    for (int64_t p = 0; p < C.nnz; p++)
        sum += ((const double *)C.values)[p];
    destroy(&C);
    return sum == 9.0 * N ? 0 : fail("the product is wrong");
}

/* Beside what libgomp and the C library keep. */
#define SPARE_BYTES (32L << 20)

int main(int argc, char **argv)
{
    long before = 0;
    if (argc != 3)
        return fail("usage: dlopen_multiply LIBRARY ROUNDS");
    /* A thread that finds the arenas of malloc() taken would map another one,
       in any round. */
    mallopt(M_ARENA_MAX, 1);
    fill();
    for (long round = strtol(argv[2], NULL, 10); round > 0; round--) {
        void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
        if (!library)
            return fail(dlerror());
        if (multiply(library) != 0)
            return 1;
        dlclose(library);
        if (before == 0)
            before = mapped_bytes();
    }
    return mapped_bytes() <= before + SPARE_BYTES
               ? 0
               : fail("what was mapped stays mapped");
}
