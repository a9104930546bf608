/* SPDX-License-Identifier: BSD-3-Clause */
#include "typed.h"

#include <string.h>

spgemm_value_type typed_type(int number)
{
    if (number < SPGEMM_VALUE_TYPE_COUNT)
        return (spgemm_value_type)number;
    return number == SPGEMM_VALUE_TYPE_COUNT ? SPGEMM_ELEMENTS(3)
                                             : SPGEMM_ELEMENTS(24);
}

spgemm_csr numbered_copy(const spgemm_csr *A)
{
    spgemm_csr copy = copy_csr(A);
    double *values = copy.values;
    for (int64_t p = 0; p < A->nnz; p++)
        values[p] = (double)p;
    return copy;
}

spgemm_csr typed_copy(const spgemm_csr *A, spgemm_value_type type)
{
    const size_t size = spgemm_value_bytes(type);
    spgemm_csr pattern = pattern_of(A);
    spgemm_csr copy = copy_csr(&pattern);
    unsigned char *bytes = must_allocate(A->nnz, size);
    for (size_t t = 0; t < (size_t)A->nnz * size; t++)
        bytes[t] = (unsigned char)(t * 167 + t / 253 * 11 + t / 65537);
    copy.value_type = type;
    copy.values = bytes;
    return copy;
}

spgemm_csr pattern_of(const spgemm_csr *A)
{
    spgemm_csr pattern = *A;
    pattern.values = NULL;
    return pattern;
}

static bool same_structure(const spgemm_csr *got, const spgemm_csr *want)
{
    spgemm_csr x = pattern_of(got);
    spgemm_csr y = pattern_of(want);
    x.value_type = y.value_type;
    return spgemm_csr_equal(&x, &y);
}

bool elements_agree(const spgemm_csr *got, const spgemm_csr *from,
                    const spgemm_csr *places)
{
    const size_t size = spgemm_value_bytes(from->value_type);
    if (!same_structure(got, places) || got->value_type != from->value_type ||
        !got->values != !from->values)
        return false;
    for (int64_t q = 0; from->values && q < got->nnz; q++) {
        const size_t place = (size_t)value_of(places, q);
        if (memcmp((const char *)got->values + (size_t)q * size,
                   (const char *)from->values + place * size, size) != 0)
            return false;
    }
    return true;
}
