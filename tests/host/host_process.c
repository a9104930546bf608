/* SPDX-License-Identifier: BSD-3-Clause */
/* What the host did to its process before the call changes nothing, and the
   call leaves the process as it found it. */
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "expect.h"

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
