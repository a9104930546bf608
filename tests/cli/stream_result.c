/* SPDX-License-Identifier: BSD-3-Clause */
/* Write a matrix as its rows would come from a product in blocks:
       stream_result INPUT OUTPUT ROWS [UNTIL [SIGNAL]]
   so many rows at a time; all of them, or abandoned after row UNTIL. A signal is
   noted after the last row. */
#include <signal.h>
#include <stdlib.h>

#include "commands.h"
#include "input.h"
#include "interrupt.h"
#include "result.h"
#include "status.h"

static size_t bytes_of(spgemm_value_type type)
{
    static const size_t bytes[] = {8, 4, 16, 8, 8, 4, 1};
    return bytes[type];
}

/* Rows first, first + 1, ... of A; rowptr: room for count + 1. */
static spgemm_csr block_of(const spgemm_csr *A, int64_t first, int64_t count,
                           int64_t *rowptr)
{
    const int64_t begin = A->rowptr[first];
    const size_t index_bytes = A->index_type == SPGEMM_I64 ? 8 : 4;
    for (int64_t i = 0; i <= count; i++)
        rowptr[i] = A->rowptr[first + i] - begin;
    return spgemm_csr_view(
        count, A->ncols, rowptr[count], rowptr,
        (const char *)A->colidx + (size_t)begin * index_bytes,
        (const char *)A->values + (size_t)begin * bytes_of(A->value_type),
        A->index_type, A->value_type);
}

static int write_blocks(const spgemm_csr *A, const char *path, int64_t rows,
                        int64_t until, int signal_number, int64_t *rowptr)
{
    row_stream *stream;
    int status = result_stream_open(&stream, path, A->nrows, A->ncols,
                                    A->index_type, A->value_type);
    if (status != TOOL_OK)
        return status;
    for (int64_t first = 0; first < A->nrows && first < until;) {
        const int64_t left = A->nrows - first;
        const int64_t count = rows < left ? rows : left;
        const spgemm_csr block = block_of(A, first, count, rowptr);
        status = row_stream_rows(stream, &block);
        if (status != TOOL_OK)
            break;
        first += count;
    }
    if (signal_number != 0)
        raise(signal_number);
    if (status == TOOL_OK && until > A->nrows)
        return row_stream_close(stream);
    row_stream_abandon(stream);
    return status;
}

int main(int count, char **words)
{
    input in;
    const arguments args = {.command = command_find("info")};
    if (count < 4)
        return TOOL_USAGE;
    signal(SIGXFSZ, SIG_IGN);
    const int64_t rows = atoll(words[3]);
    const int64_t until = count > 4 ? atoll(words[4]) : INT64_MAX;
    const int signal_number = count > 5 ? atoi(words[5]) : 0;
    int status = input_read(&in, words[1], &args);
    if (status != TOOL_OK)
        return status;
    if (signal_number != 0)
        interrupt_begin();
    int64_t *rowptr = malloc(((size_t)in.matrix.nrows + 1) * sizeof *rowptr);
    status = rowptr ? write_blocks(&in.matrix, words[2], rows, until,
                                   signal_number, rowptr)
                    : TOOL_FAILURE;
    free(rowptr);
    spgemm_csr_destroy(&in.matrix);
    return status;
}
