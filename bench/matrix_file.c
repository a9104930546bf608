/* SPDX-License-Identifier: BSD-3-Clause */
/* Compressed files are read by the command's code, where that is built. */
#include "matrix_file.h"

#include <inttypes.h>
#include <stdio.h>

#include "spgemm/mtx.h"
#ifdef BENCH_ARCHIVES
#include "source.h"
#endif

static spgemm_status read_text(spgemm_csr *A, const char *path,
                               const spgemm_mtx_options *options,
                               spgemm_mtx_error *error)
{
#ifdef BENCH_ARCHIVES
    static source file;
    const spgemm_mtx_source text = {&file, source_read, source_why};
    spgemm_status status = SPGEMM_ERROR_IO;
    const budget limits = budget_make(0);
    if (source_open(&file, path, &limits))
        status = spgemm_mtx_read(A, &text, options, error);
    else
        snprintf(error->text, sizeof error->text, "%s", file.why);
    source_close(&file);
    return status;
#else
    return spgemm_mtx_read_file(A, path, options, error);
#endif
}

bool matrix_file_read(spgemm_csr *A, const char *path, int nthreads,
                      char why[MATRIX_FILE_WHY_BYTES])
{
    char place[32] = "";
    const spgemm_mtx_options options = {.nthreads = nthreads};
    spgemm_mtx_error error = {0};
    const spgemm_status status = read_text(A, path, &options, &error);
    const char *text =
        error.text[0] ? error.text : spgemm_status_string(status);
    if (status == SPGEMM_SUCCESS) {
        if (A->index_type == SPGEMM_I32 && A->value_type == SPGEMM_FP64)
            return true;
        text = A->value_type == SPGEMM_FP64 ? "has 2^31 columns or more"
                                            : "has complex values";
        spgemm_csr_destroy(A);
    }
    if (error.line > 0)
        snprintf(place, sizeof place, ":%" PRId64, error.line);
    snprintf(why, MATRIX_FILE_WHY_BYTES, "%.512s%s: %.256s", path, place, text);
    return false;
}
