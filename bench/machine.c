/* SPDX-License-Identifier: BSD-3-Clause */
/* What the machine is, and what it could do at best. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "clocks.h"

enum { TRIALS = 4, ARRAY_BYTES = 256 << 20, CHAIN = 16 };

static double max_double(double x, double y)
{
    return x > y ? x : y;
}

/* ---- Bandwidth ----------------------------------------------------------- */

static double *take_array(void)
{
    void *block = mmap(NULL, ARRAY_BYTES, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(block, ARRAY_BYTES, MADV_HUGEPAGE);
#endif
    return block;
}

static void copy_all(double *to, const double *from, int nthreads)
{
    const size_t part = ARRAY_BYTES / (size_t)nthreads;
#pragma omp parallel for num_threads(nthreads) schedule(static)
    for (int t = 0; t < nthreads; t++)
        memcpy((char *)to + (size_t)t * part,
               (const char *)from + (size_t)t * part, part);
    (void)part;
}

/* Four sums a thread hide the latency of an addition. */
static double sum_all(const double *from, int nthreads)
{
    const int64_t count = ARRAY_BYTES / (int64_t)sizeof *from / nthreads;
    double total = 0;
#pragma omp parallel for num_threads(nthreads) reduction(+ : total)
    for (int t = 0; t < nthreads; t++) {
        const double *part = from + t * count;
        double sums[32] = {0};
        for (int64_t k = 0; k + 32 <= count; k += 32)
            for (int s = 0; s < 32; s++)
                sums[s] += part[k + s];
        for (int s = 0; s < 32; s++)
            total += sums[s];
    }
    return total;
}

bandwidth machine_bandwidth(int nthreads)
{
    bandwidth best = {0};
    volatile double sink = 0;
    double *from = take_array();
    double *to = take_array();
    if (from && to) {
        copy_all(from, to, nthreads);
        copy_all(to, from, nthreads);
        for (int trial = 0; trial < TRIALS; trial++) {
            const double start = wall_clock();
            copy_all(to, from, nthreads);
            const double copied = wall_clock();
            sink = sink + sum_all(to, nthreads);
            const double summed = wall_clock();
            best.copy =
                max_double(best.copy, 2.0 * ARRAY_BYTES / (copied - start));
            best.read = max_double(best.read, ARRAY_BYTES / (summed - copied));
        }
    }
    if (from)
        munmap(from, ARRAY_BYTES);
    if (to)
        munmap(to, ARRAY_BYTES);
    return best;
}

/* ---- Clock --------------------------------------------------------------- */

double machine_clock(void)
{
    const int64_t rounds = 1 << 20;
    double best = 0;
    for (int trial = 0; trial < 8 * TRIALS; trial++) {
        uint64_t x = 1;
        uint64_t y = 0x9e3779b97f4a7c15;
        __asm__ volatile("" : "+r"(y));
        const double start = wall_clock();
        for (int64_t k = 0; k < rounds; k++)
            for (int link = 0; link < CHAIN; link++) {
                x ^= y;
                __asm__ volatile("" : "+r"(x));
            }
        best =
            max_double(best, (double)(rounds * CHAIN) / (wall_clock() - start));
    }
    return best;
}

/* ---- Memory -------------------------------------------------------------- */

double machine_free_bytes(void)
{
    char line[128];
    double kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kilobytes == 0 && fgets(line, sizeof line, file))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kilobytes = strtod(line + 13, NULL);
    if (file)
        fclose(file);
    return 1024 * kilobytes;
}

/* ---- Description --------------------------------------------------------- */

/* The first line of a file that begins with `key`, after "# label:". */
static void print_line(FILE *out, const char *path, const char *key,
                       const char *label)
{
    char line[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = line;
        if (strncmp(line, key, strlen(key)) != 0)
            continue;
        if (*key && (value = strchr(line, ':')))
            value++;
        if (!value)
            break;
        fprintf(out, "# %s: %s", label, value + strspn(value, " \t"));
        break;
    }
    if (file)
        fclose(file);
}

static void print_caches(FILE *out)
{
    char path[96];
    char label[32];
    for (int k = 0; k < 8; k++) {
        snprintf(path, sizeof path,
                 "/sys/devices/system/cpu/cpu0/cache/index%d/size", k);
        snprintf(label, sizeof label, "cache %d", k);
        print_line(out, path, "", label);
    }
}

void machine_print(FILE *out)
{
    struct utsname system = {0};
    const char *info = "/proc/cpuinfo";
    uname(&system);
    fprintf(out, "# system: %s %s %s\n", system.sysname, system.release,
            system.machine);
    print_line(out, info, "model name", "cpu");
    print_line(out, info, "cpu family", "cpu family");
    print_line(out, info, "model\t", "cpu model");
    fprintf(out, "# cores: %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
    print_caches(out);
    print_line(out, "/proc/meminfo", "MemTotal", "memory installed");
    print_line(out, "/sys/kernel/mm/transparent_hugepage/enabled", "",
               "transparent huge pages");
    print_line(out, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "",
               "governor");
}
