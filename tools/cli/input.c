/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices from files, and what can be wrong with them. */
#include "input.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "amount.h"
#include "common/timer.h"
#include "entries.h"
#include "member_pipe.h"
#include "message.h"
#include "npz_members.h"
#include "npz_read.h"
#include "progress.h"
#include "source.h"
#include "spgemm/mtx.h"
#include "status.h"

static int end_of(spgemm_status status)
{
    if (status == SPGEMM_ERROR_MEMORY_LIMIT)
        return TOOL_LIMIT;
    return status == SPGEMM_ERROR_OUT_OF_MEMORY ? TOOL_FAILURE : TOOL_INPUT;
}

enum { HINT_BYTES = 96 };

/* What can be done about a limit, which a reader names: nothing about what the
   system has left. */
static void hint_at_limit(char hint[HINT_BYTES], const char *text, int64_t room)
{
    char amount[AMOUNT_BYTES];
    char number[AMOUNT_BYTES];
    snprintf(number, sizeof number, "%" PRId64, room);
    if (strstr(text, number))
        snprintf(hint, HINT_BYTES, "; the system has %s left",
                 amount_bytes(amount, (double)room));
    else
        snprintf(hint, HINT_BYTES, "; see --memory-limit");
}

static int refuse(const input *in, int64_t room, spgemm_status status,
                  const spgemm_mtx_error *error)
{
    char place[32] = "";
    char hint[HINT_BYTES] = "";
    if (error->line > 0)
        snprintf(place, sizeof place, ":%" PRId64, error->line);
    if (status == SPGEMM_ERROR_MEMORY_LIMIT)
        hint_at_limit(hint, error->text, room);
    else if (strncmp(error->text, "no Matrix Market", 16) == 0)
        snprintf(hint, sizeof hint,
                 "; read are Matrix Market, also packed or in a tar archive, "
                 "and SciPy's .npz");
    return message(end_of(status), "%s%s: %s%s", in->name, place, error->text,
                   hint);
}

/* The fourth and the fifth word of the banner. */
static void describe(input *in, const char *banner)
{
    sscanf(banner, "%*s %*s %*s %15s %15s", in->field, in->symmetry);
    for (char *c = in->field; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    for (char *c = in->symmetry; *c; c++)
        *c = (char)tolower((unsigned char)*c);
}

static spgemm_status read_text(input *in, source *s, int nthreads,
                               spgemm_mtx_error *error)
{
    const spgemm_mtx_source text = {s, source_read, source_why};
    const spgemm_mtx_options options = {
        .nthreads = nthreads,
        .progress = progress_bytes,
        .keeps_integers = true,
        .memory_limit_bytes = (size_t)budget_of_file(&s->limits, s->file_bytes),
        .empty_rows_bytes = (size_t)s->limits.empty_rows};
    const spgemm_status status =
        spgemm_mtx_read(&in->matrix, &text, &options, error);
    describe(in, s->banner);
    in->content = "text";
    in->text_bytes = s->text_bytes;
    return s->status < 0 ? s->status : status;
}

/* The word that a banner would have. */
static const char *field_of(spgemm_value_type type)
{
    switch (type) {
    case SPGEMM_CFP64:
    case SPGEMM_CFP32:
        return "complex";
    case SPGEMM_INT64:
    case SPGEMM_INT32:
        return "integer";
    case SPGEMM_BOOL:
        return "pattern";
    default:
        return "real";
    }
}

static spgemm_status read_npz(input *in, source *s, spgemm_mtx_error *error)
{
    struct stat file;
    int descriptor = source_seekable(s);
    members *archive =
        descriptor < 0 ? NULL : member_pipe_open(npz_members_open, &descriptor);
    if (!archive) {
        snprintf(error->text, sizeof error->text, "%s",
                 descriptor < 0 ? s->why : strerror(errno));
        return descriptor < 0 ? s->status : SPGEMM_ERROR_OUT_OF_MEMORY;
    }
    const int64_t file_bytes =
        fstat(descriptor, &file) == 0 ? (int64_t)file.st_size : -1;
    const npz_limits limits = {budget_of_file(&s->limits, file_bytes),
                               s->limits.empty_rows};
    const spgemm_status status =
        npz_read(&in->matrix, archive, &limits, &in->text_bytes, error);
    archive->close(archive);
    snprintf(in->field, sizeof in->field, "%s",
             field_of(in->matrix.value_type));
    snprintf(in->symmetry, sizeof in->symmetry, "general");
    in->content = "arrays";
    return status;
}

int input_read(input *in, const char *path, const arguments *args)
{
    source s;
    spgemm_mtx_error error = {0};
    spgemm_status status;
    double start = timer_seconds();
    const budget limits =
        budget_make(arguments_integer(args, "memory-limit", 0));
    *in = (input){.name = strcmp(path, "-") == 0 ? "standard input" : path};
    progress_begin("reading");
    if (!source_open(&s, path, &limits)) {
        status = s.status;
        snprintf(error.text, sizeof error.text, "%s", s.why);
    } else if (source_is_zip(&s)) {
        status = read_npz(in, &s, &error);
    } else {
        status = read_text(in, &s, (int)arguments_integer(args, "threads", 0),
                           &error);
    }
    source_close(&s);
    progress_end();
    in->seconds = timer_lap(&start);
    if (status == SPGEMM_SUCCESS)
        return TOOL_OK;
    return refuse(in, limits.room, status, &error);
}

int64_t input_entry_bytes(const spgemm_csr *A)
{
    return (int64_t)(index_bytes(A->index_type) +
                     spgemm_value_bytes(A->value_type));
}

int64_t input_bytes(const spgemm_csr *A)
{
    return 8 * (A->nrows + 1) + input_entry_bytes(A) * A->nnz;
}
