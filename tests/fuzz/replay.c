/* SPDX-License-Identifier: BSD-3-Clause */
/* A main() for fuzz targets without libFuzzer: replay RUNS [FOLDER_OR_FILE]...
   runs the target over every file given and over RUNS random inputs. The seeds
   are fixed: a failure is seen again. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_csr.h"
#include "dice.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { LONGEST_RANDOM = 512, PATH_LENGTH = 4096 };

/* In memory of exactly `size` bytes, so that a sanitizer guards its end. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = must_allocate((int64_t)size, 1);
    if (size > 0)
        memcpy(exact, bytes, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

/* Returns how many inputs were run. */
static long run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    uint8_t *bytes = must_allocate(1 << 20, 1);
    const size_t size = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    run(bytes, size);
    free(bytes);
    return 1;
}

static long run_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return run_file(path);
    long count = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (entry->d_name[0] != '.') {
            char file[PATH_LENGTH];
            snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
            count += run_file(file);
        }
    closedir(folder);
    if (count == 0) {
        fprintf(stderr, "%s: no inputs\n", path);
        exit(2);
    }
    return count;
}

static void run_random(uint64_t seed)
{
    uint8_t bytes[LONGEST_RANDOM];
    dice d = {seed};
    const size_t size = (size_t)dice_below(&d, LONGEST_RANDOM + 1);
    /* Small numbers make deeper inputs; any byte makes wider ones. */
    const int64_t limit = dice_below(&d, 4) == 0 ? 256 : 1 + dice_below(&d, 64);
    for (size_t t = 0; t < size; t++)
        bytes[t] = (uint8_t)dice_below(&d, limit);
    run(bytes, size);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s RUNS [FOLDER_OR_FILE]...\n", argv[0]);
        return 2;
    }
    const long runs = atol(argv[1]);
    long kept = 0;
    for (int t = 2; t < argc; t++)
        kept += run_folder(argv[t]);
    for (long t = 0; t < runs; t++)
        run_random((uint64_t)t + 1);
    printf("%ld kept and %ld random inputs\n", kept, runs);
    return 0;
}
