/* SPDX-License-Identifier: BSD-3-Clause */
/* Which format a name asks for. */
#include "result.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#include "message.h"
#include "npz_write.h"
#include "place.h"
#include "progress.h"
#include "spgemm/mtx.h"
#include "status.h"
#include "target.h"

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool result_ends(const char *path, const char *ending)
{
    const char *dot = strrchr(name_of(path), '.');
    return dot && strcasecmp(dot + 1, ending) == 0;
}

/* tmp.Xa81kQz20b, as mktemp has it where it is not told otherwise. */
static bool is_of_mktemp(const char *name)
{
    static const char begin[] = "tmp.";
    enum { LETTERS = 10 };
    return strncmp(name, begin, sizeof begin - 1) == 0 &&
           strlen(name) == sizeof begin - 1 + LETTERS;
}

/* What follows the last dot of a path's name; "" where nothing does, of a hidden
   file without another dot, and of what mktemp makes. */
static const char *extension(const char *path)
{
    const char *name = name_of(path);
    const char *dot = strrchr(name, '.');
    return dot && dot > name && !is_of_mktemp(name) ? dot + 1 : "";
}

static bool is_npz(const char *path)
{
    return result_ends(path, "npz");
}

bool result_is_packed(const char *path)
{
    static const char ending[] = ".mtx.gz";
    const size_t length = sizeof ending - 1;
    const size_t all = strlen(path);
    return all > length && strcasecmp(path + all - length, ending) == 0;
}

static int refuse_read(const char *path, const char *input)
{
    return place_is_same(path, input)
               ? message(TOOL_USAGE,
                         "%s is an operand: it is not overwritten; give the "
                         "output another name",
                         path)
               : TOOL_OK;
}

int result_check_read(const char *path, const arguments *args)
{
    const option *o;
    int status = TOOL_OK;
    if (args->command->operand_choice)
        return status; /* nothing is read */
    for (int k = 0; k < args->noperands && status == TOOL_OK; k++)
        status = refuse_read(path, args->operands[k]);
    for (int k = 0;
         status == TOOL_OK && (o = command_option(args->command, k)) != NULL;
         k++)
        if (o->kind == OPTION_FILE && args->texts[k])
            status = refuse_read(path, args->texts[k]);
    return status;
}

int result_check(const char *path, const arguments *args)
{
    const char *asked = extension(path);
    if (*asked && !is_npz(path) && !result_ends(path, "mtx") &&
        !result_is_packed(path))
        return message(TOOL_USAGE,
                       "%s: files that end in .%s are not written, only .mtx, "
                       "which is Matrix Market, as is a name without an "
                       "extension, .mtx.gz, and .npz, for SciPy",
                       path, asked);
    return result_check_read(path, args);
}

/* Where text goes: to a target, through gzip or not. Equal texts make equal files:
   zlib leaves gzip's date out. The filters of libarchive 3.6 that write do not look
   whether they got the memory that they begin with. */
typedef struct text_target {
    target target;
    gzFile packed; /* NULL: plain */
} text_target;

static int put(void *context, const char *text, size_t length)
{
    const text_target *t = context;
    const bool is_well = t->packed
                             ? gzfwrite(text, 1, length, t->packed) == length
                             : target_write(&t->target, text, length);
    return is_well ? 0 : -1;
}

/* errno says why not. */
static spgemm_status write_text(text_target *t, const spgemm_csr *A)
{
    int packed = Z_OK;
    errno = 0;
    const spgemm_status status = spgemm_mtx_write(A, put, t);
    const int why = errno;
    if (t->packed)
        gzerror(t->packed, &packed);
    const bool is_closed = !t->packed || gzclose(t->packed) == Z_OK;
    if (packed == Z_MEM_ERROR)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    if (status != SPGEMM_SUCCESS)
        errno = why;
    return status == SPGEMM_SUCCESS && !is_closed ? SPGEMM_ERROR_IO : status;
}

static int write_mtx(const spgemm_csr *A, const char *path)
{
    text_target t = {.packed = NULL};
    const bool is_packed = result_is_packed(path);
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    int end = target_open(&t.target, path);
    if (end != TOOL_OK)
        return end;
    progress_begin("writing");
    if (is_packed)
        t.packed = gzdopen(dup(t.target.descriptor), "wb");
    if (!is_packed || t.packed)
        status = write_text(&t, A);
    if (status == SPGEMM_ERROR_IO)
        end = message_system(t.target.name);
    else if (status < 0)
        end = message_failure(t.target.name, status);
    end = target_close(&t.target, end);
    progress_end();
    return end;
}

int result_write(const spgemm_csr *A, const char *path)
{
    return is_npz(path) ? npz_write(A, path) : write_mtx(A, path);
}

int result_stream_open(row_stream **stream, const char *path, int64_t nrows,
                       int64_t ncols, spgemm_index_type index_type,
                       spgemm_value_type value_type)
{
    return row_stream_open(stream,
                           is_npz(path) ? &row_format_npz : &row_format_mtx,
                           path, nrows, ncols, index_type, value_type);
}

int result_finish(int status)
{
    errno = 0;
    const bool is_lost =
        fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0;
    const bool is_explained =
        status == TOOL_USAGE || status == TOOL_INPUT || status == TOOL_FAILURE;
    if (!is_lost || is_explained)
        return status;
    if (errno == 0)
        errno = EIO; /* something before, whose reason is forgotten */
    return message_system("standard output");
}
