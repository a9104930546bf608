/* SPDX-License-Identifier: BSD-3-Clause */
/* Help on the terminal. */
#include "help.h"

#include <stdio.h>

#include "commands.h"

void help_print(void)
{
    puts("Usage: spgemm COMMAND [ARGUMENT]...\n");
    help_text("Multiply sparse matrices, allocating the result from a "
              "prediction of its size. Matrices are Matrix Market files, plain "
              "or compressed, archives of the SuiteSparse collection as they "
              "are downloaded, or .npz files of SciPy; - is standard input.");
    puts("\nCommands:");
    for (int k = 0; command_at(k); k++)
        help_term(command_at(k)->name, command_at(k)->summary);
    puts("\nOptions:");
    help_term("-h, --help", "print this help; with a command, its help");
    help_term("    --version", "print version, memory and instruction set");
    help_term("    --completion SHELL",
              "print the completion of bash, zsh or fish");
    puts("\nExit status:");
    for (int k = 0; exit_status_at(k); k++)
        help_term(exit_status_at(k)->number, exit_status_at(k)->help);
    puts("\nExample:");
    puts("  $ spgemm generate stencil27 6 6 6 -o A.mtx");
    puts("  $ spgemm compare A.mtx");
}

const exit_status *exit_status_at(int k)
{
    static const exit_status all[] = {
        {"0", "success"},
        {"1", "compare found a difference; predict: C may fit --memory-limit, "
              "or not"},
        {"2", "the command line was not understood"},
        {"3", "unreadable or invalid input; the message names file and line"},
        {"4", "refused by a memory limit; the message names what was claimed; "
              "predict: C does not fit --memory-limit"},
        {"5", "any other failure, out of memory among them"},
        {"128 + N", "ended by signal N: 130 by Ctrl-C"}};
    const int count = (int)(sizeof all / sizeof *all);
    return k < count ? &all[k] : NULL;
}
