/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm spy: where a matrix has its entries, or where a product will. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "amount.h"
#include "commands.h"
#include "memory_file.h"
#include "message.h"
#include "picture.h"
#include "plain.h"
#include "product.h"
#include "progress.h"
#include "result.h"
#include "status.h"
#include "target.h"

/* Cells of the longer side; characters are twice as high as wide. */
enum { PICTURE_CELLS = 512, TERMINAL_CELLS = 64, NARROWEST = 8 };

typedef enum format { ON_TERMINAL, AS_SVG, AS_PNG } format;

/* A grid of the matrix's own proportions, but no narrower than an eighth. */
static spgemm_status begin(density *d, int64_t nrows, int64_t ncols, int size,
                           format f)
{
    const double ratio = ((double)nrows + 1) / ((double)ncols + 1);
    const double height = size * fmin(1, fmax(ratio, 1.0 / NARROWEST));
    const double width = size * fmin(1, fmax(1 / ratio, 1.0 / NARROWEST));
    return density_begin(d, nrows, ncols,
                         (int)ceil(f == ON_TERMINAL ? height / 2 : height),
                         (int)ceil(width));
}

/* A matrix of its own in the place of one to be transposed. */
static spgemm_status transpose(spgemm_csr *own, const spgemm_csr **X,
                               spgemm_operation op)
{
    if (op == SPGEMM_OP_NONE)
        return SPGEMM_SUCCESS;
    const spgemm_status status = spgemm_csr_transpose(own, *X);
    if (status == SPGEMM_SUCCESS)
        *X = own;
    return status;
}

static spgemm_status fill_product(density *d, const product *p)
{
    spgemm_csr own_a = {0};
    spgemm_csr own_b = {0};
    const spgemm_csr *A = p->A;
    const spgemm_csr *B = p->B;
    spgemm_options options = p->options;
    options.product.op_a = SPGEMM_OP_NONE;
    options.product.op_b = SPGEMM_OP_NONE;
    spgemm_status status = transpose(&own_a, &A, p->options.product.op_a);
    if (status == SPGEMM_SUCCESS)
        status = transpose(&own_b, &B, p->options.product.op_b);
    if (status == SPGEMM_SUCCESS)
        status = density_of_product(d, A, B, &options);
    spgemm_csr_destroy(&own_a);
    spgemm_csr_destroy(&own_b);
    return status;
}

static void print(const density *d, const char *title)
{
    char name[PLAIN_BYTES];
    char text[3][AMOUNT_BYTES];
    printf("%s: %s x %s, %s entries\n", plain_text(name, sizeof name, title),
           amount_count(text[0], d->nrows), amount_count(text[1], d->ncols),
           amount_count(text[2], (int64_t)llrint(d->nnz)));
    picture_print(stdout, d);
}

static int draw(const density *d, format f, int size, const char *title,
                const char *output)
{
    memory_file m;
    if (f == ON_TERMINAL) {
        print(d, title);
        return TOOL_OK;
    }
    if (!memory_file_open(&m))
        return message(TOOL_FAILURE, "out of memory");
    bool is_well = f == AS_PNG ? picture_png(m.stream, d, size)
                               : picture_svg(m.stream, d, size, title);
    is_well = memory_file_close(&m) && is_well;
    const int status = is_well ? target_write_file(output, m.bytes, m.size)
                               : message(TOOL_FAILURE, "out of memory");
    free(m.bytes);
    return status;
}

static int spy(const product *p, bool is_product, format f,
               const arguments *args)
{
    density d;
    char title[PLAIN_BYTES];
    const int size = (int)arguments_integer(
        args, "size", f == ON_TERMINAL ? TERMINAL_CELLS : PICTURE_CELLS);
    snprintf(title, sizeof title, is_product ? "C of %s, predicted" : "%s",
             p->a.name);
    spgemm_status status = begin(&d, is_product ? p->nrows : p->A->nrows,
                                 is_product ? p->ncols : p->A->ncols, size, f);
    progress_begin("looking");
    if (status == SPGEMM_SUCCESS && is_product)
        status = fill_product(&d, p);
    else if (status == SPGEMM_SUCCESS)
        density_of_matrix(&d, p->A);
    progress_end();
    const int end = status < 0 ? product_failure("spy", status)
                               : draw(&d, f, size, title,
                                      arguments_text(args, "output", NULL));
    density_clear(&d);
    return end;
}

int cmd_spy(const arguments *args)
{
    product p = {0};
    const char *output = arguments_text(args, "output", NULL);
    const bool is_product = arguments_has(args, "product");
    const format f = !output                      ? ON_TERMINAL
                     : result_ends(output, "png") ? AS_PNG
                                                  : AS_SVG;
    if (output && f == AS_SVG && !result_ends(output, "svg"))
        return message(TOOL_USAGE, "spy: %s: pictures end in .svg or .png",
                       output);
    if (!is_product &&
        (args->noperands > 1 || arguments_has(args, "transpose-a") ||
         arguments_has(args, "transpose-b")))
        return message(TOOL_USAGE, "spy: a second matrix and a transpose are "
                                   "of a product: give --product");
    int status = output ? result_check_read(output, args) : TOOL_OK;
    if (status == TOOL_OK && is_product)
        status = product_read(&p, args);
    else if (status == TOOL_OK)
        status = input_read(&p.a, args->operands[0], args);
    if (status == TOOL_OK && !is_product)
        p.A = &p.a.matrix;
    if (status == TOOL_OK)
        status = spy(&p, is_product, f, args);
    product_clear(&p);
    return status;
}
