/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table of what the command line understands. */
#include <string.h>

#include "commands.h"
#include "generate.h"
#include "product.h"
#include "spgemm/spgemm.h"

static const char *predictor_choice(int k)
{
    return k + 1 < SPGEMM_PREDICTOR_CALLER
               ? spgemm_predictor_name((spgemm_predictor)(k + 1))
               : NULL;
}

static const char *method_choice(int k)
{
    if (k == SPGEMM_PREDICTOR_CALLER - 1)
        return "all";
    return k < SPGEMM_PREDICTOR_CALLER ? predictor_choice(k) : NULL;
}

static const char *values_choice(int k)
{
    static const char *const names[] = {"integers", "reals", NULL};
    return names[k];
}

static const option option_json = {
    .name = "json", .help = "print one JSON object on standard output"};
static const option option_threads = {
    .name = "threads",
    .letter = 't',
    .kind = OPTION_INTEGER,
    .metavar = "N",
    .help = "threads to use (default: as many as OpenMP gives)",
    .least = 1,
    .most = 4096};
static const option option_seed = {
    .name = "seed",
    .letter = 's',
    .kind = OPTION_INTEGER,
    .metavar = "N",
    .help = "seed of the random numbers (default: 0)",
    .most = INT64_MAX};
static const option option_repeat = {
    .name = "repeat",
    .letter = 'r',
    .kind = OPTION_INTEGER,
    .metavar = "N",
    .help = "timed repetitions of each variant (default: 5)",
    .least = 1,
    .most = 1000};
static const option option_method = {
    .name = "method",
    .letter = 'm',
    .kind = OPTION_CHOICE,
    .metavar = "NAME",
    .help = "method of prediction, or all (default: stratified)",
    .choice = method_choice};
static const option option_exact = {
    .name = "exact",
    .letter = 'e',
    .help = "count the entries of the product too, and print the errors"};
static const option option_predictor = {
    .name = "predictor",
    .letter = 'p',
    .kind = OPTION_CHOICE,
    .metavar = "NAME",
    .help = "method of prediction (default: stratified)",
    .choice = predictor_choice};
static const option option_size = {
    .name = "size",
    .kind = OPTION_INTEGER,
    .metavar = "N",
    .help = "hashes, variables, registers or rows, as the method has it",
    .least = INT64_MIN,
    .most = INT64_MAX};
static const option option_probability = {
    .name = "probability",
    .kind = OPTION_NUMBER,
    .metavar = "P",
    .help = "share of rows of A and of columns of B to sample"};
static const option option_budget = {
    .name = "budget",
    .kind = OPTION_INTEGER,
    .metavar = "N",
    .help = "products that may be counted to predict",
    .least = INT64_MIN,
    .most = INT64_MAX};
static const option option_target_error = {
    .name = "target-error",
    .kind = OPTION_NUMBER,
    .metavar = "E",
    .help = "standard error to aim at, as a share of the entries"};
static const option option_memory_limit = {
    .name = "memory-limit",
    .kind = OPTION_BYTES,
    .least = 1,
    .metavar = "BYTES",
    .help =
        "hold no more than this besides A and B as they are read: 300M, 2G; "
        "files may claim as much beside what they hold"};
static const option option_fits_limit = {
    .name = "memory-limit",
    .kind = OPTION_BYTES,
    .least = 1,
    .metavar = "BYTES",
    .help = "say whether C fits what multiply may hold beside A and B: 300M, "
            "2G; files may claim as much beside what they hold"};
static const option option_claim_limit = {
    .name = "memory-limit",
    .kind = OPTION_BYTES,
    .least = 1,
    .metavar = "BYTES",
    .help = "let a file claim this much beside what it holds: 300M, 2G"};
static const option option_unsorted = {
    .name = "unsorted",
    .letter = 'u',
    .help = "leave the columns within a row as they are found"};
static const option option_output = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_OUTPUT,
    .metavar = "FILE",
    .help = "file to write: for SciPy if it ends in .npz, Matrix Market if it "
            "ends in .mtx or has no extension, packed by gzip if it ends in "
            ".mtx.gz; - for standard output"};
static const option option_picture = {
    .name = "output",
    .letter = 'o',
    .kind = OPTION_OUTPUT,
    .metavar = "FILE",
    .help = "picture to write, by its ending .svg or .png (default: text)"};
static const option option_page = {
    .name = "report",
    .kind = OPTION_OUTPUT,
    .metavar = "FILE.html",
    .help = "write a page with figures, which needs no other file"};
static const option option_product = {
    .name = "product",
    .letter = 'p',
    .help = "draw C = A*B as it is predicted, without computing it"};
static const option option_cells = {
    .name = "size",
    .kind = OPTION_INTEGER,
    .metavar = "N",
    .help = "cells of the longer side (default: 512; of text 64)",
    .least = 1,
    .most = 2048};
static const option option_no_progress = {
    .name = "no-progress", .help = "show no line of progress on a terminal"};
static const option option_dofs = {
    .name = "dofs",
    .letter = 'd',
    .kind = OPTION_INTEGER,
    .metavar = "N",
    .help = "unknowns a node of stencil27, fem-brick, fem-shell and contact "
            "(default: 3; fem-shell: 6)",
    .least = 1,
    .most = 64};
static const option option_transpose = {
    .name = "transpose",
    .letter = 'T',
    .help = "write the transposed matrix: of aggregation, the restriction"};
static const option option_values = {
    .name = "values",
    .letter = 'v',
    .kind = OPTION_CHOICE,
    .metavar = "KIND",
    .help = "values: small integers, or reals in [1, 2) (default: integers)",
    .choice = values_choice};

static const command commands[] = {
    {.program = "spgemm",
     .name = "info",
     .operands = "FILE",
     .least_operands = 1,
     .most_operands = 1,
     .summary = "describe a matrix",
     .description =
         "Read a matrix and print its shape, its entries, its longest and its "
         "empty rows, the symmetry and field of the file, how fast it was "
         "read and, if it is square, the products of its square.",
     .options = {&option_claim_limit, &option_threads, &option_no_progress,
                 &option_json},
     .example = {"spgemm generate stencil5 30 30 -o A.mtx",
                 "spgemm info A.mtx"},
     .run = cmd_info},
    {.program = "spgemm",
     .name = "predict",
     .operands = "A [B]",
     .least_operands = 1,
     .most_operands = 2,
     .summary = "predict the size of a product without computing it",
     .description =
         "Predict the entries of C = A*B and the bytes of its arrays, each "
         "with the interval that it is in with 95 %. B is A if it is not "
         "given. With --memory-limit, say whether C fits, and end with status "
         "0 if it does, 1 if it may, 4 if it does not. --exact "
         "counts the entries as well, at the price of a pass over all "
         "products, and prints the error of each method. --size, "
         "--probability, --budget and --target-error are parameters of some "
         "methods; a value that the method does not take is refused with those "
         "that it does. With --method all they go to the methods that have "
         "them.",
     .options = {&option_method, &option_exact, &option_size,
                 &option_probability, &option_budget, &option_target_error,
                 &option_fits_limit, &option_seed, &option_threads,
                 &option_no_progress, &option_json},
     .shared = &product_options[PRODUCT_PREDICTED],
     .example = {"spgemm generate rmat 10 8 -o A.mtx",
                 "spgemm predict A.mtx --memory-limit 2G",
                 "spgemm predict A.mtx --method all --exact"},
     .run = cmd_predict},
    {.program = "spgemm",
     .name = "multiply",
     .operands = "A [B]",
     .least_operands = 1,
     .most_operands = 2,
     .summary = "multiply two matrices",
     .description =
         "Compute C = A*B, allocated from a prediction of its size, in one "
         "pass. B is A if it is not given. The file of --output appears whole "
         "or not at all, and is none that is read; without --output only the "
         "report is printed. With "
         "--memory-limit a file that is not packed is written while C is "
         "computed, some rows at a time, and C need not fit; where nothing is "
         "written to such a file, a "
         "product that is predicted not to fit is refused before it is begun, "
         "with status 4. SIGINT and SIGTERM end it in order, with status 128 "
         "and their number.",
     .options = {&option_output, &option_predictor, &option_size,
                 &option_probability, &option_budget, &option_target_error,
                 &option_memory_limit, &option_seed, &option_unsorted,
                 &option_threads, &option_no_progress, &option_json},
     .shared = product_options,
     .example = {"spgemm generate stencil5 30 30 -o A.mtx",
                 "spgemm multiply A.mtx -o C.mtx",
                 "spgemm multiply A.mtx --semiring plus_pair --mask A.mtx -o "
                 "triangles.npz"},
     .run = cmd_multiply},
    {.program = "spgemm",
     .name = "compare",
     .operands = "A [B]",
     .least_operands = 1,
     .most_operands = 2,
     .summary = "compare the three ways to multiply",
     .description =
         "Compute C = A*B in three ways: allocated from a prediction, after "
         "counting its entries, and allocated from an upper bound. Verify "
         "that they agree bit for bit, and print time and memory of each: the "
         "median, the least and the most of the repetitions, the error of what "
         "was predicted, the bytes that were taken for C, and those that were "
         "held at most. B is A if it is not given.",
     .options = {&option_repeat, &option_page, &option_claim_limit,
                 &option_threads, &option_no_progress, &option_json},
     .shared = product_options,
     .example = {"spgemm generate stencil27 6 6 6 -o A.mtx",
                 "spgemm compare A.mtx --repeat 3 --report compare.html"},
     .run = cmd_compare},
    {.program = "spgemm",
     .name = "convert",
     .operands = "FILE",
     .least_operands = 1,
     .most_operands = 1,
     .summary = "write a matrix in another format",
     .description =
         "Read a matrix, whatever it is packed by, and write it in the format "
         "that the name of --output ends in. Types of values stay: integers "
         "are integers, patterns patterns. What a file leaves out by symmetry "
         "is written.",
     .options = {&option_output, &option_claim_limit, &option_threads,
                 &option_no_progress},
     .example = {"spgemm generate rmat 10 8 -o A.mtx.gz",
                 "spgemm convert A.mtx.gz -o A.npz"},
     .run = cmd_convert},
    {.program = "spgemm",
     .name = "spy",
     .operands = "A [B]",
     .least_operands = 1,
     .most_operands = 2,
     .summary = "draw where a matrix has its entries, or a product will",
     .description =
         "Draw a matrix as SVG, as PNG or, without --output, as text. A cell "
         "is as dark as the share of its places that have an entry, by the "
         "logarithm, over a factor of 1000. With --product, draw C = A*B as it "
         "is predicted: its rows by the prediction of their entries, and the "
         "places within them by where the products fall.",
     .options = {&option_picture, &option_product, &option_cells,
                 &product_options[PRODUCT_TRANSPOSE_A],
                 &product_options[PRODUCT_TRANSPOSE_B], &option_claim_limit,
                 &option_seed, &option_threads, &option_no_progress},
     .example = {"spgemm generate rmat 10 8 -o A.mtx", "spgemm spy A.mtx",
                 "spgemm spy A.mtx --product -o C.svg"},
     .run = cmd_spy},
    {.program = "spgemm",
     .name = "generate",
     .operands = "KIND [SIZE]...",
     .least_operands = 1,
     .most_operands = 1 + GENERATOR_SIZES,
     .operand_choice = generator_name,
     .choice_help = generator_help,
     .summary = "write a matrix of a known kind",
     .description =
         "Write a matrix that is a function of its kind, its sizes and the "
         "seed only. The value of an entry depends on its place and the seed, "
         "except for cage, whose values are the model's. cage, m133-b3, "
         "mc2depi and conf5 are matrices of the SuiteSparse collection, "
         "rebuilt from their definitions: cage digit by digit, the others by "
         "their pattern, up to the order of rows and columns. majorbasis has "
         "the counts of another.",
     .options = {&option_output, &option_seed, &option_values, &option_dofs,
                 &option_transpose, &option_no_progress},
     .example = {"spgemm generate erdos-renyi 1000 4 --seed 7 -o A.mtx"},
     .run = cmd_generate},
    {.program = "spgemm",
     .name = "demo",
     .operands = "",
     .summary = "compare the three ways on five matrices made here",
     .description =
         "Multiply five matrices by themselves, each made in the program: a "
         "27-point stencil with 3 unknowns a node, a 5-point stencil, an R-MAT "
         "graph, an Erdos-Renyi graph, and a web-like graph with some giant "
         "rows. Print what compare finds of each.",
     .options = {&option_repeat, &option_threads, &option_no_progress},
     .example = {"spgemm demo --repeat 1"},
     .run = cmd_demo},
};

enum { NCOMMANDS = sizeof commands / sizeof *commands };

const command *command_at(int k)
{
    return k < NCOMMANDS ? &commands[k] : NULL;
}

const char *command_name(int k)
{
    return k < NCOMMANDS ? commands[k].name : NULL;
}

const command *command_find(const char *name)
{
    for (int k = 0; k < NCOMMANDS; k++)
        if (strcmp(commands[k].name, name) == 0)
            return &commands[k];
    return NULL;
}
