/* SPDX-License-Identifier: BSD-3-Clause */
/* Options are within what they may be: what can be told without A and B. */
#ifndef SPGEMM_SPGEMM_PIPELINE_CHECK_OPTIONS_H
#define SPGEMM_SPGEMM_PIPELINE_CHECK_OPTIONS_H

#include <stdbool.h>

#include "alloc/memory.h"

/** What refusals call the two operands of a product; NULL: A and B. */
typedef struct operand_names {
    const char *left;
    const char *right;
} operand_names;

static inline const char *name_of_left(const operand_names *names)
{
    return names->left ? names->left : "A";
}

static inline const char *name_of_right(const operand_names *names)
{
    return names->right ? names->right : "B";
}

/** What a function of the interface does, as far as its options go: those that
    it does not use are refused. */
typedef struct entry_point {
    const char *name;
    bool predicts;     /* options.predict */
    bool multiplies;   /* values are read, working memory is kept */
    bool makes_c;      /* options.resources.out */
    bool samples;      /* of options.predict seed and slack, and nothing else */
    bool b_is_to_come; /* B has a shape and types, and is made by the call */
    bool stays_wide;   /* columns are not narrowed */
    bool narrows_later; /* or, where they are many, when C is predicted */
    bool is_repeated;   /* with other values: what is found pays each time */
    operand_names names;
    memory *account; /* that the memory of the call is part of; NULL: its own */
} entry_point;

/** @retval SPGEMM_ERROR_INVALID  the refusal names the option and its value */
spgemm_status spgemm_options_check(const spgemm_options *options,
                                   const entry_point *self);

/** Whether which entries C has depends on values of A and B, or what is asked
    for is only said of matrices that have them. */
bool spgemm_options_read_values(const spgemm_options *options);

#endif
