/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line, read as the table of options says. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "arguments.h"
#include "message.h"
#include "status.h"

static const option help_option = {"help", .letter = 'h',
                                   .help = "print this help"};

/* The options of the command that is being parsed: nearest() takes no more
   than a number. */
static const command *current;

const option *command_option(const command *cmd, int k)
{
    for (const option *o = cmd->options; o->name; o++)
        if ((!cmd->bit || o->of & cmd->bit) && k-- == 0)
            return o;
    return NULL;
}

static int option_count(const command *cmd)
{
    int count = 0;
    while (command_option(cmd, count))
        count++;
    return count;
}

/* --help is behind the last. */
static const option *option_at(const command *cmd, int k)
{
    return k < option_count(cmd) ? command_option(cmd, k) : &help_option;
}

static const char *current_option_name(int k)
{
    return k <= option_count(current) ? option_at(current, k)->name : NULL;
}

/* The option's number; option_count() for --help, -1 for none. */
static int find_option(const command *cmd, const char *name, size_t length,
                       char letter)
{
    for (int k = 0; k <= option_count(cmd); k++) {
        const option *o = option_at(cmd, k);
        if (letter ? o->letter == letter
                   : strlen(o->name) == length &&
                         strncmp(o->name, name, length) == 0)
            return k;
    }
    return -1;
}

bool parse_integer(const char *text, int64_t least, int64_t most, int64_t *n)
{
    char *end;
    errno = 0;
    const intmax_t value = strtoimax(text, &end, 10);
    if (end == text || *end || errno || value < least || value > most)
        return false;
    *n = value;
    return true;
}

/* 1500000, 1500K, 2G: bytes. */
static bool parse_bytes(const char *text, int64_t least, int64_t *bytes)
{
    static const char suffixes[] = "KMG";
    char *end;
    errno = 0;
    const intmax_t value = strtoimax(text, &end, 10);
    int64_t unit = 1;
    const char *suffix = *end ? strchr(suffixes, *end) : NULL;
    if (suffix) {
        for (const char *s = suffixes; s <= suffix; s++)
            unit *= 1000;
        end++;
    }
    return end != text && !*end && !errno && value >= least &&
           !__builtin_mul_overflow((int64_t)value, unit, bytes);
}

/* Without limits any number will do, NaN among them. */
static bool parse_number(const option *o, const char *text, double *x)
{
    char *end;
    *x = strtod(text, &end);
    return end != text && !*end &&
           (o->least == o->most ||
            (*x >= (double)o->least && *x <= (double)o->most));
}

static bool store_choice(const option *o, const char *text)
{
    for (int k = 0; o->choice(k); k++)
        if (strcmp(o->choice(k), text) == 0)
            return true;
    char all[CHOICES_BYTES];
    const char *meant = nearest(text, o->choice);
    message(TOOL_USAGE, "--%s: unknown %s '%s'%s%s%s", o->name, o->metavar,
            text, meant ? "; did you mean '" : ": one of ",
            meant ? meant : help_choices(all, o->choice), meant ? "'?" : "");
    return false;
}

static bool store(arguments *args, int k, const char *text)
{
    const option *o = command_option(args->command, k);
    args->texts[k] = text;
    if (o->kind == OPTION_CHOICE)
        return store_choice(o, text);
    if (o->kind == OPTION_INTEGER &&
        !parse_integer(text, o->least, o->most, &args->integers[k])) {
        message(TOOL_USAGE,
                "--%s: '%s' is not a whole number in %" PRId64 "..%" PRId64,
                o->name, text, o->least, o->most);
        return false;
    }
    if (o->kind == OPTION_BYTES &&
        !parse_bytes(text, o->least, &args->integers[k])) {
        message(TOOL_USAGE,
                "--%s: '%s' is not a number of bytes, such as 1500000, 1500K, "
                "300M or 2G",
                o->name, text);
        return false;
    }
    if (o->kind == OPTION_NUMBER && !parse_number(o, text, &args->numbers[k])) {
        message(TOOL_USAGE, "--%s: '%s' is not a number", o->name, text);
        return false;
    }
    return true;
}

/* Which command of its program; "": it is the program. */
static const char *of_command(const command *cmd)
{
    return cmd->program ? cmd->name : "";
}

/* The long option that `name` was meant to be: under the name that it has in
   another command, or mistyped; NULL: none. */
static const char *meant_option(const command *cmd, const char *name)
{
    const size_t length = strcspn(name, "=");
    const option *o;
    for (int k = 0; (o = command_option(cmd, k)) != NULL; k++)
        if (o->also && strlen(o->also) == length &&
            strncmp(o->also, name, length) == 0)
            return o->name;
    current = cmd;
    return nearest(name, current_option_name);
}

static bool refuse_option(const command *cmd, const char *word)
{
    const char *meant = word[1] == '-' ? meant_option(cmd, word + 2) : NULL;
    message(TOOL_USAGE, "%s%sunknown option '%s'%s%s%s", of_command(cmd),
            cmd->program ? ": " : "", word, meant ? "; did you mean '--" : "",
            meant ? meant : "", meant ? "'?" : "");
    return false;
}

/* The option words[0], with its value in the same word or in words[1];
   *taken becomes the number of words. */
static bool parse_option(arguments *args, int count, char *const *words,
                         int *taken)
{
    const command *cmd = args->command;
    const char *word = words[0];
    const bool is_long = word[1] == '-';
    const char *name = word + 1 + is_long;
    const size_t length = strcspn(name, "=");
    const char *value = NULL;
    const int k = find_option(cmd, name, length, is_long ? '\0' : *name);
    if (k < 0)
        return refuse_option(cmd, word);
    const option *o = option_at(cmd, k);
    if (is_long)
        value = name[length] ? name + length + 1 : NULL;
    else if (name[1])
        value = name + 1;
    *taken = 1;
    if (o->kind == OPTION_FLAG) {
        if (value) {
            message(TOOL_USAGE, "--%s takes no value", o->name);
            return false;
        }
        if (o == &help_option)
            args->wants_help = true;
        else
            args->texts[k] = "";
        return true;
    }
    if (!value) {
        if (count < 2) {
            message(TOOL_USAGE, "--%s needs a value: %s", o->name, o->metavar);
            return false;
        }
        value = words[1];
        *taken = 2;
    }
    return store(args, k, value);
}

static bool store_operand(arguments *args, const char *word)
{
    if (args->noperands == args->command->most_operands) {
        message(TOOL_USAGE, "%s%sone argument too many: '%s'",
                of_command(args->command), args->command->program ? ": " : "",
                word);
        return false;
    }
    args->operands[args->noperands++] = word;
    return true;
}

bool arguments_parse(arguments *args, const command *cmd, int count,
                     char *const *words)
{
    bool only_operands = false;
    *args = (arguments){.command = cmd};
    for (int w = 0; w < count;) {
        const char *word = words[w];
        int taken = 1;
        if (!only_operands && strcmp(word, "--") == 0)
            only_operands = true;
        else if (!only_operands && word[0] == '-' && word[1]) {
            if (!parse_option(args, count - w, words + w, &taken))
                return false;
        } else if (!store_operand(args, word))
            return false;
        w += taken;
    }
    if (!args->wants_help && args->noperands < cmd->least_operands) {
        message(TOOL_USAGE, "%s needs %s; see %s%s%s --help", cmd->name,
                cmd->operands, cmd->program ? cmd->program : "",
                cmd->program ? " " : "", cmd->name);
        return false;
    }
    return true;
}

void arguments_of_program(arguments *args, const command *program, int argc,
                          char *const *argv)
{
    message_set_program(program->name);
    if (!arguments_parse(args, program, argc - 1, argv + 1))
        exit(TOOL_USAGE);
    if (!args->wants_help)
        return;
    arguments_help(program);
    exit(TOOL_OK);
}

static int given(const arguments *args, const char *name)
{
    const int k = find_option(args->command, name, strlen(name), '\0');
    return k >= 0 && k < option_count(args->command) && args->texts[k] ? k : -1;
}

bool arguments_has(const arguments *args, const char *name)
{
    return given(args, name) >= 0;
}

const char *arguments_text(const arguments *args, const char *name,
                           const char *fallback)
{
    const int k = given(args, name);
    return k < 0 ? fallback : args->texts[k];
}

int64_t arguments_integer(const arguments *args, const char *name,
                          int64_t fallback)
{
    const int k = given(args, name);
    return k < 0 ? fallback : args->integers[k];
}

double arguments_number(const arguments *args, const char *name,
                        double fallback)
{
    const int k = given(args, name);
    return k < 0 ? fallback : args->numbers[k];
}

int arguments_predictor(const arguments *args, const char *name)
{
    const char *text = arguments_text(args, name, NULL);
    for (int p = 1; text && p < SPGEMM_PREDICTOR_CALLER; p++)
        if (strcmp(spgemm_predictor_name((spgemm_predictor)p), text) == 0)
            return p;
    return SPGEMM_PREDICTOR_AUTO;
}
