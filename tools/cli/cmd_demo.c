/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm demo: the comparison on matrices made here. */
#include <stdio.h>
#include <stdlib.h>

#include "amount.h"
#include "commands.h"
#include "comparison.h"
#include "generate.h"
#include "message.h"
#include "progress.h"
#include "report.h"
#include "status.h"

/* Sized for some seconds each on two slow cores. */
static const struct {
    const char *title;
    const char *kind;
    recipe recipe;
} shows[] = {
    {"27-point stencil, 3 unknowns a node, 18 x 18 x 18",
     "stencil27",
     {.sizes = {18, 18, 18}, .dofs = 3}},
    {"5-point stencil, 600 x 600", "stencil5", {.sizes = {600, 600}}},
    {"R-MAT, 2^13 nodes, 16 edges a node", "rmat", {.sizes = {13, 16}}},
    {"Erdos-Renyi, 200,000 rows, 4 a row",
     "erdos-renyi",
     {.sizes = {200000, 4}}},
    {"web-like, 80,000 rows, 8 giant rows", "powerlaw", {.sizes = {80000, 8}}},
};

static void print_show(const char *title, const spgemm_csr *A,
                       const comparison *c)
{
    const spgemm_report *r = &c->variants[0].report;
    char text[5][AMOUNT_BYTES];
    printf("%s\nA: %s entries; products %s, compression %.2f\n"
           "C: %s entries, %s, bound %s\n",
           title, amount_count(text[0], A->nnz),
           amount_count(text[1], r->products), report_compression(r),
           amount_count(text[2], r->nnz),
           amount_bytes(text[3], (double)r->c_bytes),
           amount_bytes(text[4], (double)r->upper_bound_bytes));
    comparison_print(c);
    putchar('\n');
    fflush(stdout);
}

static int show(int k, comparison *c, const arguments *args)
{
    spgemm_csr A = {0};
    spgemm_status status =
        generate(&A, generator_find(shows[k].kind), &shows[k].recipe);
    if (status == SPGEMM_SUCCESS) {
        progress_begin(shows[k].title);
        const spgemm_options options = {
            .resources.nthreads = (int)arguments_integer(args, "threads", 0)};
        status = comparison_run(
            c, &A, &A, &options,
            (int)arguments_integer(args, "repeat", COMPARISON_REPEAT));
        progress_end();
    }
    if (status == SPGEMM_SUCCESS)
        print_show(shows[k].title, &A, c);
    spgemm_csr_destroy(&A);
    if (status < 0)
        return message_failure(shows[k].title, status);
    return c->is_identical ? TOOL_OK : TOOL_DIFFERENT;
}

int cmd_demo(const arguments *args)
{
    int status = TOOL_OK;
    comparison *c = calloc(1, sizeof *c);
    if (!c)
        return message(TOOL_FAILURE, "out of memory");
    puts("C = A*A in three ways: allocated from a prediction, after counting "
         "the\nentries of C, and allocated from an upper bound. \"for C\" is "
         "what was taken for\nC's arrays, \"at most\" all that was held at one "
         "time.\n");
    for (size_t k = 0; k < sizeof shows / sizeof *shows && status == TOOL_OK;
         k++)
        status = show((int)k, c, args);
    free(c);
    return status;
}
