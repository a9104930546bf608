/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrices from files, and what can be wrong with them. */
#include "input.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/timer.h"
#include "message.h"
#include "progress.h"
#include "source.h"
#include "spgemm/mtx.h"
#include "status.h"

static int
refuse(const input *in, spgemm_status status, int64_t line, const char *text)
{
    char place[32] = "";
    if (line > 0)
        snprintf(place, sizeof place, ":%" PRId64, line);
    const int end =
        status == SPGEMM_ERROR_OUT_OF_MEMORY ? TOOL_FAILURE : TOOL_INPUT;
    return message(end, "%s%s: %s", in->name, place, text);
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

int input_read(input *in, const char *path, int nthreads)
{
    source s;
    spgemm_mtx_error error = {0};
    spgemm_status status = SPGEMM_ERROR_IO;
    const spgemm_mtx_source text = {&s, source_read, source_why};
    const spgemm_mtx_options options = {.nthreads = nthreads,
                                        .progress = progress_bytes};
    double start = timer_seconds();
    *in = (input){.name = strcmp(path, "-") == 0 ? "standard input" : path};
    progress_begin("reading");
    if (source_open(&s, path)) {
        status = spgemm_mtx_read(&in->matrix, &text, &options, &error);
        describe(in, s.banner);
    } else {
        snprintf(error.text, sizeof error.text, "%s", s.why);
    }
    in->text_bytes = s.text_bytes;
    source_close(&s);
    progress_end();
    in->seconds = timer_lap(&start);
    if (status == SPGEMM_SUCCESS)
        return TOOL_OK;
    return refuse(in, status, error.line, error.text);
}

static int check_shapes(const input_pair *pair)
{
    const spgemm_csr *A = pair->A;
    const spgemm_csr *B = pair->B;
    if (A->ncols == B->nrows)
        return TOOL_OK;
    if (A == B)
        return message(TOOL_INPUT,
                       "%s: a %" PRId64 " x %" PRId64
                       " matrix cannot be multiplied by itself",
                       pair->a.name, A->nrows, A->ncols);
    return message(TOOL_INPUT,
                   "%s has %" PRId64 " columns, but %s has %" PRId64 " rows",
                   pair->a.name, A->ncols, pair->b.name, B->nrows);
}

/* Columns as 64-bit integers: both operands must have the same type. */
static int widen(input *in)
{
    spgemm_csr wide;
    spgemm_csr *narrow = &in->matrix;
    const spgemm_status status =
        spgemm_csr_create(&wide, narrow->nrows, narrow->ncols, narrow->nnz,
                          SPGEMM_I64, narrow->value_type, NULL);
    if (status < 0)
        return message_failure(in->name, status);
    const int32_t *from = narrow->colidx;
    int64_t *to = wide.colidx;
    for (int64_t p = 0; p < narrow->nnz; p++)
        to[p] = from[p];
    memcpy(wide.rowptr, narrow->rowptr,
           ((size_t)narrow->nrows + 1) * sizeof *wide.rowptr);
    memcpy(wide.values, narrow->values, (size_t)narrow->nnz * sizeof(double));
    wide.flags |= narrow->flags & SPGEMM_SORTED_ROWS;
    spgemm_csr_destroy(narrow);
    *narrow = wide;
    return TOOL_OK;
}

int input_read_pair(input_pair *pair, const arguments *args)
{
    const int nthreads = (int)arguments_integer(args, "threads", 0);
    const char *a = args->operands[0];
    const char *b = args->operands[1] ? args->operands[1] : a;
    const bool is_square = strcmp(a, b) == 0;
    *pair = (input_pair){.A = &pair->a.matrix};
    pair->B = is_square ? &pair->a.matrix : &pair->b.matrix;
    int status = input_read(&pair->a, a, nthreads);
    if (status == TOOL_OK && !is_square)
        status = input_read(&pair->b, b, nthreads);
    if (status == TOOL_OK)
        status = check_shapes(pair);
    if (status == TOOL_OK && pair->A->index_type < pair->B->index_type)
        status = widen(&pair->a);
    else if (status == TOOL_OK && pair->B->index_type < pair->A->index_type)
        status = widen(&pair->b);
    spgemm_memory_trim();
    return status;
}

void input_clear_pair(input_pair *pair)
{
    spgemm_csr_destroy(&pair->a.matrix);
    spgemm_csr_destroy(&pair->b.matrix);
}

int64_t input_bytes(const spgemm_csr *A)
{
    const int64_t index_bytes = A->index_type == SPGEMM_I64 ? 8 : 4;
    return 8 * (A->nrows + 1) + (index_bytes + 8) * A->nnz;
}

int64_t input_pair_bytes(const input_pair *pair)
{
    return input_bytes(pair->A) +
           (pair->A == pair->B ? 0 : input_bytes(pair->B));
}
