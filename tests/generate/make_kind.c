/* SPDX-License-Identifier: BSD-3-Clause */
#include "make_kind.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kind.h"
#include "spgemm/predict.h"

spgemm_status try_kind(spgemm_csr *A, const char *text)
{
    char words[128];
    char *rest;
    int most;
    int least;
    int given = 0;
    recipe r = {0};
    snprintf(words, sizeof words, "%s", text);
    const int kind = generator_find(strtok_r(words, " ", &rest));
    cr_assert_geq(kind, 0, "%s", text);
    for (char *word; (word = strtok_r(NULL, " ", &rest));) {
        if (strcmp(word, "--transpose") == 0)
            r.is_transposed = true;
        else if (strcmp(word, "--reals") == 0)
            r.has_reals = true;
        else if (strcmp(word, "--dofs") == 0)
            r.dofs = atoll(strtok_r(NULL, " ", &rest));
        else if (strcmp(word, "--seed") == 0)
            r.seed = (uint64_t)atoll(strtok_r(NULL, " ", &rest));
        else
            r.sizes[given++] = atoll(word);
    }
    generator_size_counts(kind, &least, &most);
    cr_assert(given >= least && given <= most, "%s", text);
    for (; given < most; given++)
        r.sizes[given] = generator_default_size(kind, given);
    return generate(A, kind, &r);
}

spgemm_csr make_kind(const char *text)
{
    spgemm_csr A = {0};
    const spgemm_status status = try_kind(&A, text);
    cr_assert_eq(status, SPGEMM_SUCCESS, "%s: %s", text,
                 spgemm_status_string(status));
    cr_assert(A.flags & SPGEMM_SORTED_ROWS, "%s", text);
    cr_assert_eq(spgemm_csr_check(&A, NULL), SPGEMM_SUCCESS, "%s", text);
    return A;
}

int64_t longest_row(const spgemm_csr *A)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < A->nrows; i++)
        if (A->rowptr[i + 1] - A->rowptr[i] > longest)
            longest = A->rowptr[i + 1] - A->rowptr[i];
    return longest;
}

bool has_entry(const spgemm_csr *A, int64_t i, int64_t j)
{
    const int32_t *columns = A->colidx;
    for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
        if (columns[p] == j)
            return true;
    return false;
}

bool has_symmetric_places(const spgemm_csr *A)
{
    const int32_t *columns = A->colidx;
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            if (!has_entry(A, columns[p], i))
                return false;
    return A->nrows == A->ncols;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t hash_entries(const spgemm_csr *A)
{
    uint64_t sum = 0;
    const int32_t *columns = A->colidx;
    const double *values = A->values;
    for (int64_t i = 0; i < A->nrows; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            sum += mix(mix((uint64_t)(i * A->ncols + columns[p])) +
                       (uint64_t)llround(1e6 * values[p]));
    return sum;
}

void count_square(const spgemm_csr *A, int64_t *products, int64_t *nnz)
{
    spgemm_prediction counted = {0};
    const spgemm_options options = {.predict.method = SPGEMM_PREDICTOR_PRECISE};
    cr_assert_eq(spgemm_predict(&counted, A, A, &options, NULL),
                 SPGEMM_SUCCESS);
    *products = counted.products;
    *nnz = (int64_t)counted.nnz;
}
