/* SPDX-License-Identifier: BSD-3-Clause */
/* A matrix in memory that two processes share: sizes, rowptr, values, colidx. */
#include "shared.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZES = 4 }; /* nrows, ncols, nnz, flags */

int shared_file(void)
{
    return memfd_create("spgemm-bench", MFD_CLOEXEC);
}

static bool map(shared_matrix *m, int file)
{
    void *block =
        mmap(NULL, m->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    m->block = block == MAP_FAILED ? NULL : block;
    return m->block;
}

static void view(shared_matrix *m)
{
    int64_t *sizes = m->block;
    int64_t *rowptr = sizes + SIZES;
    double *values = (double *)(rowptr + sizes[0] + 1);
    m->matrix = (spgemm_csr){.nrows = sizes[0],
                             .ncols = sizes[1],
                             .nnz = sizes[2],
                             .rowptr = rowptr,
                             .colidx = values + sizes[2],
                             .values = values,
                             .flags = (uint32_t)sizes[3]};
}

bool shared_create(shared_matrix *m, int file, int64_t nrows, int64_t ncols,
                   int64_t nnz)
{
    *m = (shared_matrix){.bytes =
                             (size_t)(SIZES + nrows + 1) * sizeof(int64_t) +
                             (size_t)nnz * (sizeof(double) + sizeof(int32_t))};
    if (ftruncate(file, 0) != 0 || ftruncate(file, (off_t)m->bytes) != 0 ||
        !map(m, file))
        return false;
    int64_t *sizes = m->block;
    sizes[0] = nrows;
    sizes[1] = ncols;
    sizes[2] = nnz;
    sizes[3] = 0;
    view(m);
    return true;
}

bool shared_open(shared_matrix *m, int file)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return false;
    *m = (shared_matrix){.bytes = (size_t)status.st_size};
    if (m->bytes < SIZES * sizeof(int64_t) || !map(m, file))
        return false;
    view(m);
    return true;
}

void shared_close(shared_matrix *m)
{
    if (m->block)
        munmap(m->block, m->bytes);
    *m = (shared_matrix){0};
}

bool shared_clear(int file)
{
    return ftruncate(file, 0) == 0;
}
