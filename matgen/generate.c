/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix is a function of its kind, its sizes and a seed: the kind says where
   entries are, and the value at (i,j) is a function of the place and the seed
   unless the kind has values of its own. */
#include "generate.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/checked.h"
#include "kind.h"

#define KIND(name) extern const matrix_kind kind_##name;
#include "kinds.def"
#undef KIND

#define KIND(name) &kind_##name,
static const matrix_kind *const kinds[] = {
#include "kinds.def"
};
#undef KIND

enum { NKINDS = sizeof kinds / sizeof *kinds };

const char *generator_name(int k)
{
    return k < NKINDS ? kinds[k]->name : NULL;
}

const char *generator_help(int k)
{
    return k < NKINDS ? kinds[k]->help : NULL;
}

int generator_find(const char *name)
{
    for (int k = 0; k < NKINDS; k++)
        if (strcmp(kinds[k]->name, name) == 0)
            return k;
    return -1;
}

/* ---- Sizes --------------------------------------------------------------- */

void generator_size_counts(int kind, int *least, int *most)
{
    const size_range *sizes = kinds[kind]->sizes;
    *least = 0;
    *most = 0;
    for (int k = 0; k < GENERATOR_SIZES && sizes[k].name; k++) {
        *most = k + 1;
        if (sizes[k].fallback == MUST_BE_GIVEN)
            *least = k + 1;
    }
}

int64_t generator_default_size(int kind, int k)
{
    return kinds[kind]->sizes[k].fallback;
}

/* The first size that is out of its range, or NULL. */
static const size_range *find_fault(const matrix_kind *kind, const recipe *r)
{
    for (int k = 0; k < GENERATOR_SIZES && kind->sizes[k].name; k++)
        if (r->sizes[k] < kind->sizes[k].least ||
            r->sizes[k] > kind->sizes[k].most)
            return &kind->sizes[k];
    return NULL;
}

void generator_limits(int kind, const recipe *r, char *text, size_t length)
{
    const size_range *fault = find_fault(kinds[kind], r);
    if (fault)
        snprintf(text, length, "%s is in %" PRId64 "..%" PRId64, fault->name,
                 fault->least, fault->most);
    else
        snprintf(text, length, "a matrix has 1..%d rows and columns",
                 MOST_ROWS);
}

/* ---- Values, shape ------------------------------------------------------- */

static void fill_values(spgemm_csr *A, const recipe *r)
{
    const uint64_t seed = stream_seed(r, STREAM_VALUES);
    const int32_t *columns = A->colidx;
    double *values = A->values;
    for (int64_t i = 0; i < A->nrows; i++) {
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
            const uint64_t place = (uint64_t)(i * A->ncols + columns[p]);
            values[p] = 1 + (r->has_reals ? rng_unit(seed, place)
                                          : (double)rng_below(seed, place, 9));
        }
    }
}

static spgemm_status transpose(spgemm_csr *A)
{
    spgemm_csr T;
    const spgemm_status status = spgemm_csr_transpose(&T, A);
    if (status < 0)
        return status;
    spgemm_csr_destroy(A);
    *A = T;
    return SPGEMM_SUCCESS;
}

spgemm_status generate(spgemm_csr *A, int kind, const recipe *r)
{
    const matrix_kind *const k = kinds[kind];
    recipe whole = *r;
    spgemm_csr made;
    if (find_fault(k, r) || r->dofs < 0)
        return SPGEMM_ERROR_INVALID;
    if (whole.dofs == 0)
        whole.dofs = max_i64(k->dofs, 1);
    spgemm_status status = k->make(&made, &whole);
    if (status < 0)
        return status;
    if (!k->has_own_values)
        fill_values(&made, r);
    if (r->is_transposed)
        status = transpose(&made);
    if (status < 0)
        spgemm_csr_destroy(&made);
    else
        *A = made;
    return status;
}
