/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices of known kinds: functions of their sizes and a seed. */
#ifndef MATGEN_H
#define MATGEN_H

#include "spgemm/spgemm.h"

enum { GENERATOR_SIZES = 4 };

/** What to make. */
typedef struct recipe {
    int64_t sizes[GENERATOR_SIZES]; /* of the kind, in the order of the help */
    int64_t dofs; /* unknowns a node; 0: as many as the kind has */
    uint64_t seed;
    bool has_reals;     /* values in [1, 2); otherwise integers in 1..9 */
    bool is_transposed; /* make the matrix of the other fields, transposed */
} recipe;

/** Name and help of kind k; NULL beyond the last. */
const char *generator_name(int k);
const char *generator_help(int k);

/** The kind of this name; -1: none. */
int generator_find(const char *name);

/** How many sizes a kind needs at least and takes at most, and what size k is
    where it is not given. */
void generator_size_counts(int kind, int *least, int *most);
int64_t generator_default_size(int kind, int k);

/** What sizes the kind can have, in words: of the first that it cannot have,
    or of all together. */
void generator_limits(int kind, const recipe *r, char *text, size_t length);

/** Make A; free it with spgemm_csr_destroy(). On failure A is as it was.
    INVALID: sizes that cannot be. */
spgemm_status generate(spgemm_csr *A, int kind, const recipe *r);

#endif
