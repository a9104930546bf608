/* SPDX-License-Identifier: BSD-3-Clause */
/* A pattern is 64 bits: the sum of its row pointers, columns, shape and types. */
#include "spgemm/plan_patterns.h"

#include "common/refusal.h"

/* Whether the arrays are as long as they say: others must not be summed. */
static bool is_summable(const spgemm_csr *X, const char *name)
{
    return spgemm_csr_check_header(X, name) == SPGEMM_SUCCESS &&
           spgemm_csr_check_structure(X, name) == SPGEMM_SUCCESS &&
           X->rowptr[X->nrows] == X->nnz;
}

static uint64_t sum_of(const spgemm_csr *X, int nthreads)
{
    return X ? spgemm_csr_checksum(X, nthreads) : 0;
}

static uint64_t sum_list(const int64_t *list, int64_t count)
{
    return list ? spgemm_bytes_checksum(list, count * (int64_t)sizeof *list, 1)
                : 0;
}

patterns spgemm_patterns_of(const spgemm_csr *A, const spgemm_csr *B,
                            const spgemm_options *options)
{
    const int nthreads = options->resources.nthreads;
    const uint64_t of_A = sum_of(A, nthreads);
    return (patterns){
        .A = of_A,
        .B = A == B ? of_A : sum_of(B, nthreads),
        .mask = sum_of(options->filter.mask, nthreads),
        .D = sum_of(options->product.D, nthreads),
        .rows = sum_list(options->product.rows, options->product.nrows),
        .cols = sum_list(options->product.cols, options->product.ncols)};
}

spgemm_status spgemm_refuse_pattern(const char *name, const char *what)
{
    return spgemm_refuse(SPGEMM_ERROR_PATTERN,
                         "%s is not what was planned for: its %s", name, what);
}

spgemm_status spgemm_patterns_check(const patterns *then, const spgemm_csr *A,
                                    const spgemm_csr *B,
                                    const spgemm_options *options)
{
    const struct {
        const spgemm_csr *X;
        const char *name;
    } given[] = {{A, "A"},
                 {B, "B"},
                 {options->filter.mask, "mask"},
                 {options->product.D, "D"}};
    for (size_t t = 0; t < sizeof given / sizeof *given; t++)
        if (given[t].X && !is_summable(given[t].X, given[t].name))
            return SPGEMM_ERROR_PATTERN;
    const patterns now = spgemm_patterns_of(A, B, options);
    const char *name = now.A != then->A         ? "A"
                       : now.B != then->B       ? "B"
                       : now.mask != then->mask ? "options.filter.mask"
                       : now.D != then->D       ? "options.product.D"
                       : now.rows != then->rows ? "options.product.rows"
                       : now.cols != then->cols ? "options.product.cols"
                                                : NULL;
    return name ? spgemm_refuse_pattern(name, "shape, types or pattern")
                : SPGEMM_SUCCESS;
}
