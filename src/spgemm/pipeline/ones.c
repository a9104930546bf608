/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of truths every sum of which is true: of those that are stored where they
   are true alone. "+" and "*" of any semiring make true of true. */
#include "spgemm/pipeline/ones.h"

#include <string.h>

#include "common/checked.h"
#include "semiring/semiring.h"
#include "spgemm/pipeline/check_options.h"

/* Values are looked at where they are at most so many for each entry of A, each of
   which costs a product more than that. */
#define VALUES_OF_ENTRY 16

/* Whether no value that is read is false. X is not checked yet: values that its row
   pointers do not vouch for need not be there. */
static bool is_true(const spgemm_csr *X, bool is_read)
{
    if (!is_read || X->nnz == 0)
        return true;
    return X->rowptr[X->nrows] == X->nnz &&
           !memchr(X->values, 0, (size_t)X->nnz);
}

/* Whether that is less work than the product is sure to be. */
static bool is_cheap(const spgemm_csr *A, const spgemm_csr *B,
                     const spgemm_options *options)
{
    return !options->product.rows && !options->product.cols &&
           B->nnz / VALUES_OF_ENTRY <= A->nnz;
}

bool spgemm_sums_are_one(const spgemm_csr *A, const spgemm_csr *B,
                         const spgemm_options *options)
{
    const spgemm_semiring semiring = options->product.semiring;
    if (semiring == SPGEMM_USER || spgemm_options_read_values(options))
        return false;
    const bool reads_a = spgemm_semiring_reads_a(semiring);
    const bool reads_b = spgemm_semiring_reads_b(semiring);
    return A->value_type == SPGEMM_BOOL && is_cheap(A, B, options) &&
           is_true(A, reads_a) && is_true(B, reads_b && !(A == B && reads_a));
}
