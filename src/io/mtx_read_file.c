/* SPDX-License-Identifier: BSD-3-Clause */
/* A plain file as a source of text. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common/refusal.h"
#include "io/mtx_error.h"
#include "spgemm/mtx.h"

typedef struct file {
    int descriptor;
    int fault; /* errno of the last read() that failed */
    char text[128];
} file;

static ptrdiff_t read_file(void *context, void *buffer, size_t size)
{
    file *f = context;
    ssize_t got;
    do {
        got = read(f->descriptor, buffer, size);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        f->fault = errno;
    return got;
}

/* The sentence for an errno; GNU's strerror_r() may or may not use *text. */
static const char *describe(file *f)
{
    return strerror_r(f->fault, f->text, sizeof f->text);
}

static const char *file_error_text(void *context)
{
    return describe(context);
}

spgemm_status spgemm_mtx_read_file(spgemm_csr *A, const char *path,
                                   const spgemm_mtx_options *options,
                                   spgemm_mtx_error *error)
{
    spgemm_mtx_error reason = {0};
    file f = {.descriptor = -1};
    const spgemm_mtx_source source = {&f, read_file, file_error_text};
    spgemm_status status = SPGEMM_SUCCESS;
    spgemm_refusal_begin();
    if (!path) {
        status =
            spgemm_mtx_fail(&reason, SPGEMM_ERROR_INVALID, 0, "path is NULL");
    } else if ((f.descriptor = open(path, O_RDONLY | O_CLOEXEC)) < 0) {
        f.fault = errno;
        status = spgemm_mtx_fail(&reason, SPGEMM_ERROR_IO, 0,
                                 "could not be opened: %s", describe(&f));
    } else {
        status = spgemm_mtx_read(A, &source, options, &reason);
        close(f.descriptor);
    }
    return spgemm_mtx_end(status, &reason, error);
}
