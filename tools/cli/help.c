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
    for (int status = 0; exit_status_help(status); status++) {
        const char digit[] = {(char)('0' + status), '\0'};
        help_term(digit, exit_status_help(status));
    }
    puts("\nExample:");
    puts("  $ spgemm generate stencil27 6 6 6 -o A.mtx");
    puts("  $ spgemm compare A.mtx");
}

const char *exit_status_help(int status)
{
    static const char *const texts[] = {
        "success",
        "compare found a difference; predict: C may fit --memory-limit, or not",
        "the command line was not understood",
        "unreadable or invalid input; the message names file and line",
        ("refused by a memory limit; the message names what was claimed; "
         "predict: C does not fit --memory-limit"),
        "any other failure, out of memory among them"};
    const int count = (int)(sizeof texts / sizeof *texts);
    return status < count ? texts[status] : NULL;
}
