/* SPDX-License-Identifier: BSD-3-Clause */
/* nnz(C) and its standard error: sums over ranks of what each predicts of its
   rows; samples of two ranks are independent, so that variances add up. */
#include "forecast.h"

#include <math.h>

#include <spgemm/predict.h>

enum { SUM_PRODUCTS, SUM_NNZ, SUM_VARIANCE, SUM_C_BYTES, SUM_HELD, SUM_COUNT };

/* Standard errors below the prediction at which C is refused for certain. */
static const double CERTAIN = 5.0;

static double matrix_bytes(const spgemm_csr *A)
{
    return 8.0 * (double)A->nrows + PETSC_ENTRY_BYTES * (double)A->nnz;
}

/* What was copied for this product. */
static double gathered_bytes(const factors *x)
{
    double sum = 0.0;
    for (int part = 0; part < x->nparts && x->is_copy; part++)
        sum += matrix_bytes(&x->A[part]) + matrix_bytes(&x->B[part]);
    return sum;
}

/* The limit is shared by the parts of C on all ranks as they are predicted. */
static PetscErrorCode share_limit(forecast *f, MPI_Comm comm, const settings *s,
                                  const double sum[], const double part_bytes[])
{
    PetscFunctionBegin;
    const double error = CERTAIN * f->standard_error * PETSC_ENTRY_BYTES;
    /* Where nobody knows the error, the product itself finds out. */
    PetscCheck(isnan(error) || f->bytes - error <= s->memory_limit, comm,
               PETSC_ERR_MEM,
               "spgemm: about %.3g bytes would be held on all ranks, %.3g "
               "entries of C (+- %.2g) among them, and -spgemm_memory_limit "
               "is %.3g",
               f->bytes, f->nnz, f->standard_error, (double)s->memory_limit);
    const double left = fmax(s->memory_limit - sum[SUM_HELD], 1.0);
    for (int part = 0; part < PART_COUNT; part++) {
        const double share = left * part_bytes[part] / sum[SUM_C_BYTES];
        f->limit_bytes[part] = (size_t)fmin(fmax(share, 1.0), 0x1p62);
    }
    PetscFunctionReturn(0);
}

PetscErrorCode forecast_make(forecast *f, MPI_Comm comm, const factors *x,
                             const settings *s, trouble *what)
{
    double sum[SUM_COUNT] = {0};
    double part_bytes[PART_COUNT] = {0};

    PetscFunctionBegin;
    *f = (forecast){0};
    for (int part = 0; part < x->nparts && what->status == SPGEMM_SUCCESS;
         part++) {
        spgemm_prediction said = {0};
        trouble_note(what,
                     spgemm_predict(&said, &x->A[part], &x->B[part],
                                    &(spgemm_options){.resources.nthreads =
                                                          (int)s->nthreads},
                                    NULL));
        part_bytes[part] = 16.0 * ((double)x->A[part].nrows + 1.0) +
                           PETSC_ENTRY_BYTES * said.nnz;
        sum[SUM_PRODUCTS] += (double)said.products;
        sum[SUM_NNZ] += said.nnz;
        sum[SUM_VARIANCE] += said.standard_error * said.standard_error;
        sum[SUM_C_BYTES] += part_bytes[part];
    }
    sum[SUM_HELD] = gathered_bytes(x);
    PetscCall(trouble_agree(comm, what));
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, sum, SUM_COUNT, MPI_DOUBLE, MPI_SUM, comm));
    f->products = sum[SUM_PRODUCTS];
    f->nnz = sum[SUM_NNZ];
    f->standard_error = sqrt(sum[SUM_VARIANCE]);
    f->bytes = sum[SUM_C_BYTES] + sum[SUM_HELD];
    if (s->memory_limit > 0)
        PetscCall(share_limit(f, comm, s, sum, part_bytes));
    PetscFunctionReturn(0);
}

PetscErrorCode forecast_view(const forecast *f, MPI_Comm comm,
                             const spgemm_report reports[], int nparts)
{
    double sum[2] = {0};
    double most = 0;
    char error[32] = "unknown";
    PetscMPIInt size;

    PetscFunctionBegin;
    if (!isnan(f->standard_error))
        PetscCall(
            PetscSNPrintf(error, sizeof(error), "%.0f", f->standard_error));
    for (int part = 0; part < nparts; part++) {
        sum[0] += (double)reports[part].nnz;
        sum[1] += (double)reports[part].c_bytes;
        most += (double)reports[part].peak_bytes;
    }
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_DOUBLE, MPI_SUM, comm));
    PetscCallMPI(
        MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, comm));
    PetscCallMPI(MPI_Comm_size(comm, &size));
    PetscCall(PetscPrintf(
        comm,
        "spgemm: %d rank(s), %d thread(s), %.0f products, entries predicted "
        "%.0f +- %s, found %.0f, C %.3g bytes, at most %.3g on one rank\n",
        size, reports[0].nthreads, f->products, f->nnz, error, sum[0], sum[1],
        most));
    PetscFunctionReturn(0);
}
