/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of this adapter, read from PETSc's database. */
#include "settings.h"

/* MatPtAP() by two products, against PETSc's own, two cores, of about 3600
   products a row 1.4 to 2.0 times as fast, of 90 and 24 as fast or slower, 0.86
   at the least: multigrid.c of elasticity is above, of Poisson's equation below. */
static const PetscReal PTAP_PRODUCTS = 200;

PetscErrorCode settings_read(MPI_Comm comm, const char *prefix, settings *s)
{
    PetscFunctionBegin;
    *s = (settings){.nthreads = 1, .ptap_products = PTAP_PRODUCTS};
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
        "Products of A P, a row, from which on P^T A P is of libspgemm",
        "SpgemmPetscUse", s->ptap_products, &s->ptap_products, NULL));
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
