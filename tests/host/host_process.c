/* SPDX-License-Identifier: BSD-3-Clause */
/* What the host did to its process before the call changes nothing, and the
   call leaves the process as it found it. */
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "expect.h"
#include "spgemm/mtx.h"
#include "spgemm/predict.h"

/* A product that is worth a team, and its true result. */
typedef struct work {
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr want;
} work;

static work begin_work(const char *case_name, value_kind values)
{
    work w;
    make_case(find_case(case_name), SPGEMM_I32, values, &w.A, &w.B);
    w.want = reference_multiply(&w.A, &w.B);
    return w;
}

static void end_work(work *w)
{
    free_csr(&w->A);
    free_csr(&w->B);
    free_csr(&w->want);
}

static void expect_work(const work *w, int nthreads, const char *what)
{
    for (int v = 0; v < VARIANT_COUNT; v++)
        expect_product(&multiply_variants[v], &w->A, &w->B,
                       &(spgemm_options){.resources.nthreads = nthreads},
                       &w->want, what);
}

/* Whether every variant gives the true result; for where Criterion is not. */
static bool work_is_right(const work *w, int nthreads)
{
    bool is_right = true;
    for (int v = 0; v < VARIANT_COUNT; v++) {
        char text[256];
        spgemm_csr C = {0};
        const spgemm_options options = {.resources.nthreads = nthreads};
        is_right = is_right &&
                   multiply_variants[v].multiply(&C, &w->A, &w->B, &options,
                                                 NULL) == SPGEMM_SUCCESS &&
                   matrices_agree(&C, &w->want, text, sizeof text);
        spgemm_csr_destroy(&C);
    }
    return is_right;
}

/* ---- fork() ------------------------------------------------------------- */

/* 0: the child multiplied rightly; it has 10 seconds. */
static int multiply_in_child(const work *w, int nthreads)
{
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0) {
        alarm(10);
        _exit(work_is_right(w, nthreads) ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

Test(host, child_multiplies_after_a_parallel_product, .timeout = 60)
{
    work w = begin_work("rmat", VALUES_ARBITRARY);
    expect_work(&w, 4, "parent, before");
    cr_expect_eq(multiply_in_child(&w, 4), 0, "4 threads asked for");
    cr_expect_eq(multiply_in_child(&w, 1), 0, "1 thread asked for");
    cr_expect_eq(multiply_in_child(&w, 0), 0, "threads not said");
    expect_work(&w, 4, "parent, after");
    end_work(&w);
}

Test(host, child_multiplies_first, .timeout = 60)
{
    work w = begin_work("rmat", VALUES_ARBITRARY);
    cr_expect_eq(multiply_in_child(&w, 1), 0);
    expect_work(&w, 3, "parent, after");
    end_work(&w);
}

/* A check, too, may run in parallel before the first product. */
Test(host, child_multiplies_after_a_parallel_check, .timeout = 60)
{
    maker m = {{1}, SPGEMM_I32, VALUES_INTEGER};
    spgemm_csr large = make_banded(&m, 400000, 1, 1.0);
    work w = begin_work("rmat", VALUES_ARBITRARY);
    cr_assert_eq(spgemm_csr_check(&large, NULL), SPGEMM_SUCCESS);
    cr_expect_eq(multiply_in_child(&w, 4), 0);
    free_csr(&large);
    end_work(&w);
}

static int threads_there(void)
{
    struct stat tasks;
    return stat("/proc/self/task", &tasks) == 0 ? (int)tasks.st_nlink - 2 : 0;
}

/* A child's product by threads of its own, and one of a child of it. */
static void multiply_and_fork(const void *context)
{
    const work *w = context;
    alarm(20);
    const bool is_right = work_is_right(w, 4);
    const bool is_team = threads_there() > 1;
    int status = 1;
    const pid_t child = fork();
    if (child == 0)
        _exit(work_is_right(w, 3) ? 0 : 1);
    waitpid(child, &status, 0);
    _exit(!is_right ? 1 : !is_team ? 2 : status != 0 ? 3 : 0);
}

/* How a child ends that is forked after a parallel region: libgomp believes in it
   that the threads of the region are there. */
static void expect_child(void (*work_of_child)(const void *context),
                         const void *context)
{
    int members = 0;
    int status;
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
    const pid_t child = fork();
    cr_assert_geq(child, 0);
    if (child == 0)
        work_of_child(context);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "after a region of %d: %x", members,
                 (unsigned)status);
}

Test(host, child_multiplies_after_a_region_of_the_host, .timeout = 60)
{
    work w = begin_work("rmat", VALUES_ARBITRARY);
    expect_child(multiply_and_fork, &w);
    expect_work(&w, 2, "parent, after");
    end_work(&w);
}

static int count_bytes(void *context, const char *text, size_t size)
{
    (void)text;
    *(size_t *)context += size;
    return 0;
}

/* Triplets, and a text of them: work for a team. */
static void make_and_write(const void *context)
{
    (void)context;
    enum { N = 300000 };
    int32_t *at = must_allocate(N, sizeof *at);
    double *values = must_allocate(N, sizeof *values);
    spgemm_csr A;
    size_t written = 0;
    for (int32_t t = 0; t < N; t++) {
        at[t] = t;
        values[t] = t;
    }
    alarm(20);
    if (spgemm_csr_from_coo(&A, N, N, N, at, at, values, SPGEMM_I32,
                            SPGEMM_FP64, NULL) != SPGEMM_SUCCESS)
        _exit(1);
    if (spgemm_mtx_write(&A, count_bytes, &written) != SPGEMM_SUCCESS)
        _exit(2);
    _exit(written > 10 * (size_t)N ? 0 : 3);
}

Test(host, child_makes_and_writes_after_a_region_of_the_host, .timeout = 60)
{
    expect_child(make_and_write, NULL);
}

/* ---- Floating point ----------------------------------------------------- */

static void expect_under_mode(int rounding)
{
    work w = begin_work("giant rows", VALUES_ARBITRARY);
    for (int nthreads = 1; nthreads <= 3; nthreads++) {
        cr_assert_eq(fesetround(rounding), 0);
        const bool is_right = work_is_right(&w, nthreads);
        const int after = fegetround();
        fesetround(FE_TONEAREST);
        cr_expect(is_right, "%d threads, rounding %d", nthreads, rounding);
        cr_expect_eq(after, rounding, "the rounding mode was not put back");
    }
    end_work(&w);
}

Test(host, rounding_mode_changes_nothing)
{
    expect_under_mode(FE_UPWARD);
    expect_under_mode(FE_DOWNWARD);
    expect_under_mode(FE_TOWARDZERO);
}

/* What is made of a mode but products: a sum of duplicates, which mask values and which
   entries count as zero, and a prediction. */
typedef struct made {
    double sum;
    int64_t masked;
    int64_t kept;
    double predicted;
} made;

static made make_all(const work *w)
{
    const int32_t places[] = {0, 0};
    const double terms[] = {0.1, 0.7};
    int64_t rowptr[] = {0, 1};
    double tiny = 0x1p-1074;
    double one = 1;
    int32_t column = 0;
    const spgemm_csr mask = spgemm_csr_view(1, 1, 1, rowptr, &column, &tiny,
                                            SPGEMM_I32, SPGEMM_FP64);
    const spgemm_csr unit = spgemm_csr_view(1, 1, 1, rowptr, &column, &one,
                                            SPGEMM_I32, SPGEMM_FP64);
    const spgemm_options by_mask = {.filter.mask = &mask,
                                    .filter.mask_mode = SPGEMM_MASK_VALUES};
    const spgemm_options by_size = {.filter.drop_tolerance = 0x1p-1074};
    const spgemm_options all = {.predict.method = SPGEMM_PREDICTOR_STRATIFIED};
    spgemm_prediction p = {0};
    spgemm_csr C = {0};
    made m = {0};
    if (spgemm_csr_from_coo(&C, 1, 1, 2, places, places, terms, SPGEMM_I32,
                            SPGEMM_FP64, NULL) == SPGEMM_SUCCESS)
        m.sum = ((double *)C.values)[0];
    spgemm_csr_destroy(&C);
    if (spgemm_predicted(&C, &unit, &unit, &by_mask, NULL) == SPGEMM_SUCCESS)
        m.masked = C.nnz;
    spgemm_csr_destroy(&C);
    if (spgemm_predicted(&C, &mask, &unit, &by_size, NULL) == SPGEMM_SUCCESS)
        m.kept = C.nnz;
    spgemm_csr_destroy(&C);
    if (spgemm_predict(&p, &w->A, &w->B, &all, NULL) == SPGEMM_SUCCESS)
        m.predicted = p.nnz;
    return m;
}

static void expect_made(const made *found, const made *want, const char *what)
{
    cr_expect_eq(found->sum, want->sum, "%s: a sum of duplicates", what);
    cr_expect_eq(found->masked, want->masked, "%s: a mask by values", what);
    cr_expect_eq(found->kept, want->kept, "%s: a drop", what);
    cr_expect_eq(found->predicted, want->predicted, "%s: a prediction", what);
}

Test(host, mode_changes_no_mask_sum_or_prediction)
{
    static const int roundings[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    work w = begin_work("rmat", VALUES_ARBITRARY);
    const made want = make_all(&w);
    cr_expect_eq(want.masked, 1);
    for (int t = 0; t < 3; t++) {
        cr_assert_eq(fesetround(roundings[t]), 0);
        const made found = make_all(&w);
        fesetround(FE_TONEAREST);
        expect_made(&found, &want, "rounding");
    }
#ifdef __SSE__
    const unsigned int before = _mm_getcsr();
    _mm_setcsr(before | 0x8040);
    const made found = make_all(&w);
    _mm_setcsr(before);
    expect_made(&found, &want, "flushing to zero");
#endif
    end_work(&w);
}

#ifdef __SSE__
Test(host, flush_to_zero_changes_nothing)
{
    /* Denormal sums: 0 under FTZ or DAZ. */
    enum { FTZ_AND_DAZ = 0x8040, CONTROL = 0xffc0 };
    work w = begin_work("banded", VALUES_SPECIAL);
    const unsigned int before = _mm_getcsr();
    for (int nthreads = 1; nthreads <= 3; nthreads++) {
        _mm_setcsr(before | FTZ_AND_DAZ);
        const bool is_right = work_is_right(&w, nthreads);
        const unsigned int after = _mm_getcsr();
        _mm_setcsr(before);
        cr_expect(is_right, "%d threads", nthreads);
        cr_expect_eq(after & CONTROL, (before | FTZ_AND_DAZ) & CONTROL);
    }
    end_work(&w);
}
#endif

/* ---- Locale ------------------------------------------------------------- */

Test(host, decimal_comma_changes_nothing)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8",
                                        "fr_FR.UTF-8", "nl_NL.UTF-8"};
    const char *found = NULL;
    for (size_t t = 0; !found && t < sizeof names / sizeof names[0]; t++)
        found = setlocale(LC_ALL, names[t]);
    if (!found)
        cr_skip_test("no locale with a decimal comma is installed");
    work w = begin_work("rmat", VALUES_ARBITRARY);
    expect_work(&w, 2, found);
    cr_expect_str_eq(localeconv()->decimal_point, ",");
    end_work(&w);
}

/* ---- Threads of the host ------------------------------------------------ */

typedef struct caller {
    const work *w;
    int nthreads;
    bool is_right;
} caller;

static void *multiply_often(void *argument)
{
    caller *c = argument;
    c->is_right = true;
    for (int t = 0; c->is_right && t < 5; t++)
        c->is_right = work_is_right(c->w, c->nthreads);
    return NULL;
}

Test(host, two_threads_multiply_at_the_same_time, .timeout = 60)
{
    work w = begin_work("rmat", VALUES_ARBITRARY);
    caller callers[] = {{&w, 2, false}, {&w, 3, false}, {&w, 1, false}};
    pthread_t threads[3];
    for (int t = 0; t < 3; t++)
        cr_assert_eq(
            pthread_create(&threads[t], NULL, multiply_often, &callers[t]), 0);
    for (int t = 0; t < 3; t++) {
        cr_assert_eq(pthread_join(threads[t], NULL), 0);
        cr_expect(callers[t].is_right, "caller %d", t);
    }
    end_work(&w);
}

#ifdef _OPENMP
Test(host, multiplies_inside_a_parallel_region, .timeout = 60)
{
    work w = begin_work("rmat", VALUES_ARBITRARY);
    int wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
    for (int nthreads = 0; nthreads < 4; nthreads++)
        wrong += !work_is_right(&w, nthreads);
    cr_expect_eq(wrong, 0);
    end_work(&w);
}
#endif

/* ---- What the library must not do --------------------------------------- */

Test(host, standard_streams_and_random_numbers_are_left_alone)
{
    work w = begin_work("hidden rows", VALUES_INTEGER);
    int before[2];
    srand(11);
    for (int t = 0; t < 2; t++)
        before[t] = rand();
    srand(11);
    cr_expect_eq(rand(), before[0]);
    expect_work(&w, 2, "between two random numbers");
    cr_expect_eq(rand(), before[1]);
    end_work(&w);
}
