/* SPDX-License-Identifier: BSD-3-Clause */
/* Which format a name asks for. */
#include "result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "message.h"
#include "mtx_stream.h"
#include "npz_write.h"
#include "place.h"
#include "progress.h"
#include "spgemm/mtx.h"
#include "status.h"
#include "target.h"

enum { LONGEST_EXTENSION = 8 };

struct result_stream {
    mtx_stream *mtx; /* one of them */
    npz_stream *npz;
};

/* What follows the last dot of a path's name; "" where nothing does that is as
   short as an extension: mktemp makes tmp.Xa81kQz20b. */
static const char *extension(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const bool is_extension =
        dot && dot > name && strlen(dot + 1) <= LONGEST_EXTENSION;
    return is_extension ? dot + 1 : "";
}

static bool is_npz(const char *path)
{
    return strcasecmp(extension(path), "npz") == 0;
}

int result_check(const char *path, const char *const *inputs, int ninputs)
{
    const char *asked = extension(path);
    if (*asked && !is_npz(path) && strcasecmp(asked, "mtx") != 0)
        return message(TOOL_USAGE,
                       "%s: files that end in .%s are not written, only .mtx, "
                       "which is Matrix Market, as is a name without an "
                       "extension, and .npz, for SciPy",
                       path, asked);
    for (int k = 0; k < ninputs; k++)
        if (place_is_same(path, inputs[k]))
            return message(TOOL_USAGE,
                           "%s is an operand: it is not overwritten; give "
                           "--output another name",
                           path);
    return TOOL_OK;
}

static int put(void *context, const char *text, size_t length)
{
    return target_write(context, text, length) ? 0 : -1;
}

static int write_mtx(const spgemm_csr *A, const char *path)
{
    target t;
    int end = target_open(&t, path);
    if (end != TOOL_OK)
        return end;
    errno = 0;
    progress_begin("writing");
    const spgemm_status status = spgemm_mtx_write(A, put, &t);
    if (status == SPGEMM_ERROR_IO)
        end = message_system(t.name);
    else if (status < 0)
        end = message_failure(t.name, status);
    end = target_close(&t, end);
    progress_end();
    return end;
}

int result_write(const spgemm_csr *A, const char *path)
{
    return is_npz(path) ? npz_write(A, path) : write_mtx(A, path);
}

int result_stream_open(result_stream **stream, const char *path, int64_t nrows,
                       int64_t ncols, spgemm_index_type index_type,
                       spgemm_value_type value_type)
{
    result_stream *made = calloc(1, sizeof *made);
    if (!made)
        return message_failure(path, SPGEMM_ERROR_OUT_OF_MEMORY);
    const int status =
        is_npz(path)
            ? npz_stream_open(&made->npz, path, nrows, ncols, index_type,
                              value_type)
            : mtx_stream_open(&made->mtx, path, nrows, ncols, value_type);
    if (status == TOOL_OK)
        *stream = made;
    else
        free(made);
    return status;
}

int result_stream_rows(result_stream *stream, const spgemm_csr *rows)
{
    return stream->npz ? npz_stream_rows(stream->npz, rows)
                       : mtx_stream_rows(stream->mtx, rows);
}

int result_stream_close(result_stream *stream)
{
    const int status = stream->npz ? npz_stream_close(stream->npz)
                                   : mtx_stream_close(stream->mtx);
    free(stream);
    return status;
}

void result_stream_abandon(result_stream *stream)
{
    if (!stream)
        return;
    npz_stream_abandon(stream->npz);
    mtx_stream_abandon(stream->mtx);
    free(stream);
}

int result_finish(int status)
{
    errno = 0;
    const bool is_lost =
        fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0;
    if (!is_lost || status != TOOL_OK)
        return status;
    if (errno == 0)
        errno = EIO; /* something before, whose reason is forgotten */
    return message_system("standard output");
}
