/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of commands and their options. It parses the command line, and
   writes the help, the manual page and the completions. */
#ifndef TOOLS_OPTIONS_H
#define TOOLS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_INTEGER, /* in [least, most] */
    OPTION_NUMBER,  /* any number: its command knows the range */
    OPTION_BYTES,   /* a whole number, times 10^3, 10^6 or 10^9: K, M, G */
    OPTION_CHOICE,  /* one of choice(0), choice(1), ... */
    OPTION_FILE
} option_kind;

typedef struct option {
    const char *name; /* without the dashes */
    char letter;      /* '\0': none */
    option_kind kind;
    const char *metavar; /* what stands for its value in the help */
    const char *help;
    int64_t least;
    int64_t most;
    const char *(*choice)(int k); /* NULL beyond the last */
} option;

enum { MOST_OPERANDS = 5, MOST_OPTIONS = 16 };

typedef struct arguments arguments;

typedef struct command {
    const char *name;
    const char *operands; /* as in the help: "A [B]" */
    int least_operands;
    int most_operands;
    const char *(*operand_choice)(
        int k); /* of the first operand; NULL: files */
    const char *summary;
    const char *description;
    const char *(*choice_help)(int k);   /* of operand_choice(k) */
    const option *options[MOST_OPTIONS]; /* ended by NULL */
    const char *example[4];              /* shell commands, ended by NULL */
    int (*run)(const arguments *args);
} command;

struct arguments {
    const command *command;
    const char *operands[MOST_OPERANDS]; /* NULL beyond the last */
    int noperands;
    const char *texts[MOST_OPTIONS]; /* value of cmd->options[k], or NULL */
    int64_t integers[MOST_OPTIONS];
    double numbers[MOST_OPTIONS];
    bool wants_help;
};

/** Command k; NULL beyond the last. */
const command *command_at(int k);

/** Its name; NULL beyond the last. */
const char *command_name(int k);

/** The command of this name, or NULL. */
const command *command_find(const char *name);

/** Parse what follows the command's name; false, after a message, if it is
    not as the table says. */
bool arguments_parse(arguments *args,
                     const command *cmd,
                     int count,
                     char *const *words);

/** Whether an option of the command was given. */
bool arguments_has(const arguments *args, const char *name);

/** The value of an option, or `fallback`. */
const char *
arguments_text(const arguments *args, const char *name, const char *fallback);
int64_t
arguments_integer(const arguments *args, const char *name, int64_t fallback);
double
arguments_number(const arguments *args, const char *name, double fallback);

/** The predictor of an option's value; AUTO if it was not given. */
int arguments_predictor(const arguments *args, const char *name);

/** A whole number in [least, most]; false if the text is not one. */
bool parse_integer(const char *text, int64_t least, int64_t most, int64_t *n);

#endif
