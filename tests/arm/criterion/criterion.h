/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests use of Criterion, for machines that are emulated: Criterion's own
   sandbox starts each test by executing its file again, which an emulator of
   programs does not survive. Here a test is a forked child. */
#ifndef TESTS_ARM_CRITERION_H
#define TESTS_ARM_CRITERION_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARM_SKIPPED = 77, ARM_MOST_TESTS = 256 };

/* A test, or one that is called with each of `count` values of `bytes` bytes. */
typedef struct arm_test {
    const char *suite, *name;
    void (*body)(const void *parameter);
    const char *parameters;
    size_t bytes, count;
} arm_test;

/* Weak: every file of a program has them, and they are one. */
__attribute__((weak)) arm_test arm_tests[ARM_MOST_TESTS];
__attribute__((weak)) int arm_test_count;
__attribute__((weak)) int arm_failures;

static inline void arm_add(arm_test test)
{
    if (arm_test_count == ARM_MOST_TESTS)
        abort();
    arm_tests[arm_test_count++] = test;
}

/* Runs one in a child. Returns whether it failed. */
static inline bool arm_run(const arm_test *test, const void *parameter)
{
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        test->body(parameter);
        fflush(stdout);
        _exit(arm_failures != 0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child)
        status = 1;
    const bool is_skipped =
        WIFEXITED(status) && WEXITSTATUS(status) == ARM_SKIPPED;
    if (status != 0 && !is_skipped)
        printf("FAILED %s::%s (status %x)\n", test->suite, test->name,
               (unsigned)status);
    return status != 0 && !is_skipped;
}

/* Whether SUITE::NAME is a word of SPGEMM_TESTS_LEFT_OUT: what the emulator lacks. */
static inline bool arm_is_left_out(const arm_test *test)
{
    const char *names = getenv("SPGEMM_TESTS_LEFT_OUT");
    char word[128];
    snprintf(word, sizeof word, " %s::%s ", test->suite, test->name);
    return names != NULL && strstr(names, word) != NULL;
}

/* Options of Criterion's own main() are of no meaning here. */
__attribute__((weak)) int main(void)
{
    int failed = 0, run = 0, left_out = 0;
    for (int t = 0; t < arm_test_count; t++) {
        const arm_test *test = &arm_tests[t];
        if (arm_is_left_out(test)) {
            printf("left out: %s::%s\n", test->suite, test->name);
            left_out++;
            continue;
        }
        for (size_t p = 0; p < test->count; p++, run++)
            failed += arm_run(test, test->parameters + p * test->bytes);
    }
    printf("%d of %d failed\n", failed, run);
    return failed != 0 || run + left_out == 0;
}

#define Test(suite, name, ...)                                                 \
    static void suite##_##name##_body(const void *parameter);                  \
    __attribute__((constructor)) static void suite##_##name##_add(void)        \
    {                                                                          \
        arm_add((arm_test){#suite, #name, suite##_##name##_body, "", 0, 1});   \
    }                                                                          \
    static void suite##_##name##_body(const void *parameter                    \
                                      __attribute__((unused)))

#define ARM_CHECK(condition, end, ...)                                         \
    do {                                                                       \
        if (!(condition)) {                                                    \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);             \
            printf("    " __VA_ARGS__);                                        \
            putchar('\n');                                                     \
            arm_failures++;                                                    \
            end;                                                               \
        }                                                                      \
    } while (0)
#define ARM_ASSERT(condition, ...)                                             \
    ARM_CHECK(condition, (fflush(stdout), _exit(1)), __VA_ARGS__)
#define ARM_EXPECT(condition, ...) ARM_CHECK(condition, (void)0, __VA_ARGS__)

#define cr_assert(a, ...)          ARM_ASSERT(a, __VA_ARGS__)
#define cr_assert_not(a, ...)      ARM_ASSERT(!(a), __VA_ARGS__)
#define cr_assert_eq(a, b, ...)    ARM_ASSERT((a) == (b), __VA_ARGS__)
#define cr_assert_neq(a, b, ...)   ARM_ASSERT((a) != (b), __VA_ARGS__)
#define cr_assert_lt(a, b, ...)    ARM_ASSERT((a) < (b), __VA_ARGS__)
#define cr_assert_leq(a, b, ...)   ARM_ASSERT((a) <= (b), __VA_ARGS__)
#define cr_assert_gt(a, b, ...)    ARM_ASSERT((a) > (b), __VA_ARGS__)
#define cr_assert_geq(a, b, ...)   ARM_ASSERT((a) >= (b), __VA_ARGS__)
#define cr_assert_null(a, ...)     ARM_ASSERT((a) == NULL, __VA_ARGS__)
#define cr_assert_not_null(a, ...) ARM_ASSERT((a) != NULL, __VA_ARGS__)
#define cr_assert_float_eq(a, b, most, ...)                                    \
    ARM_ASSERT(fabs((a) - (b)) <= (most), __VA_ARGS__)
#define cr_assert_arr_eq(a, b, bytes, ...)                                     \
    ARM_ASSERT(memcmp(a, b, bytes) == 0, __VA_ARGS__)
#define cr_assert_fail(...) ARM_ASSERT(false, __VA_ARGS__)

#define cr_expect(a, ...)          ARM_EXPECT(a, __VA_ARGS__)
#define cr_expect_not(a, ...)      ARM_EXPECT(!(a), __VA_ARGS__)
#define cr_expect_eq(a, b, ...)    ARM_EXPECT((a) == (b), __VA_ARGS__)
#define cr_expect_neq(a, b, ...)   ARM_EXPECT((a) != (b), __VA_ARGS__)
#define cr_expect_lt(a, b, ...)    ARM_EXPECT((a) < (b), __VA_ARGS__)
#define cr_expect_leq(a, b, ...)   ARM_EXPECT((a) <= (b), __VA_ARGS__)
#define cr_expect_gt(a, b, ...)    ARM_EXPECT((a) > (b), __VA_ARGS__)
#define cr_expect_geq(a, b, ...)   ARM_EXPECT((a) >= (b), __VA_ARGS__)
#define cr_expect_null(a, ...)     ARM_EXPECT((a) == NULL, __VA_ARGS__)
#define cr_expect_not_null(a, ...) ARM_EXPECT((a) != NULL, __VA_ARGS__)
#define cr_expect_float_eq(a, b, most, ...)                                    \
    ARM_EXPECT(fabs((a) - (b)) <= (most), __VA_ARGS__)
#define cr_expect_str_eq(a, b, ...)  ARM_EXPECT(strcmp(a, b) == 0, __VA_ARGS__)
#define cr_expect_str_neq(a, b, ...) ARM_EXPECT(strcmp(a, b) != 0, __VA_ARGS__)
#define cr_expect_arr_eq(a, b, bytes, ...)                                     \
    ARM_EXPECT(memcmp(a, b, bytes) == 0, __VA_ARGS__)

#define cr_skip(...)                                                           \
    do {                                                                       \
        printf("skipped: " __VA_ARGS__);                                       \
        putchar('\n');                                                         \
        fflush(stdout);                                                        \
        _exit(ARM_SKIPPED);                                                    \
    } while (0)
#define cr_skip_test(...) cr_skip(__VA_ARGS__)

#endif
