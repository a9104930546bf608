/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line may say, as a table: of a command of a program, or of a
   program that is one. It is read, and its help printed, as the table says. */
#ifndef TOOLS_ARGUMENTS_H
#define TOOLS_ARGUMENTS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_INTEGER, /* in [least, most] */
    OPTION_NUMBER,  /* in [least, most], or any: its command knows the range */
    OPTION_BYTES,   /* a whole number, times 10^3, 10^6 or 10^9: K, M, G */
    OPTION_CHOICE,  /* one of choice(0), choice(1), ... */
    OPTION_FILE,    /* that is read */
    OPTION_OUTPUT,  /* a file that is written */
    OPTION_TEXT     /* its command reads it */
} option_kind;

typedef struct option {
    const char *name; /* without the dashes */
    option_kind kind;
    const char *metavar; /* what stands for its value in the help */
    char letter;         /* '\0': none */
    int64_t least;
    int64_t most;
    const char *(*choice)(int k); /* NULL beyond the last */
    const char *also; /* what another command calls the same; NULL: nothing */
    unsigned of;      /* bits of the commands that have it */
    const char *help;
} option;

enum { MOST_OPERANDS = 256, MOST_OPTIONS = 32 };

typedef struct arguments arguments;

typedef struct command {
    const char *program; /* it is a command of this; NULL: it is the program */
    const char *name;
    const option *options; /* ended by one without a name */
    unsigned bit;          /* in option.of; 0: it has all of them */
    const char *operands;  /* as in the help: "A [B]" */
    int least_operands;
    int most_operands;
    /* What the first operand is, and what that means; NULL: it is a file. */
    const char *(*operand_choice)(int k);
    const char *(*choice_help)(int k);
    const char *summary;
    const char *description;
    const char *example[4]; /* shell commands, ended by NULL */
    int (*run)(const arguments *args);
} command;

struct arguments {
    const command *command;
    const char *operands[MOST_OPERANDS]; /* NULL beyond the last */
    int noperands;
    const char
        *texts[MOST_OPTIONS]; /* value of command_option(cmd, k) or NULL */
    int64_t integers[MOST_OPTIONS];
    double numbers[MOST_OPTIONS];
    bool wants_help;
};

/** Option k of a command; NULL beyond the last. */
const option *command_option(const command *cmd, int k);

/** Parse what follows the command's name; false, after a message, if it is
    not as the table says. */
bool arguments_parse(arguments *args, const command *cmd, int count,
                     char *const *words);

/** The same for a program that is one command: it ends after its help, or after
    a message. */
void arguments_of_program(arguments *args, const command *program, int argc,
                          char *const *argv);

/** Whether an option of the command was given. */
bool arguments_has(const arguments *args, const char *name);

/** The value of an option, or `fallback`. */
const char *arguments_text(const arguments *args, const char *name,
                           const char *fallback);
int64_t arguments_integer(const arguments *args, const char *name,
                          int64_t fallback);
double arguments_number(const arguments *args, const char *name,
                        double fallback);

/** The predictor of an option's value; AUTO if it was not given. */
int arguments_predictor(const arguments *args, const char *name);

/** What the table says, on standard output. */
void arguments_help(const command *cmd);

enum { CHOICES_BYTES = 512 };

/** choice(0), choice(1), ..., as text; returns `text`. */
char *help_choices(char text[CHOICES_BYTES], const char *(*choice)(int k));

/** A term of a help, and what it is; a text in lines. */
void help_term(const char *term, const char *text);
void help_text(const char *text);

/** A whole number in [least, most]; false if the text is not one. */
bool parse_integer(const char *text, int64_t least, int64_t most, int64_t *n);

#endif
