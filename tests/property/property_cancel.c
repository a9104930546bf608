/* SPDX-License-Identifier: BSD-3-Clause */
/* options.resources.progress is told how far a product has come, by the thread that
   called, and ends it when it says so: at once, at any moment, with nothing
   lost and nothing written.

   The program is linked with --wrap=clock_gettime: the library's clock goes on
   by a second whenever it is looked at, so that it tells after every block. */
#include <fenv.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

#include "dice.h"
#include "expect.h"
#include "failing_allocator.h"
#include "spgemm/plan.h"
#include "spgemm/predict.h"
#include "spgemm/stream.h"

/* ---- The clock ------------------------------------------------------------ */

static atomic_long looks;
static atomic_bool is_hasty; /* the clock */

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    const int status = __real_clock_gettime(clock, now);
    if (clock == CLOCK_MONOTONIC && atomic_load(&is_hasty))
        now->tv_sec += atomic_fetch_add(&looks, 1);
    return status;
}

/* Of all threads of the process: what others do on the machine is not in it. */
static double processor_seconds(void)
{
    struct timespec now;
    __real_clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Who listens ---------------------------------------------------------- */

typedef struct listener {
    pthread_t thread;
    long calls;
    long stop_at;        /* call at which to stop; -1: none */
    double stop_after;   /* share from which to stop; above 1: none */
    double done;         /* last told */
    bool was_told_right; /* by the right thread, a share that never falls */
    int rounding;
    double stopped_seconds; /* of the processor, when it said stop */
} listener;

static listener listen(long stop_at, double stop_after)
{
    return (listener){.thread = pthread_self(),
                      .stop_at = stop_at,
                      .stop_after = stop_after,
                      .was_told_right = true,
                      .rounding = fegetround()};
}

static int hear(void *context, double done)
{
    listener *l = context;
    l->was_told_right = l->was_told_right &&
                        pthread_equal(pthread_self(), l->thread) &&
                        done >= l->done && done >= 0.0 && done <= 1.0 &&
                        fegetround() == l->rounding;
    l->done = done;
    const bool stops = l->calls++ == l->stop_at || done >= l->stop_after;
    if (stops)
        l->stopped_seconds = processor_seconds();
    return stops;
}

/* ---- What is called ------------------------------------------------------- */

static int ignore(void *context, const spgemm_csr *rows, int64_t first_row)
{
    (void)context, (void)rows, (void)first_row;
    return 0;
}

/* The three products, the stream of one, its plan, what that repeats, and the
   prediction, by number. */
enum { STREAM = VARIANT_COUNT, PLAN, REPEAT, PREDICT, CALLS };
#define STREAM_BYTES ((size_t)1 << 20) /* enough for any row here */

/* Of a plan that nobody watched being made. */
static spgemm_status repeat(const spgemm_csr *A, const spgemm_csr *B,
                            spgemm_options options, spgemm_report *report)
{
    int (*progress)(void *context, double done) = options.resources.progress;
    spgemm_csr C;
    spgemm_plan *plan;
    options.resources.progress = NULL;
    cr_assert_eq(spgemm_plan_create(&plan, &C, A, B, &options, NULL),
                 SPGEMM_SUCCESS);
    const spgemm_status status = spgemm_plan_repeat_watched(
        plan, &C, A, B, progress, options.resources.progress_context, report);
    spgemm_plan_destroy(plan);
    cr_expect_eq(spgemm_csr_check(&C, NULL), SPGEMM_SUCCESS);
    spgemm_csr_destroy(&C);
    return status;
}

static spgemm_status call(int number, const spgemm_csr *A, const spgemm_csr *B,
                          const spgemm_options *options, spgemm_report *report)
{
    if (number == STREAM)
        return spgemm_stream(A, B, options, STREAM_BYTES, ignore, NULL, report);
    if (number == REPEAT)
        return repeat(A, B, *options, report);
    if (number == PREDICT) {
        spgemm_prediction p;
        return spgemm_predict(&p, A, B, options, NULL);
    }
    spgemm_csr C;
    spgemm_plan *plan = NULL;
    memset(&C, 0x3c, sizeof C);
    const spgemm_status status =
        number == PLAN
            ? spgemm_plan_create(&plan, &C, A, B, options, report)
            : multiply_variants[number].multiply(&C, A, B, options, report);
    spgemm_plan_destroy(plan);
    if (status == SPGEMM_SUCCESS)
        spgemm_csr_destroy(&C);
    for (size_t byte = 0; status < 0 && byte < sizeof C; byte++)
        if (((const unsigned char *)&C)[byte] != 0x3c)
            cr_assert_fail("C was touched");
    return status;
}

static const char *name_of(int number)
{
    return number == STREAM    ? "stream"
           : number == PLAN    ? "plan"
           : number == REPEAT  ? "repeat"
           : number == PREDICT ? "predict"
                               : multiply_variants[number].name;
}

static const char *const names[] = {
    "banded",     "rmat",        "hidden rows",        "giant row",
    "giant rows", "hypersparse", "giant unsorted row", "no entries"};
enum { NAMES = sizeof names / sizeof names[0] };

/* ---- Told ----------------------------------------------------------------- */

static void expect_told(int number, const spgemm_csr *A, const spgemm_csr *B,
                        spgemm_predictor predictor, int nthreads,
                        const char *name)
{
    listener l = listen(-1, 2.0);
    const spgemm_options options = {.predict.method = predictor,
                                    .resources.nthreads = nthreads,
                                    .resources.progress = hear,
                                    .resources.progress_context = &l};
    cr_assert_eq(call(number, A, B, &options, NULL), SPGEMM_SUCCESS);
    cr_assert(l.was_told_right, "%s of %s", name_of(number), name);
    if (number == PREDICT)
        return;
    cr_assert_gt(l.calls, 0, "%s of %s: not told", name_of(number), name);
    /* One thread is told of each block, the last of them too. */
    if (nthreads == 1)
        cr_assert_float_eq(l.done, 1.0, 1e-9, "%s of %s: %g", name_of(number),
                           name, l.done);
}

Test(cancel, is_told_how_far_it_is)
{
    atomic_store(&is_hasty, true);
    for (int n = 0; n < NAMES; n++) {
        spgemm_csr A;
        spgemm_csr B;
        make_case(find_case(names[n]), SPGEMM_I32, VALUES_INTEGER, &A, &B);
        for (int number = 0; number < CALLS; number++)
            for (int nthreads = 1; nthreads <= 7; nthreads += 3) {
                expect_told(number, &A, &B, SPGEMM_PREDICTOR_AUTO, nthreads,
                            names[n]);
                expect_told(number, &A, &B, SPGEMM_PREDICTOR_PRECISE, nthreads,
                            names[n]);
            }
        free_csr(&A);
        free_csr(&B);
    }
}

/* Of few products, and of many entries that are added to them. */
Test(cancel, is_told_of_a_large_D)
{
    maker m = {{5}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 3000, 3000, 1);
    spgemm_csr D = make_uniform(&m, 3000, 3000, 300);
    listener l = listen(-1, 2.0);
    const spgemm_options options = {.product.D = &D,
                                    .resources.nthreads = 1,
                                    .resources.progress = hear,
                                    .resources.progress_context = &l};
    atomic_store(&is_hasty, true);
    cr_assert_eq(call(VARIANT_PREDICTED, &A, &A, &options, NULL),
                 SPGEMM_SUCCESS);
    cr_expect(l.was_told_right);
    cr_expect_gt(l.calls, 5);
    free_csr(&A);
    free_csr(&D);
}

Test(cancel, asks_in_the_rounding_mode_of_the_caller)
{
    spgemm_csr A;
    spgemm_csr B;
    atomic_store(&is_hasty, true);
    make_case(find_case("rmat"), SPGEMM_I32, VALUES_INTEGER, &A, &B);
    fesetround(FE_UPWARD);
    for (int number = 0; number < CALLS; number++)
        expect_told(number, &A, &B, SPGEMM_PREDICTOR_PRECISE, 2, "rmat");
    cr_expect_eq(fegetround(), FE_UPWARD);
    fesetround(FE_TONEAREST);
    free_csr(&A);
    free_csr(&B);
}

/* ---- Cancelled ------------------------------------------------------------ */

/* Whether it was cancelled: it may have ended before. */
static bool cancel(int number, const spgemm_csr *A, const spgemm_csr *B,
                   spgemm_options options, long stop_at, const char *name)
{
    failing_allocator *heap = failing_allocator_create();
    const spgemm_allocator hooks = failing_allocator_hooks(heap);
    listener l = listen(stop_at, 2.0);
    spgemm_report report = {0};
    options.resources.allocator = &hooks;
    options.resources.progress = hear;
    options.resources.progress_context = &l;
    const spgemm_status status = call(number, A, B, &options, &report);
    cr_assert_eq(heap->live, 0, "%s of %s: %ld blocks lost", name_of(number),
                 name, heap->live);
    cr_assert_eq(heap->foreign, 0);
    cr_assert(l.was_told_right, "%s of %s", name_of(number), name);
    cr_assert_eq(
        status, l.calls > stop_at ? SPGEMM_ERROR_CANCELLED : SPGEMM_SUCCESS,
        "%s of %s: %s", name_of(number), name, spgemm_status_string(status));
    if (status == SPGEMM_ERROR_CANCELLED) {
        /* Once it was told to stop, nobody asks again. */
        cr_assert_eq(l.calls, stop_at + 1);
        if (number != PREDICT) {
            cr_assert_gt(report.products, 0);
            cr_assert_gt(report.peak_bytes, 0);
            cr_assert_geq(report.total_seconds, 0);
        }
    }
    failing_allocator_destroy(heap);
    return status == SPGEMM_ERROR_CANCELLED;
}

/* How often one thread asks when nobody stops it. */
static long count_calls(int number, const spgemm_csr *A, const spgemm_csr *B,
                        spgemm_options options)
{
    listener l = listen(-1, 2.0);
    options.resources.nthreads = 1;
    options.resources.progress = hear;
    options.resources.progress_context = &l;
    cr_assert_eq(call(number, A, B, &options, NULL), SPGEMM_SUCCESS);
    return l.calls;
}

/* One thread asks as often each time; a team may ask less often. */
static int cancel_often(int number, const spgemm_csr *A, const spgemm_csr *B,
                        dice *d)
{
    int cancelled = 0;
    for (int t = 0; t < 8; t++) {
        spgemm_options options = {.predict.method =
                                      number == PREDICT || t % 4 < 2
                                          ? SPGEMM_PREDICTOR_PRECISE
                                          : SPGEMM_PREDICTOR_AUTO};
        const long calls = count_calls(number, A, B, options);
        const long stop_at = dice_below(d, calls);
        options.resources.nthreads = t % 2 == 0 ? 1 : 2 + (int)dice_below(d, 3);
        const bool was =
            cancel(number, A, B, options, stop_at, name_of(number));
        cr_assert(was || options.resources.nthreads > 1);
        cancelled += was;
    }
    return cancelled;
}

Test(cancel, ends_at_any_moment, .timeout = 120)
{
    dice d = {2024};
    int cancelled = 0;
    atomic_store(&is_hasty, true);
    for (int n = 0; n < NAMES - 1; n++) {
        spgemm_csr A;
        spgemm_csr B;
        make_case(find_case(names[n]), (spgemm_index_type)(n % 2),
                  VALUES_INTEGER, &A, &B);
        for (int number = 0; number < CALLS; number++)
            for (int k = 0; k < 2; k++)
                cancelled += cancel_often(number, &A, &B, &d);
        free_csr(&A);
        free_csr(&B);
    }
    /* Half of the calls are by one thread: 280. */
    cr_expect_geq(cancelled, 280, "only %d", cancelled);
}

/* ---- Soon ----------------------------------------------------------------- */

/* Processor time after the word. */
static double seconds_after_stop(int number, const spgemm_csr *A,
                                 spgemm_options options)
{
    listener l = listen(-1, 0.0);
    options.resources.progress = hear;
    options.resources.progress_context = &l;
    cr_assert_eq(call(number, A, A, &options, NULL), SPGEMM_ERROR_CANCELLED);
    return processor_seconds() - l.stopped_seconds;
}

/* Of five calls the shortest counts: a thread that waits for another, which has no
   processor on a busy machine, takes time and does no work. */
static void expect_soon(int number, const spgemm_csr *A, spgemm_options options,
                        const char *name)
{
    const double start = processor_seconds();
    cr_assert_eq(call(number, A, A, &options, NULL), SPGEMM_SUCCESS);
    const double whole = processor_seconds() - start;
    double after = whole;
    for (int t = 0; t < 5; t++)
        after = fmin(after, seconds_after_stop(number, A, options));
    cr_expect_lt(after, 0.1 * whole, "%s, %s, %d threads: %.4f s of %.4f s",
                 name_of(number), name, options.resources.nthreads, after,
                 whole);
}

Test(cancel, ends_soon, .timeout = 120)
{
    maker m = {{21}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr A = make_uniform(&m, 60000, 60000, 18);
    for (int nthreads = 1; nthreads <= 2; nthreads++)
        for (int number = 0; number < CALLS; number++)
            expect_soon(
                number, &A,
                (spgemm_options){.predict.method = SPGEMM_PREDICTOR_PRECISE,
                                 .resources.nthreads = nthreads},
                "uniform");
    free_csr(&A);
}
