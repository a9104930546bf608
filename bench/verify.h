/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether C = A*B. */
#ifndef BENCH_VERIFY_H
#define BENCH_VERIFY_H

#include <stdbool.h>

#include "spgemm/spgemm.h"

/** What a C is held against. */
typedef struct reference {
    spgemm_csr C;
    spgemm_csr bound; /* |A||B|; zeroed: C itself, A and B being positive */
    int64_t products;
} reference;

/** Multiply by this library, after counting; false: it cannot be. */
bool reference_create(reference *r, const spgemm_csr *A, const spgemm_csr *B);
void reference_destroy(reference *r);

/**
 * Compare C with the reference; sorts C's rows. NULL: it is right.
 *
 * An entry may be off by 1e-10 of the sum of its |products|. An entry that is
 * stored on one side only counts as zero on the other: some libraries drop the
 * zeros of cancellation, some store zeros on the diagonal.
 */
const char *verify(const reference *r, spgemm_csr *C, spgemm_row_order order);

#endif
