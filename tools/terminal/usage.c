/* SPDX-License-Identifier: BSD-3-Clause */
/* Help on the terminal. */
#include <stdio.h>
#include <string.h>

#include "arguments.h"

enum { LINE_WIDTH = 78, TERM_WIDTH = 24 };

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

void help_term(const char *term, const char *text)
{
    const int width = printf("  %s", term);
    if (width > TERM_WIDTH - 2)
        printf("\n%*s", TERM_WIDTH, "");
    else
        printf("%*s", TERM_WIDTH - width, "");
    print_wrapped(text, TERM_WIDTH, TERM_WIDTH);
}

char *help_choices(char text[CHOICES_BYTES], const char *(*choice)(int k))
{
    text[0] = '\0';
    for (int k = 0, used = 0; choice(k) && used < CHOICES_BYTES; k++)
        used += snprintf(text + used, CHOICES_BYTES - (size_t)used, "%s%s",
                         k ? ", " : "", choice(k));
    return text;
}

static void print_option(const option *o)
{
    char term[64];
    const char letter[] = {'-', o->letter, ',', ' ', '\0'};
    snprintf(term, sizeof term, "%s--%s%s%s", o->letter ? letter : "    ",
             o->name, o->metavar ? " " : "", o->metavar ? o->metavar : "");
    help_term(term, o->help);
    if (!o->choice)
        return;
    char choices[CHOICES_BYTES];
    printf("%*s", TERM_WIDTH, "");
    print_wrapped(help_choices(choices, o->choice), TERM_WIDTH, TERM_WIDTH);
}

void help_text(const char *text)
{
    print_wrapped(text, 0, 0);
}

void arguments_help(const command *cmd)
{
    printf("Usage: %s%s%s%s%s [OPTION]...\n\n",
           cmd->program ? cmd->program : "", cmd->program ? " " : "", cmd->name,
           *cmd->operands ? " " : "", cmd->operands);
    help_text(cmd->description);
    if (cmd->operand_choice) {
        puts("\nKinds:");
        for (int k = 0; cmd->operand_choice(k); k++)
            help_term(cmd->operand_choice(k), cmd->choice_help(k));
    }
    puts("\nOptions:");
    for (int k = 0; command_option(cmd, k); k++)
        print_option(command_option(cmd, k));
    help_term("-h, --help", "print this help");
    if (cmd->example[0])
        puts("\nExample:");
    for (int k = 0; cmd->example[k]; k++)
        printf("  $ %s\n", cmd->example[k]);
}
