/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns narrowed once C is predicted: where 4 bytes an entry of A and B, with all
   else that a call holds, are within a tenth of C and 32 MB. */
#include "common/try.h"
#include "spgemm/pipeline/call.h"

/* What a call may hold beyond C: a tenth of it, and as much. */
#define SHARE_OF_C   0.1
#define BEYOND_BYTES 32e6

/* Of which a thread takes, with its chunks and its accumulator. */
#define THREAD_BYTES 4e6

/* Whether A and B are what is multiplied, and nothing else has columns. */
static bool is_plain(const spgemm_options *options)
{
    const spgemm_product_options *product = &options->product;
    return product->op_a == SPGEMM_OP_NONE && product->op_b == SPGEMM_OP_NONE &&
           !product->rows && !product->cols && !product->D &&
           !options->filter.mask;
}

bool spgemm_call_narrows_later(const entry_point *self, const spgemm_csr *A,
                               const spgemm_csr *B,
                               const spgemm_options *options)
{
    return self->narrows_later && is_plain(options) &&
           spgemm_narrow_bytes(A, B) > ANY_COPY_BYTES;
}

/* The kernels of 32-bit columns, for the same values and semiring. */
static kernels select_narrow(const call *c)
{
    kernels narrow;
    spgemm_call_find_kernels(c, &narrow, c->ops.A->value_type, SPGEMM_I32);
    return narrow;
}

/* Bytes that are left for copies, beside what is held and what is to come. */
static double room(const call *c, const kernels *narrow)
{
    const operands *ops = &c->ops;
    const double to_come =
        THREAD_BYTES * spgemm_call_team(c) +
        (ops->b_is_sorted
             ? spgemm_analysis_bytes(ops->A, ops->B, narrow, c->is_repeated)
             : 0.0);
    return BEYOND_BYTES +
           SHARE_OF_C * spgemm_call_bytes_of(c, c->prediction.nnz) - to_come -
           (double)atomic_load(&c->m.live_bytes);
}

/* Of both or of neither: what a limit has no room for is multiplied in another way,
   with the kernels of the columns that A and B have. */
static spgemm_status make_copies(call *c)
{
    const spgemm_csr *A = c->ops.A;
    const spgemm_csr *B = c->ops.B;
    const spgemm_status status = spgemm_narrow_make(
        &c->narrow, &A, &B, false, c->options.resources.nthreads, &c->m);
    if (status != SPGEMM_SUCCESS) {
        spgemm_narrow_clear(&c->narrow, &c->m);
        return status;
    }
    c->ops.A = A;
    c->ops.B = B;
    return SPGEMM_SUCCESS;
}

spgemm_status spgemm_call_narrow(call *c)
{
    spgemm_status status = SPGEMM_SUCCESS;
    if (!c->narrows_later)
        return status;
    const kernels narrow = select_narrow(c);
    if (spgemm_narrow_bytes(c->ops.A, c->ops.B) > room(c, &narrow))
        return status;
    status = make_copies(c);
    if (status != SPGEMM_SUCCESS)
        return status;
    c->narrow.A.flags |= c->a_is_sorted ? SPGEMM_SORTED_ROWS : 0u;
    if (c->ops.A != c->ops.B)
        c->narrow.B.flags |= c->ops.b_is_sorted ? SPGEMM_SORTED_ROWS : 0u;
    c->selected = narrow;
    SPGEMM_TRY(spgemm_call_analyze(c));

cleanup:
    return status;
}
