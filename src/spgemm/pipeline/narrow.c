/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns in [0, 2^31) are computed with in 32 bits, whatever they come in. */
#include "spgemm/pipeline/narrow.h"

#include "common/try.h"
#include "matrix/csr_narrow.h"
#include "spgemm/pipeline/operands.h"

/* Of a smaller share of op(A)'s rows, or with entries for a smaller share of op(B)'s,
   the product may take less than to narrow all entries of A and B. */
#define LEAST_SHARE 0.125

/* That a machine has memory for: who claims more is refused when products are
   counted. */
#define MOST_ENTRIES ((int64_t)1 << 44)

/* Whether 32 bits will do for a matrix that is not checked yet, and its row pointers,
   where they are there, tell of as many columns as are to be read. */
static bool is_narrowable(const spgemm_csr *X)
{
    return X && X->index_type == SPGEMM_I64 && X->nrows >= 0 &&
           spgemm_csr_is_narrow(X) && X->nnz <= MOST_ENTRIES &&
           (!X->rowptr || X->rowptr[X->nrows] == X->nnz);
}

/* Whether the product takes a good part of both. */
static bool takes_enough(const spgemm_csr *A, const spgemm_csr *B,
                         const spgemm_product_options *product)
{
    const double nrows = (double)op_nrows(A, product->op_a);
    const double share = product->rows ? (double)product->nrows / nrows : 1.0;
    return share >= LEAST_SHARE &&
           share * (double)A->nnz >=
               LEAST_SHARE * (double)op_nrows(B, product->op_b);
}

/* A prediction of matrices that are not checked looks at a few entries. */
static bool looks_at_few(const spgemm_options *options, bool multiplies)
{
    return !multiplies && options->resources.input_check == SPGEMM_CHECK_NONE &&
           options->predict.method != SPGEMM_PREDICTOR_PRECISE;
}

bool spgemm_narrow_pays(const spgemm_csr *A, const spgemm_csr *B,
                        const spgemm_options *options, bool multiplies)
{
    return is_narrowable(A) && is_narrowable(B) &&
           takes_enough(A, B, &options->product) &&
           !looks_at_few(options, multiplies);
}

/* Whether one copy will do for both. */
static bool share_columns(const spgemm_csr *A, const spgemm_csr *B)
{
    return A->colidx == B->colidx && A->nnz == B->nnz;
}

double spgemm_narrow_bytes(const spgemm_csr *A, const spgemm_csr *B)
{
    const double entries = (double)A->nnz;
    return (double)sizeof(int32_t) *
           (share_columns(A, B) ? entries : entries + (double)B->nnz);
}

spgemm_status spgemm_narrow_make(narrow_operands *n, const spgemm_csr **A,
                                 const spgemm_csr **B, bool b_is_to_come,
                                 int nthreads, memory *m)
{
    spgemm_status status = SPGEMM_SUCCESS;
    const spgemm_csr *left = *A;
    const spgemm_csr *right = *B;
    SPGEMM_TRY(spgemm_csr_narrow(&n->A, left, nthreads, m));
    *A = &n->A;
    if (b_is_to_come)
        return status;
    if (left == right) {
        *B = *A;
        return status;
    }
    n->is_shared = share_columns(left, right);
    if (n->is_shared)
        n->B = spgemm_csr_with_columns(right, n->A.colidx);
    else
        SPGEMM_TRY(spgemm_csr_narrow(&n->B, right, nthreads, m));
    *B = &n->B;

cleanup:
    return status;
}

void spgemm_narrow_again(narrow_operands *n, const narrow_operands *known,
                         const spgemm_csr **A, const spgemm_csr **B)
{
    const spgemm_csr *left = *A;
    const spgemm_csr *right = *B;
    if (!known->A.colidx)
        return;
    const spgemm_csr *of_B = known->B.colidx ? &known->B : &known->A;
    n->A = spgemm_csr_with_columns(left, known->A.colidx);
    n->B = spgemm_csr_with_columns(right, of_B->colidx);
    *A = &n->A;
    *B = left == right ? &n->A : &n->B;
}

void spgemm_narrow_clear(narrow_operands *n, memory *m)
{
    if (!n->is_shared)
        spgemm_csr_narrow_clear(&n->B, m);
    spgemm_csr_narrow_clear(&n->A, m);
    *n = (narrow_operands){0};
}
