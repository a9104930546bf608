/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops over entries of any type: written once, compiled for each type of
   columns and each usual size of values. */
#ifndef SPGEMM_MATRIX_ANY_TYPE_H
#define SPGEMM_MATRIX_ANY_TYPE_H

#include <string.h>

#include "matrix/csr.h"

/* to[q] = from[p], of elements of `size` bytes: one move where that is a
   constant, nothing where it is 0. */
static ALWAYS_INLINE void copy_element(void *to, int64_t q, const void *from,
                                       int64_t p, size_t size)
{
    if (size > 0)
        memcpy((char *)to + (size_t)q * size,
               (const char *)from + (size_t)p * size, size);
}

/* The same for n elements from q and p on. */
static ALWAYS_INLINE void copy_elements(void *to, int64_t q, const void *from,
                                        int64_t p, int64_t n, size_t size)
{
    if (n > 0 && size > 0)
        memcpy((char *)to + (size_t)q * size,
               (const char *)from + (size_t)p * size, (size_t)n * size);
}

/* A loop, which must be inline: is_wide and size are constants in it. */
typedef void typed_loop(void *context, bool is_wide, size_t size);

static ALWAYS_INLINE void run_sized(typed_loop *loop, void *context,
                                    bool is_wide, size_t size)
{
    switch (size) {
    case 0:
        loop(context, is_wide, 0);
        break;
    case 1:
        loop(context, is_wide, 1);
        break;
    case 4:
        loop(context, is_wide, 4);
        break;
    case 8:
        loop(context, is_wide, 8);
        break;
    case 16:
        loop(context, is_wide, 16);
        break;
    default:
        loop(context, is_wide, size);
    }
}

/* The loop for entries as A has them; size 0 where A is a pattern. */
static ALWAYS_INLINE void run_typed(typed_loop *loop, void *context,
                                    const spgemm_csr *A)
{
    const size_t size = spgemm_csr_element_size(A);
    if (A->index_type == SPGEMM_I64)
        run_sized(loop, context, true, size);
    else
        run_sized(loop, context, false, size);
}

#endif
