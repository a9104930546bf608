/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of this adapter, read from PETSc's database. */
#include "settings.h"

/* A plan takes as long as three to twelve repetitions save. */
static const PetscInt PLAN_AFTER = 8;

PetscErrorCode settings_read(MPI_Comm comm, const char *prefix, settings *s)
{
    PetscFunctionBegin;
    *s = (settings){
        .nthreads = 1, .ptap_products = PETSC_DECIDE, .plan_after = PLAN_AFTER};
    PetscOptionsBegin(comm, prefix, "Sparse products by libspgemm", "Mat");
    PetscCall(PetscOptionsBoundedInt(
        "-spgemm_threads", "Threads of each rank, 0: all of OpenMP",
        "SpgemmPetscUse", s->nthreads, &s->nthreads, NULL, 0));
    PetscCall(PetscOptionsReal(
        "-spgemm_memory_limit",
        "Bytes a product may hold on all ranks together, 0: no limit",
        "SpgemmPetscUse", s->memory_limit, &s->memory_limit, NULL));
    PetscCall(PetscOptionsReal(
        "-spgemm_ptap_products",
        "Products of A P, a row, from which on P^T A P is of libspgemm; less "
        "than 0: 16 on one rank, 64 on several, where a million are in all",
        "SpgemmPetscUse", s->ptap_products, &s->ptap_products, NULL));
    PetscCall(PetscOptionsInt(
        "-spgemm_plan_after",
        "Times that values of A*B are found again before a plan is made; less "
        "than 0: never",
        "SpgemmPetscUse", s->plan_after, &s->plan_after, NULL));
    PetscCall(PetscOptionsBool(
        "-spgemm_view", "Print of each product what was predicted and done",
        "SpgemmPetscUse", s->view, &s->view, NULL));
    PetscOptionsEnd();
    PetscCall(PetscOptionsGetBool(NULL, prefix, "-mat_product_clear", &s->clear,
                                  NULL));
    PetscCheck(s->memory_limit >= 0, comm, PETSC_ERR_ARG_OUTOFRANGE,
               "-spgemm_memory_limit is %g, and must be at least 0",
               (double)s->memory_limit);
    PetscFunctionReturn(0);
}

spgemm_options settings_options(const settings *s)
{
    return (spgemm_options){
        .resources.nthreads = (int)s->nthreads,
        .resources.memory_limit_bytes =
            (size_t)PetscMin(s->memory_limit, 0x1p62),
    };
}
