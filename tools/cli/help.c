/* SPDX-License-Identifier: BSD-3-Clause */
/* Help on the terminal. */
#include "help.h"

#include <stdio.h>
#include <string.h>

enum { LINE_WIDTH = 78, TERM_WIDTH = 24, CHOICES_BYTES = 512 };

/* Words of `text` in lines that begin at `indent`; the first line is already
   there, up to `column`. */
static void print_wrapped(const char *text, int indent, int column)
{
    for (const char *gap = ""; *text; gap = " ") {
        const int length = (int)strcspn(text, " ");
        if (column + 1 + length > LINE_WIDTH) {
            printf("\n%*s", indent, "");
            column = indent;
            gap = "";
        }
        column += printf("%s%.*s", gap, length, text);
        text += length;
        text += *text == ' ';
    }
    putchar('\n');
}

static void print_term(const char *term, const char *text)
{
    const int width = printf("  %s", term);
    if (width > TERM_WIDTH - 2)
        printf("\n%*s", TERM_WIDTH, "");
    else
        printf("%*s", TERM_WIDTH - width, "");
    print_wrapped(text, TERM_WIDTH, TERM_WIDTH);
}

/* choice(0), choice(1), ..., as text. */
static void print_choices(const char *(*choice)(int k))
{
    char text[CHOICES_BYTES] = "";
    for (int k = 0, used = 0; choice(k) && used < CHOICES_BYTES; k++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%s",
                         k ? ", " : "", choice(k));
    printf("%*s", TERM_WIDTH, "");
    print_wrapped(text, TERM_WIDTH, TERM_WIDTH);
}

static void print_option(const option *o)
{
    char term[64];
    const char letter[] = {'-', o->letter, ',', ' ', '\0'};
    snprintf(term, sizeof term, "%s--%s%s%s", o->letter ? letter : "    ",
             o->name, o->metavar ? " " : "", o->metavar ? o->metavar : "");
    print_term(term, o->help);
    if (o->choice)
        print_choices(o->choice);
}

void help_print_command(const command *cmd)
{
    printf("Usage: spgemm %s%s%s [OPTION]...\n\n", cmd->name,
           *cmd->operands ? " " : "", cmd->operands);
    print_wrapped(cmd->description, 0, 0);
    if (cmd->operand_choice) {
        puts("\nKinds:");
        for (int k = 0; cmd->operand_choice(k); k++)
            print_term(cmd->operand_choice(k), cmd->choice_help(k));
    }
    puts("\nOptions:");
    for (int k = 0; cmd->options[k]; k++)
        print_option(cmd->options[k]);
    print_term("-h, --help", "print this help");
    puts("\nExample:");
    for (int k = 0; cmd->example[k]; k++)
        printf("  $ %s\n", cmd->example[k]);
}

void help_print(void)
{
    puts("Usage: spgemm COMMAND [ARGUMENT]...\n");
    print_wrapped("Multiply sparse matrices, allocating the result from a "
                  "prediction of its size. Matrices are Matrix Market files, "
                  "plain or compressed, archives of the SuiteSparse "
                  "collection as they are downloaded, or .npz files of SciPy; "
                  "- is standard input.",
                  0, 0);
    puts("\nCommands:");
    for (int k = 0; command_at(k); k++)
        print_term(command_at(k)->name, command_at(k)->summary);
    puts("\nOptions:");
    print_term("-h, --help", "print this help; with a command, its help");
    print_term("    --version", "print version, memory and instruction set");
    puts("\nExit status:");
    for (int status = 0; exit_status_help(status); status++) {
        const char digit[] = {(char)('0' + status), '\0'};
        print_term(digit, exit_status_help(status));
    }
    puts("\nExample:");
    puts("  $ spgemm generate stencil27 6 6 6 -o A.mtx");
    puts("  $ spgemm compare A.mtx");
}

const char *exit_status_help(int status)
{
    static const char *const texts[] = {
        "success",
        "compare found a difference",
        "the command line was not understood",
        "unreadable or invalid input; the message names file and line",
        "refused by a memory limit; the message names what was claimed",
        "any other failure, out of memory among them"};
    const int count = (int)(sizeof texts / sizeof *texts);
    return status < count ? texts[status] : NULL;
}
