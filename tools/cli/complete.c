/* SPDX-License-Identifier: BSD-3-Clause */
/* Completions for bash, zsh and fish. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "help.h"

/* A word list: choice(0) choice(1) ... */
static void print_choices(const char *(*choice)(int k))
{
    for (int k = 0; choice(k); k++)
        printf("%s%s", k ? " " : "", choice(k));
}

static bool is_file(const option *o)
{
    return o->kind == OPTION_FILE || o->kind == OPTION_OUTPUT;
}

/* Text inside single quotes of a shell, and of a zsh specification. */
static void print_quoted(const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else if (*text == '[' || *text == ']' || *text == ':')
            printf("\\%c", *text);
        else
            putchar(*text);
    }
}

static void print_bash_values(const command *cmd)
{
    const option *o;
    for (int k = 0; (o = command_option(cmd, k)) != NULL; k++) {
        if (o->kind != OPTION_CHOICE)
            continue;
        printf("        %s,--%s", cmd->name, o->name);
        if (o->letter)
            printf("|%s,-%c", cmd->name, o->letter);
        fputs(") words='", stdout);
        print_choices(o->choice);
        puts("' ;;");
    }
}

static void print_bash_words(const command *cmd)
{
    printf("        %s,-*) words='--help", cmd->name);
    for (int k = 0; command_option(cmd, k); k++)
        printf(" --%s", command_option(cmd, k)->name);
    puts("' ;;");
    if (!cmd->operand_choice)
        return;
    printf("        %s,*) words='", cmd->name);
    print_choices(cmd->operand_choice);
    puts("' ;;");
}

static void print_bash(void)
{
    puts("# bash completion for spgemm\n"
         "_spgemm()\n"
         "{\n"
         "    local current=${COMP_WORDS[COMP_CWORD]} words=''\n"
         "    local previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    COMPREPLY=()\n"
         "    if ((COMP_CWORD == 1)); then");
    fputs("        words='--help --version ", stdout);
    print_choices(command_name);
    puts("'\n    else\n        case ${COMP_WORDS[1]},$previous in");
    for (int k = 0; command_at(k); k++)
        print_bash_values(command_at(k));
    puts("        *) case ${COMP_WORDS[1]},$current in");
    for (int k = 0; command_at(k); k++)
        print_bash_words(command_at(k));
    puts("        esac ;;\n"
         "        esac\n"
         "    fi\n"
         "    if [[ -n $words ]]; then\n"
         "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "    else\n"
         "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
         "    fi\n"
         "}\n"
         "complete -o filenames -F _spgemm spgemm");
}

static void print_zsh_option(const option *o)
{
    fputs(" \\\n            '", stdout);
    if (o->letter)
        printf("(-%c --%s)'{-%c,--%s}'", o->letter, o->name, o->letter,
               o->name);
    else
        printf("--%s", o->name);
    putchar('[');
    print_quoted(o->help);
    putchar(']');
    if (o->kind != OPTION_FLAG)
        printf(":%s:", o->metavar);
    if (is_file(o))
        fputs("_files", stdout);
    if (o->kind == OPTION_CHOICE) {
        putchar('(');
        print_choices(o->choice);
        putchar(')');
    }
    putchar('\'');
}

static void print_zsh(void)
{
    puts("#compdef spgemm\n"
         "_spgemm()\n"
         "{\n"
         "    local -a commands\n"
         "    local context state state_descr line\n"
         "    typeset -A opt_args\n"
         "    commands=(");
    for (int k = 0; command_at(k); k++) {
        printf("        '%s:", command_at(k)->name);
        print_quoted(command_at(k)->summary);
        puts("'");
    }
    puts(
        "    )\n"
        "    _arguments -C '--help[print help]' '--version[print version]' \\\n"
        "        '1:command:->command' '*::argument:->argument'\n"
        "    case $state in\n"
        "    command) _describe command commands ;;\n"
        "    argument)\n"
        "        case $words[1] in");
    for (int k = 0; command_at(k); k++) {
        const command *cmd = command_at(k);
        printf("        %s) _arguments '--help[print help]'", cmd->name);
        for (int j = 0; command_option(cmd, j); j++)
            print_zsh_option(command_option(cmd, j));
        if (cmd->operand_choice) {
            fputs(" \\\n            '1:kind:(", stdout);
            print_choices(cmd->operand_choice);
            fputs(")'", stdout);
        } else if (cmd->most_operands > 0) {
            fputs(" \\\n            '*:file:_files'", stdout);
        }
        puts(" ;;");
    }
    puts("        esac ;;\n"
         "    esac\n"
         "}\n"
         "if [ \"$funcstack[1]\" = _spgemm ]; then\n"
         "    _spgemm \"$@\"\n"
         "else\n"
         "    compdef _spgemm spgemm\n"
         "fi");
}

static void print_fish_option(const command *cmd, const option *o)
{
    printf("complete -c spgemm -n '__fish_seen_subcommand_from %s' -l %s",
           cmd->name, o->name);
    if (o->letter)
        printf(" -s %c", o->letter);
    if (is_file(o))
        fputs(" -r -F", stdout);
    else if (o->kind != OPTION_FLAG)
        fputs(" -x", stdout);
    if (o->kind == OPTION_CHOICE) {
        fputs(" -a '", stdout);
        print_choices(o->choice);
        putchar('\'');
    }
    printf(" -d '%s'\n", o->help);
}

static void print_fish(void)
{
    puts("# fish completion for spgemm\n"
         "complete -c spgemm -n __fish_use_subcommand -l help -d 'print help'\n"
         "complete -c spgemm -n __fish_use_subcommand -l version -d 'print "
         "version'");
    for (int k = 0; command_at(k); k++) {
        const command *cmd = command_at(k);
        printf("complete -c spgemm -f -n __fish_use_subcommand -a %s -d '%s'\n",
               cmd->name, cmd->summary);
        for (int j = 0; command_option(cmd, j); j++)
            print_fish_option(cmd, command_option(cmd, j));
        if (!cmd->operand_choice)
            continue;
        printf("complete -c spgemm -f -n '__fish_seen_subcommand_from %s' -a '",
               cmd->name);
        print_choices(cmd->operand_choice);
        puts("'");
    }
}

/* The shells, and who writes for each. */
static const struct {
    const char *name;
    void (*print)(void);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

bool completion_print(const char *shell)
{
    for (size_t k = 0; k < sizeof shells / sizeof *shells; k++) {
        if (strcmp(shells[k].name, shell) == 0) {
            shells[k].print();
            return true;
        }
    }
    return false;
}
