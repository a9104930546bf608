/* SPDX-License-Identifier: BSD-3-Clause */
/* Why a call must be refused, by a slow reading of the headers. */
#ifndef SPGEMM_TESTS_CROSS_CAUSES_H
#define SPGEMM_TESTS_CROSS_CAUSES_H

#include "crossing.h"

/** A set of statuses. */
typedef unsigned status_set;

static inline status_set status_bit(spgemm_status status)
{
    return 1u << -(int)status;
}

/** The statuses that a call may be refused by. */
typedef struct causes {
    status_set must; /* not empty: it is refused, by one of either */
    status_set may;
} causes;

causes causes_of(const crossing *x);

/** Of a matrix by itself; not of its values. 0: it is well formed. */
status_set causes_of_matrix(const spgemm_csr *X);

/** Whether C has values, where A and B may be multiplied. */
bool product_has_values(const crossing *x);

/** Shape of C, where A and B are fit to be multiplied. */
int64_t product_nrows(const crossing *x);
int64_t product_ncols(const crossing *x);

/** Whether an array of options.resources.out is another's, too, as far as C needs it. */
bool out_is_shared(const crossing *x);

#endif
