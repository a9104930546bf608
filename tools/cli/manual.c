/* SPDX-License-Identifier: BSD-3-Clause */
/* The manual page, in roff. */
#include <stdio.h>

#include "commands.h"
#include "help.h"
#include "spgemm/version.h"

/* Text whose dashes stay ASCII, to be copied into a shell. */
static void print_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '-')
            putchar('\\');
        putchar(*text);
    }
}

/* A line of text that may begin with any character. */
static void print_line(const char *text)
{
    fputs("\\&", stdout);
    print_text(text);
    putchar('\n');
}

static void print_option(const option *o)
{
    puts(".TP");
    fputs("\\fB", stdout);
    if (o->letter)
        printf("\\-%c\\fR, \\fB", o->letter);
    fputs("\\-\\-", stdout);
    print_text(o->name);
    fputs("\\fR", stdout);
    if (o->metavar)
        printf(" \\fI%s\\fR", o->metavar);
    putchar('\n');
    print_line(o->help);
    if (!o->choice)
        return;
    puts(".br");
    fputs("One of", stdout);
    for (int k = 0; o->choice(k); k++) {
        fputs(k ? ", " : " ", stdout);
        print_text(o->choice(k));
    }
    puts(".");
}

static void print_command(const command *cmd)
{
    fputs(".SS spgemm ", stdout);
    print_text(cmd->name);
    putchar(' ');
    print_text(cmd->operands);
    putchar('\n');
    print_line(cmd->description);
    for (int k = 0; cmd->operand_choice && cmd->operand_choice(k); k++) {
        puts(".TP");
        fputs("\\fB", stdout);
        print_text(cmd->operand_choice(k));
        puts("\\fR");
        print_line(cmd->choice_help(k));
    }
    for (int k = 0; command_option(cmd, k); k++)
        print_option(command_option(cmd, k));
    puts(".PP\nExample:\n.PP\n.nf\n.RS");
    for (int k = 0; cmd->example[k]; k++)
        print_line(cmd->example[k]);
    puts(".RE\n.fi");
}

void manual_print(void)
{
    printf(".TH SPGEMM 1 \"\" \"spgemm %s\" \"User Commands\"\n",
           SPGEMM_VERSION_STRING);
    puts(".SH NAME\nspgemm \\- multiply sparse matrices, allocating from a "
         "prediction\n.SH SYNOPSIS");
    puts(".B spgemm\n.I COMMAND\n.RI [ ARGUMENT ]...\n.SH DESCRIPTION");
    print_line("Multiplies sparse matrices in compressed rows. The size of the "
               "result is predicted, the result is allocated from the "
               "prediction and computed in one pass.");
    puts(".PP");
    print_line(
        "Matrices are Matrix Market files in coordinate format, plain or "
        "compressed by gzip, xz, bzip2 or zstd, or tar archives as the "
        "SuiteSparse collection serves them, or .npz files as "
        "scipy.sparse.save_npz writes them, in csr, csc or coo; what a file "
        "is, is seen from its content. A file named - is standard input.");
    puts(".PP");
    print_line(
        "A file that is written is one that scipy.sparse.load_npz reads if its "
        "name ends in .npz, and Matrix Market if it ends in .mtx or has no "
        "extension, or the name that mktemp makes, packed by gzip if it ends "
        "in .mtx.gz; other extensions "
        "are refused. The file appears whole or "
        "not at all, whatever ends the program. A file that is replaced keeps "
        "its mode and, where the user may give them, its owner and its group; "
        "of a symbolic link the file that it leads to is replaced, of a hard "
        "link this name alone. Pipes and devices are written as they are. A "
        "file that is read, as an operand or as a mask, is not written.");
    puts(".PP");
    print_line(
        "In messages and tables, the bytes of control characters and those "
        "that are not UTF-8 are printed as \\exNN. The output of --json is "
        "UTF-8; a byte of a file's name that is not is \\exNN there, too.");
    puts(".PP");
    print_line(
        "Values keep their type: those of a real or pattern Matrix "
        "Market file are double, those of an integer one integers of "
        "64 bits, which wrap where a sum outgrows them, those of a "
        "complex one complex double, those of .npz what they are there. "
        "So a pattern is of ones as a Matrix Market file, and Boolean as "
        ".npz: its products are Boolean, too, and count nothing. "
        "Operands of two types are brought to one that holds both; an "
        "integer and a real one meet at double, where integers above "
        "2^53 are rounded.");
    puts(".PP");
    print_line("Files are not trusted. Their checksums are verified where the "
               "format has them. Memory follows what a file holds, and no more "
               "of it is taken than the system and its control groups leave. "
               "What a file only claims is refused with status 4: row pointers "
               "of more than 32 MB for rows that its entries cannot fill, "
               "arrays and entries of more than 128 MB and 128 times the file, "
               "text that unpacks to more than 64 MB and 128 times the file. "
               "--memory-limit raises the first number of each.");
    puts(".SH COMMANDS");
    for (int k = 0; command_at(k); k++)
        print_command(command_at(k));
    puts(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR");
    print_line("Print the help of the program; with a command, its help.");
    puts(".TP\n.B \\-\\-version");
    print_line("Print version, memory and instruction set.");
    puts(".TP\n\\fB\\-\\-completion\\fR \\fISHELL\\fR");
    print_line("Print the completion of bash, zsh or fish.");
    puts(".SH EXIT STATUS");
    for (int k = 0; exit_status_at(k); k++) {
        printf(".TP\n.B %s\n", exit_status_at(k)->number);
        print_line(exit_status_at(k)->help);
    }
    puts(".SH ENVIRONMENT\n.TP\n.B OMP_NUM_THREADS\nThreads to use where "
         "\\-\\-threads is not given.\n.TP\n.B SPGEMM_ISA\nInstruction set to "
         "use: base, avx2 or avx512.");
}
