/* SPDX-License-Identifier: BSD-3-Clause */
/* Two matrices, cut such that they can be multiplied. */
#ifndef BENCH_CROP_H
#define BENCH_CROP_H

#include "spgemm/spgemm.h"

enum { CROP_WORD_BYTES = 80 };

typedef struct crop {
    spgemm_csr part;            /* of what was cut; zeroed: nothing was */
    const spgemm_csr *A;        /* as given, or &part */
    const spgemm_csr *B;        /* as given, or &part */
    char word[CROP_WORD_BYTES]; /* "none", "A columns 5 of 10" */
} crop;

/**
 * The left columns of A where A has more columns than B rows; the top rows of
 * B where it has fewer: section V-A of Du et al., arXiv:2207.13848.
 *
 * Rows of A are sorted; A and B outlive the crop. Clear it whatever it returns.
 */
spgemm_status crop_pair(crop *c, const spgemm_csr *A, const spgemm_csr *B);
void crop_clear(crop *c);

#endif
