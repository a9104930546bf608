/* SPDX-License-Identifier: BSD-3-Clause */
/* acc(j) += a x(j) over the columns j of a row. */
#ifndef SPGEMM_PETSC_SUMS_H
#define SPGEMM_PETSC_SUMS_H

#include <petscsys.h>

#include <stdbool.h>
#include <string.h>

#include "seqaij.h"

/* Compiled for registers of any width that there may be: bits do not change. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define EACH_CPU __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EACH_CPU
#endif

/* Columns that are added together where they are in a row. */
enum { RUN = 4 };

static inline void sums_add(PetscScalar *restrict acc,
                            const PetscInt *restrict column,
                            const PetscScalar *restrict x, PetscInt count,
                            PetscScalar a)
{
    for (PetscInt q = 0; q < count; q++)
        acc[column[q]] += a * x[q];
}

/* at(u) += a x(u). */
static inline void sums_add_run(PetscScalar *at, const PetscScalar *x,
                                PetscScalar a)
{
#if defined(PETSC_USE_COMPLEX)
    for (int u = 0; u < RUN; u++)
        at[u] += a * x[u];
#else
    typedef PetscScalar vector
        __attribute__((vector_size(RUN * sizeof(PetscScalar))));
    vector sum;
    vector factor;
    memcpy(&sum, at, sizeof(sum));
    memcpy(&factor, x, sizeof(factor));
    sum += a * factor;
    memcpy(at, &sum, sizeof(sum));
#endif
}

/* The same of columns that increase: four at a time where they are in a row. */
static inline void sums_add_runs(PetscScalar *restrict acc,
                                 const PetscInt *restrict column,
                                 const PetscScalar *restrict x, PetscInt count,
                                 PetscScalar a)
{
    PetscInt q = 0;
    while (q + RUN <= count) {
        if (column[q + RUN - 1] - column[q] != RUN - 1) {
            acc[column[q]] += a * x[q];
            q++;
            continue;
        }
        sums_add_run(acc + column[q], x + q, a);
        q += RUN;
    }
    for (; q < count; q++)
        acc[column[q]] += a * x[q];
}

/* acc += the sum of A(i,k) B(k,:) over A's entries [begin, end), which are of one row;
   B has runs, or is taken as if it had none. */
static inline void sums_add_rows(PetscScalar *restrict acc, const aij *A,
                                 PetscInt begin, PetscInt end, const aij *B,
                                 bool has_runs)
{
    for (PetscInt p = begin; p < end; p++) {
        const PetscInt q = B->rowptr[A->colidx[p]];
        const PetscInt count = B->rowptr[A->colidx[p] + 1] - q;
        if (has_runs)
            sums_add_runs(acc, B->colidx + q, B->values + q, count,
                          A->values[p]);
        else
            sums_add(acc, B->colidx + q, B->values + q, count, A->values[p]);
    }
}

/* Whether columns increase in each row, and most of them are in runs. */
bool sums_have_runs(const aij *B);

#endif
