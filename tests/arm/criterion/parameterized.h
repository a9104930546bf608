/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests that are called with each value of an array; see criterion.h here. */
#ifndef TESTS_ARM_PARAMETERIZED_H
#define TESTS_ARM_PARAMETERIZED_H

#include "criterion.h"

struct criterion_test_params {
    size_t bytes;
    void *values;
    size_t count;
    void (*release)(struct criterion_test_params *);
};

#define cr_malloc malloc
#define cr_free   free
#define cr_make_param_array(type, values, count, ...)                          \
    ((struct criterion_test_params){sizeof(type), values, count, __VA_ARGS__})

#define ParameterizedTestParameters(suite, name)                               \
    static struct criterion_test_params suite##_##name##_parameters(void)

#define ParameterizedTest(parameter, suite, name, ...)                         \
    static void suite##_##name##_body(const void *given);                      \
    static void suite##_##name##_each(parameter);                              \
    __attribute__((constructor)) static void suite##_##name##_add(void)        \
    {                                                                          \
        const struct criterion_test_params all =                               \
            suite##_##name##_parameters();                                     \
        arm_add((arm_test){#suite, #name, suite##_##name##_body, all.values,   \
                           all.bytes, all.count});                             \
    }                                                                          \
    static void suite##_##name##_body(const void *given)                       \
    {                                                                          \
        suite##_##name##_each((void *)(uintptr_t)given);                       \
    }                                                                          \
    static void suite##_##name##_each(parameter)

#endif
