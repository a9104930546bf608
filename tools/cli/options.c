/* SPDX-License-Identifier: BSD-3-Clause */
/* The one table of what the command line understands. */
#include <string.h>

#include "commands.h"
#include "generate.h"
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

static const char *semiring_choice(int k)
{
    return k < SPGEMM_USER ? spgemm_semiring_name((spgemm_semiring)k) : NULL;
}

static const char *values_choice(int k)
{
    static const char *const names[] = {"integers", "reals", NULL};
    return names[k];
}

/* Who has an option. */
enum {
    INFO = 1,
    PREDICT = 2,
    MULTIPLY = 4,
    COMPARE = 8,
    CONVERT = 16,
    SPY = 32,
    GENERATE = 64,
    DEMO = 128,
    CHAIN = 256,
    PRODUCTS = PREDICT | MULTIPLY | COMPARE,
    ALL = 511
};

/* In the order of the help. */
static const option options[] = {
    {"output", OPTION_OUTPUT, "FILE", .of = MULTIPLY | CONVERT | GENERATE,
     .letter = 'o',
     .help = "file to write: for SciPy if it ends in .npz, Matrix Market if it "
             "ends in .mtx or has no extension, packed by gzip if it ends in "
             ".mtx.gz; - for standard output"},
    {"output", OPTION_OUTPUT, "FILE", .of = SPY, .letter = 'o',
     .help = "picture to write, by its ending .svg or .png (default: text)"},
    {"product", .of = SPY, .letter = 'p',
     .help = "draw C = A*B as it is predicted, without computing it"},
    {"size", OPTION_INTEGER, "N", .of = SPY, .least = 1, .most = 2048,
     .help = "cells of the longer side (default: 512; of text 64)"},
    {"method", OPTION_CHOICE, "NAME", .of = PREDICT, .letter = 'm',
     .also = "predictor", .choice = method_choice,
     .help = "method of prediction, or all (default: stratified)"},
    {"exact", .of = PREDICT, .letter = 'e',
     .help = "count the entries of the product too, and print the errors"},
    {"predictor", OPTION_CHOICE, "NAME", .of = MULTIPLY, .letter = 'p',
     .also = "method", .choice = predictor_choice,
     .help = "method of prediction (default: stratified; small products take "
             "the bound)"},
    {"size", OPTION_INTEGER, "N", .of = PREDICT | MULTIPLY, .least = INT64_MIN,
     .most = INT64_MAX,
     .help = "hashes, variables, registers or rows, as the method has it"},
    {"probability", OPTION_NUMBER, "P", .of = PREDICT | MULTIPLY,
     .help = "share of rows of A and of columns of B to sample"},
    {"budget", OPTION_INTEGER, "N", .of = PREDICT | MULTIPLY,
     .least = INT64_MIN, .most = INT64_MAX,
     .help = "products that may be counted to predict"},
    {"budget", OPTION_INTEGER, "N", .of = CHAIN, .least = 1, .most = INT64_MAX,
     .help = "products that may be counted to predict"},
    {"target-error", OPTION_NUMBER, "E", .of = PREDICT | MULTIPLY,
     .help = "standard error to aim at, as a share of the entries"},
    {"repeat", OPTION_INTEGER, "N", .of = COMPARE | DEMO, .letter = 'r',
     .least = 1, .most = 1000,
     .help = "timed repetitions of each variant (default: 5)"},
    {"report", OPTION_OUTPUT, "FILE.html", .of = COMPARE,
     .help = "write a page with figures, which needs no other file"},
    {"memory-limit", OPTION_BYTES, "BYTES", .of = PREDICT, .least = 1,
     .help = "say whether C fits what multiply may hold beside A and B: 300M, "
             "2G; files may claim as much beside what they hold"},
    {"memory-limit", OPTION_BYTES, "BYTES", .of = MULTIPLY, .least = 1,
     .help =
         "hold no more than this besides A and B as they are read: 300M, 2G; "
         "files may claim as much beside what they hold"},
    {"memory-limit", OPTION_BYTES, "BYTES",
     .of = INFO | COMPARE | CONVERT | SPY | CHAIN, .least = 1,
     .help = "let a file claim this much beside what it holds: 300M, 2G"},
    {"seed", OPTION_INTEGER, "N",
     .of = PREDICT | MULTIPLY | SPY | GENERATE | CHAIN, .letter = 's',
     .most = INT64_MAX, .help = "seed of the random numbers (default: 0)"},
    {"unsorted", .of = MULTIPLY, .letter = 'u',
     .help = "leave the columns within a row as they are found"},
    {"values", OPTION_CHOICE, "KIND", .of = GENERATE, .letter = 'v',
     .choice = values_choice,
     .help = "values: small integers, or reals in [1, 2) (default: integers)"},
    {"dofs", OPTION_INTEGER, "N", .of = GENERATE, .letter = 'd', .least = 1,
     .most = 64,
     .help = "unknowns a node of stencil27, fem-brick, fem-shell and contact "
             "(default: 3; fem-shell: 6)"},
    {"transpose", .of = GENERATE, .letter = 'T',
     .help = "write the transposed matrix: of aggregation, the restriction"},
    {"threads", OPTION_INTEGER, "N", .of = ALL & ~GENERATE, .letter = 't',
     .least = 1, .most = 4096,
     .help = "threads to use (default: as many as OpenMP gives)"},
    {"no-progress", .of = ALL,
     .help = "show no line of progress on a terminal"},
    {"json", .of = INFO | PRODUCTS | CHAIN,
     .help = "print one JSON object on standard output"},
    {"alpha", OPTION_TEXT, "X", .of = MULTIPLY | COMPARE,
     .help = "multiply the sums by this number, RE,IM if it is complex"},
    {"drop-zeros", .of = MULTIPLY | COMPARE,
     .help = "drop entries of C that are zero"},
    {"keep-top", OPTION_INTEGER, "N", .of = MULTIPLY | COMPARE, .least = 1,
     .most = INT64_MAX,
     .help =
         "keep the N entries of each row of C that are largest by magnitude"},
    {"transpose-a", .of = PRODUCTS | SPY,
     .help = "take A transposed, not conjugated"},
    {"transpose-b", .of = PRODUCTS | SPY, .letter = 'T',
     .help = "take B transposed, not conjugated: "
             "without B, C = A*transpose(A)"},
    {"semiring", OPTION_CHOICE, "NAME", .of = PRODUCTS,
     .choice = semiring_choice,
     .help = "what adds and what multiplies (default: plus_times)"},
    {"rows", OPTION_TEXT, "LIST", .of = PRODUCTS,
     .help = "multiply these rows of A only, counted from 0: 0-99,200"},
    {"mask", OPTION_FILE, "FILE", .of = PRODUCTS,
     .help = "keep the entries of C where this matrix has some"},
    {"complement", .of = PRODUCTS,
     .help = "keep those where the mask has none"},
    {.name = NULL}};

static const command commands[] = {
    {"spgemm", "info", options, INFO, "FILE", 1, 1,
     .summary = "describe a matrix",
     .description =
         "Read a matrix and print its shape, its entries, its longest and its "
         "empty rows, the symmetry and field of the file, how fast it was "
         "read and, if it is square, the products of its square.",
     .example = {"spgemm generate stencil5 30 30 -o A.mtx",
                 "spgemm info A.mtx"},
     .run = cmd_info},
    {"spgemm", "predict", options, PREDICT, "A [B]", 1, 2,
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
     .example = {"spgemm generate rmat 10 8 -o A.mtx",
                 "spgemm predict A.mtx --memory-limit 2G",
                 "spgemm predict A.mtx --method all --exact"},
     .run = cmd_predict},
    {"spgemm", "chain", options, CHAIN, "A B C", 3, 3,
     .summary = "predict the size of A*B*C, and its cheaper order",
     .description =
         "Predict the entries of A*B*C, and the products and the entries "
         "between of (A*B)*C and of A*(B*C), each with what it is off by with "
         "95 %, without multiplying: some rows go through both products. For "
         "R*A*P of multigrid, give R, A and P.",
     .example = {"spgemm generate stencil5 30 30 -o A.mtx",
                 "spgemm chain A.mtx A.mtx A.mtx"},
     .run = cmd_chain},
    {"spgemm", "multiply", options, MULTIPLY, "A [B]", 1, 2,
     .summary = "multiply two matrices",
     .description =
         "Compute C = A*B, allocated from a prediction of its size, in one "
         "pass. B is A if it is not given. The file of --output appears whole "
         "or not at all, and is none that is read; without --output only the "
         "report is printed. With "
         "--memory-limit a file that is not packed is written while C is "
         "computed, some rows at a time, and C need not fit; text takes "
         "131 kB a thread beside the limit. Where nothing is "
         "written to such a file, a product of whose predicted entries not "
         "even half would fit is refused before it is begun; another that "
         "does not fit is refused once its entries are counted; both with "
         "status 4. SIGINT and SIGTERM end it in order, with status 128 "
         "and their number.",
     .example = {"spgemm generate stencil5 30 30 -o A.mtx",
                 "spgemm multiply A.mtx -o C.mtx",
                 "spgemm multiply A.mtx --semiring plus_pair --mask A.mtx -o "
                 "triangles.npz"},
     .run = cmd_multiply},
    {"spgemm", "compare", options, COMPARE, "A [B]", 1, 2,
     .summary = "compare the three ways to multiply",
     .description =
         "Compute C = A*B in three ways: allocated from a prediction, after "
         "counting its entries, and allocated from an upper bound. Verify "
         "that they agree bit for bit, and print time and memory of each: the "
         "median, the least and the most of the repetitions, the error of what "
         "was predicted, the bytes allocated for C, and the peak of those "
         "held. B is A if it is not given.",
     .example = {"spgemm generate stencil27 6 6 6 -o A.mtx",
                 "spgemm compare A.mtx --repeat 3 --report compare.html"},
     .run = cmd_compare},
    {"spgemm", "convert", options, CONVERT, "FILE", 1, 1,
     .summary = "write a matrix in another format",
     .description =
         "Read a matrix, whatever it is packed by, and write it in the format "
         "that the name of --output ends in. Types of values stay: integers "
         "are integers, patterns patterns. In .npz a pattern is Boolean, and "
         "so "
         "are its products; those of a Matrix Market pattern count. What a "
         "file leaves out by symmetry is written.",
     .example = {"spgemm generate rmat 10 8 -o A.mtx.gz",
                 "spgemm convert A.mtx.gz -o A.npz"},
     .run = cmd_convert},
    {"spgemm", "spy", options, SPY, "A [B]", 1, 2,
     .summary = "draw where a matrix has its entries, or a product will",
     .description =
         "Draw a matrix as SVG, as PNG or, without --output, as text. A cell "
         "is as dark as the share of its places that have an entry, by the "
         "logarithm, over a factor of 1000. With --product, draw C = A*B as it "
         "is predicted: its rows by the prediction of their entries, and the "
         "places within them by where the products fall.",
     .example = {"spgemm generate rmat 10 8 -o A.mtx", "spgemm spy A.mtx",
                 "spgemm spy A.mtx --product -o C.svg"},
     .run = cmd_spy},
    {"spgemm", "generate", options, GENERATE, "KIND [SIZE]...", 1,
     1 + GENERATOR_SIZES, .operand_choice = generator_name,
     .choice_help = generator_help, .summary = "write a matrix of a known kind",
     .description =
         "Write a matrix that is a function of its kind, its sizes and the "
         "seed only. The value of an entry depends on its place and the seed, "
         "except for cage, whose values are the model's. cage, m133-b3, "
         "mc2depi and conf5 are matrices of the SuiteSparse collection, "
         "rebuilt from their definitions: cage digit by digit, the others by "
         "their pattern, up to the order of rows and columns. majorbasis has "
         "the counts of another.",
     .example = {"spgemm generate erdos-renyi 1000 4 --seed 7 -o A.mtx"},
     .run = cmd_generate},
    {"spgemm", "demo", options, DEMO, "", 0, 0,
     .summary = "compare the three ways on five matrices made here",
     .description =
         "Multiply five matrices by themselves, each made in the program: a "
         "27-point stencil with 3 unknowns a node, a 5-point stencil, an R-MAT "
         "graph, an Erdos-Renyi graph, and a web-like graph with some giant "
         "rows. Print what compare finds of each.",
     .example = {"spgemm demo --repeat 1"}, .run = cmd_demo},
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
