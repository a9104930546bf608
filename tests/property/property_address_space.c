/* SPDX-License-Identifier: BSD-3-Clause */
/* A process whose address space ends 64 MB above the memory limit of a product
   (`ulimit -v`) completes it or is refused: it never dies, whatever its
   threads, its allocator and OpenMP map beside the product. */
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"
#include "spgemm/stream.h"

#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true /* maps terabytes */
#else
#define IS_SANITIZED false
#endif

#define MARGIN_BYTES ((size_t)64 << 20)

/* How a process ends: everything else is a death. */
enum { DONE = 10, REFUSED, WRONG };

enum { STREAM = VARIANT_COUNT, CALLS };

typedef struct trial {
    spgemm_csr A;
    spgemm_csr want;
    size_t peak_bytes; /* of the product without a limit */
} trial;

/* ---- In the process that is limited --------------------------------------- */

static size_t mapped_bytes(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%lu", &pages) != 1)
        _exit(WRONG);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* How much of it is as it should be. */
typedef struct comparison {
    const spgemm_csr *want;
    int64_t nnz;
    bool is_same;
} comparison;

static int compare(void *context, const spgemm_csr *rows, int64_t first_row)
{
    comparison *c = context;
    const int64_t first = c->want->rowptr[first_row];
    c->is_same = c->is_same && rows->nnz <= c->want->nnz - first &&
                 memcmp(rows->colidx, (const int32_t *)c->want->colidx + first,
                        (size_t)rows->nnz * sizeof(int32_t)) == 0 &&
                 memcmp(rows->values, (const double *)c->want->values + first,
                        (size_t)rows->nnz * sizeof(double)) == 0;
    c->nnz += rows->nnz;
    return 0;
}

static int multiply(const trial *t, int number, const spgemm_options *options)
{
    comparison c = {.want = &t->want, .is_same = true};
    spgemm_report report;
    spgemm_status status;
    if (number == STREAM) {
        status = spgemm_stream(&t->A, &t->A, options, 0, compare, &c, &report);
    } else {
        spgemm_csr C;
        status = multiply_variants[number].multiply(&C, &t->A, &t->A, options,
                                                    &report);
        if (status == SPGEMM_SUCCESS) {
            compare(&c, &C, 0);
            spgemm_csr_destroy(&C);
        }
    }
    if (status == SPGEMM_ERROR_MEMORY_LIMIT ||
        status == SPGEMM_ERROR_OUT_OF_MEMORY)
        return REFUSED;
    return status == SPGEMM_SUCCESS && c.is_same && c.nnz == t->want.nnz &&
                   report.peak_bytes <= options->resources.memory_limit_bytes
               ? DONE
               : WRONG;
}

static void limit_and_multiply(const trial *t, int number, size_t limit,
                               int nthreads, size_t margin)
{
    const spgemm_options options = {.resources.nthreads = nthreads,
                                    .resources.memory_limit_bytes = limit};
    const rlim_t most = mapped_bytes() + limit + margin;
    if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) != 0)
        _exit(WRONG);
    _exit(multiply(t, number, &options));
}

/* Room for two threads first, which the host takes then but for `left` bytes, and
   for more threads. With a region of its own between them libgomp's team is another
   one. */
static void take_room_and_multiply(const trial *t, size_t left, bool has_region)
{
    const rlim_t most = mapped_bytes() + ((rlim_t)1 << 31);
    spgemm_options options = {.resources.nthreads = has_region ? 8 : 2,
                              .resources.memory_limit_bytes = SIZE_MAX};
    if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) != 0 ||
        multiply(t, VARIANT_PREDICTED, &options) == WRONG)
        _exit(WRONG);
    int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members) if (has_region)
    members++;
    const size_t taken = mapped_bytes() + left;
    if (members < 1 || (taken < most &&
                        mmap(NULL, most - taken, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED))
        _exit(WRONG);
    options.resources.nthreads = 8;
    _exit(multiply(t, VARIANT_PREDICTED, &options));
}

/* ---- Around it ------------------------------------------------------------ */

/* How a child ended; -1: it died, or was wrong. */
static int end_of(pid_t child)
{
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    const int end = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return end == DONE || end == REFUSED ? end : -1;
}

static int ends(const trial *t, int number, size_t limit, int nthreads,
                size_t margin)
{
    fflush(NULL);
    const pid_t child = fork();
    cr_assert_neq(child, -1);
    if (child == 0)
        limit_and_multiply(t, number, limit, nthreads, margin);
    const int end = end_of(child);
    if (end < 0)
        cr_assert_fail("call %d, %zu bytes, %d threads", number, limit,
                       nthreads);
    return end;
}

/* No thread is made here: a child of a process with a team has none. */
static trial begin(int64_t nrows, int64_t per_row)
{
    trial t;
    spgemm_report report;
    maker m = {{31}, SPGEMM_I32, VALUES_INTEGER};
    if (IS_SANITIZED)
        cr_skip_test("a sanitizer maps more than any limit");
    t.A = make_uniform(&m, nrows, nrows, per_row);
    t.want =
        expect_success(&multiply_variants[VARIANT_PREDICTED], &t.A, &t.A,
                       &(spgemm_options){.resources.nthreads = 1}, &report);
    t.peak_bytes = report.peak_bytes;
    return t;
}

static void end(trial *t)
{
    spgemm_csr_destroy(&t->want);
    free_csr(&t->A);
}

static int count_done(const trial *t, int number, int nthreads, size_t margin)
{
    int done = 0;
    for (int k = 0; k < 20; k++) {
        const size_t limit = (size_t)((0.5 + 0.06 * k) * (double)t->peak_bytes);
        done += ends(t, number, limit, nthreads, margin) == DONE;
    }
    return done;
}

Test(address_space, products_complete_or_are_refused, .timeout = 240)
{
    trial t = begin(30000, 20);
    for (int number = 0; number < CALLS; number++) {
        /* Half a GB of stacks, were there room. */
        const int done = count_done(&t, number, 64, MARGIN_BYTES);
        cr_expect_geq(done, number == VARIANT_UPPER_BOUND ? 0 : 5,
                      "call %d: %d done", number, done);
    }
    end(&t);
}

Test(address_space, what_fits_is_done_by_two, .timeout = 240)
{
    trial t = begin(30000, 20);
    for (int k = 0; k < 3; k++)
        cr_expect_eq(ends(&t, VARIANT_PREDICTED,
                          t.peak_bytes + t.peak_bytes / 10 + ((size_t)12 << 20),
                          2, MARGIN_BYTES),
                     DONE);
    end(&t);
}

/* Where there is no margin at all. */
Test(address_space, nobody_dies_at_the_wall, .timeout = 240)
{
    trial t = begin(10000, 20);
    for (int number = 0; number < CALLS; number++)
        for (size_t margin = 0; margin <= (size_t)24 << 20;
             margin += (size_t)3 << 20)
            for (int k = 1; k <= 5; k += 2)
                ends(&t, number, (size_t)k * t.peak_bytes / 4, 8, margin);
    end(&t);
}

Test(address_space, the_host_takes_what_there_was_for_threads, .timeout = 240)
{
    trial t = begin(4000, 12);
    for (int k = 0; k < 40; k++) {
        const size_t left = (size_t)(20 + k) << 20;
        fflush(NULL);
        const pid_t child = fork();
        cr_assert_neq(child, -1);
        if (child == 0)
            take_room_and_multiply(&t, left, k % 2);
        cr_expect_geq(end_of(child), 0, "%zu bytes left", left);
    }
    end(&t);
}

Test(address_space, four_times_the_limit_is_streamed, .timeout = 240)
{
    trial t = begin(40000, 20);
    for (int nthreads = 1; nthreads <= 16; nthreads *= 4)
        cr_expect_eq(ends(&t, STREAM, t.peak_bytes / 4, nthreads, MARGIN_BYTES),
                     DONE);
    end(&t);
}
