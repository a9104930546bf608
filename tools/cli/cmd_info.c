/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm info: what a matrix is. */
#include <inttypes.h>
#include <stdio.h>

#include "amount.h"
#include "commands.h"
#include "input.h"
#include "json.h"
#include "message.h"
#include "plain.h"
#include "spgemm/predict.h"
#include "status.h"

typedef struct facts {
    int64_t longest_row;
    int64_t empty_rows;
    int64_t products; /* of A*A; -1: not square */
} facts;

static spgemm_status find_facts(facts *f, const spgemm_csr *A, int nthreads)
{
    *f = (facts){.products = -1};
    for (int64_t i = 0; i < A->nrows; i++) {
        const int64_t length = A->rowptr[i + 1] - A->rowptr[i];
        f->longest_row = length > f->longest_row ? length : f->longest_row;
        f->empty_rows += length == 0;
    }
    if (A->nrows != A->ncols)
        return SPGEMM_SUCCESS;
    spgemm_prediction bound;
    const spgemm_options options = {.predict.method =
                                        SPGEMM_PREDICTOR_UPPER_BOUND,
                                    .resources.nthreads = nthreads};
    const spgemm_status status = spgemm_predict(&bound, A, A, &options, NULL);
    if (status == SPGEMM_SUCCESS)
        f->products = bound.products;
    return status;
}

static void print_json(const input *in, const facts *f)
{
    const spgemm_csr *A = &in->matrix;
    json j;
    json_open(&j, stdout);
    json_text(&j, "file", in->name);
    json_integer(&j, "rows", A->nrows);
    json_integer(&j, "cols", A->ncols);
    json_integer(&j, "nnz", A->nnz);
    json_integer(&j, "longest_row", f->longest_row);
    json_integer(&j, "empty_rows", f->empty_rows);
    json_text(&j, "field", in->field);
    json_text(&j, "symmetry", in->symmetry);
    json_boolean(&j, "is_sorted", A->flags & SPGEMM_SORTED_ROWS);
    if (f->products >= 0)
        json_integer(&j, "products", f->products);
    json_integer(&j, "bytes", input_bytes(A));
    json_integer(&j, "text_bytes", in->text_bytes);
    json_number(&j, "seconds", in->seconds);
    json_number(&j, "mb_per_second",
                1e-6 * (double)in->text_bytes / in->seconds);
    json_close(&j);
}

static void print_words(const input *in, const facts *f)
{
    const spgemm_csr *A = &in->matrix;
    char name[PLAIN_BYTES];
    char text[2][AMOUNT_BYTES];
    printf("%s\n", plain_text(name, sizeof name, in->name));
    printf("  shape        %" PRId64 " x %" PRId64 "\n", A->nrows, A->ncols);
    printf("  entries      %" PRId64 " (%s, %s)\n", A->nnz, in->field,
           in->symmetry);
    printf("  longest row  %" PRId64 "\n", f->longest_row);
    printf("  empty rows   %" PRId64 "\n", f->empty_rows);
    printf("  columns      %s within each row\n",
           A->flags & SPGEMM_SORTED_ROWS ? "increase" : "do not increase");
    if (f->products >= 0)
        printf("  products     %" PRId64 " in its square\n", f->products);
    printf("  memory       %s\n",
           amount_bytes(text[0], (double)input_bytes(A)));
    printf("  read         %s of %s in %s, %.0f MB/s\n",
           amount_bytes(text[0], (double)in->text_bytes), in->content,
           amount_seconds(text[1], in->seconds),
           1e-6 * (double)in->text_bytes / in->seconds);
}

int cmd_info(const arguments *args)
{
    input in;
    facts f;
    const int nthreads = (int)arguments_integer(args, "threads", 0);
    int status = input_read(&in, args->operands[0], args);
    if (status != TOOL_OK)
        return status;
    const spgemm_status found = find_facts(&f, &in.matrix, nthreads);
    if (found < 0)
        status = message_failure(in.name, found);
    else if (arguments_has(args, "json"))
        print_json(&in, &f);
    else
        print_words(&in, &f);
    spgemm_csr_destroy(&in.matrix);
    return status;
}
