/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of known kinds: functions of their sizes and a seed. */
#ifndef TOOLS_GENERATE_H
#define TOOLS_GENERATE_H

#include "spgemm/spgemm.h"

enum { GENERATOR_SIZES = 4 };

/** What to make. */
typedef struct recipe {
    int64_t sizes[GENERATOR_SIZES]; /* of the kind, in the order of the help */
    int64_t dofs;                   /* unknowns a node, stencil27 only */
    uint64_t seed;
    bool has_reals;     /* values in [1, 2); otherwise integers in 1..9 */
    bool is_transposed; /* make the matrix of the other fields, transposed */
} recipe;

/** Name and help of kind k; NULL beyond the last. */
const char *generator_name(int k);
const char *generator_help(int k);

/** The kind of this name; -1: none. */
int generator_find(const char *name);

/** How many sizes a kind needs at least and takes at most. */
void generator_size_counts(int kind, int *least, int *most);

/** Make A; free it with spgemm_csr_destroy(). INVALID: sizes that cannot be. */
spgemm_status generate(spgemm_csr *A, int kind, const recipe *r);

#endif
