/* SPDX-License-Identifier: BSD-3-Clause */
/* spgemm: the command line of the library. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SPGEMM_JEMALLOC
#include <jemalloc/jemalloc.h>
#endif

#include "commands.h"
#include "help.h"
#include "message.h"
#include "progress.h"
#include "result.h"
#include "spgemm/spgemm.h"
#include "status.h"
#include "threads.h"

/* The library refers to jemalloc weakly; this reference keeps it in the
   program however the linker is asked to save libraries. */
static bool has_jemalloc(void)
{
#ifdef SPGEMM_JEMALLOC
    const char *version;
    size_t length = sizeof version;
    return mallctl("version", (void *)&version, &length, NULL, 0) == 0;
#else
    return false;
#endif
}

/* The instruction set of the kernels: a product of one by one reports it. */
static const char *kernel_isa(void)
{
    static const int64_t rowptr[] = {0, 1};
    static const int32_t colidx[] = {0};
    static const double values[] = {1};
    const spgemm_csr A = spgemm_csr_view(1, 1, 1, rowptr, colidx, values,
                                         SPGEMM_I32, SPGEMM_FP64);
    spgemm_csr C = {0};
    spgemm_report report = {0};
    const spgemm_status status = spgemm_predicted(&C, &A, &A, NULL, &report);
    spgemm_csr_destroy(&C);
    return status == SPGEMM_SUCCESS ? report.isa : "none";
}

static int print_version(void)
{
    printf("spgemm %s\nmemory: %s%s\ninstruction set: %s\n", spgemm_version(),
           spgemm_memory_name(),
           has_jemalloc() ? "" : " (built without jemalloc)", kernel_isa());
    return TOOL_OK;
}

static int print_completion(const char *shell)
{
    if (shell && completion_print(shell))
        return TOOL_OK;
    return message(TOOL_USAGE, "--completion: bash, zsh or fish");
}

static int run_command(const command *cmd, int count, char *const *words)
{
    arguments args;
    if (!arguments_parse(&args, cmd, count, words))
        return TOOL_USAGE;
    if (args.wants_help) {
        arguments_help(cmd);
        return TOOL_OK;
    }
    if (arguments_has(&args, "no-progress"))
        progress_silence();
    threads_set(&args);
    return cmd->run(&args);
}

static int refuse(const char *word)
{
    const char *meant = nearest(word, command_name);
    return message(TOOL_USAGE, "unknown %s '%s'%s%s%s",
                   word[0] == '-' ? "option" : "command", word,
                   meant ? "; did you mean '" : "", meant ? meant : "",
                   meant ? "'?" : "; see spgemm --help");
}

static int print_help_of(const char *word)
{
    const command *cmd = command_find(word);
    if (!cmd)
        return refuse(word);
    arguments_help(cmd);
    return TOOL_OK;
}

static int run(int count, char *const *words)
{
    const char *first = count > 1 ? words[1] : "--help";
    const command *cmd = command_find(first);
    if (cmd)
        return run_command(cmd, count - 2, words + 2);
    if (strcmp(first, "--version") == 0)
        return print_version();
    if (strcmp(first, "--man") == 0) {
        manual_print();
        return TOOL_OK;
    }
    if (strcmp(first, "--completion") == 0)
        return print_completion(count > 2 ? words[2] : NULL);
    if (strcmp(first, "--help") != 0 && strcmp(first, "-h") != 0 &&
        strcmp(first, "help") != 0)
        return refuse(first);
    if (strcmp(first, "help") == 0 && count > 2)
        return print_help_of(words[2]);
    help_print();
    return count > 1 ? TOOL_OK : TOOL_USAGE;
}

/* No file is opened in the place of a standard stream that is closed: words
   would go into it. What is opened there cannot be used either. */
static void fill_standard_streams(void)
{
    static const int useless[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int k = STDIN_FILENO; k <= STDERR_FILENO; k++)
        if (fcntl(k, F_GETFD) < 0 && open("/dev/null", useless[k]) != k)
            _exit(TOOL_FAILURE);
}

/* A library that gives up, as OpenMP's does for want of memory, ends the
   process with status 1, which would mean a difference. */
static bool is_finished;

static void correct_status(void)
{
    if (!is_finished)
        _exit(message(TOOL_FAILURE, "ended by a library: see above"));
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    atexit(correct_status);
    /* A file that outgrows its limit is an error of write(), not a death. */
    signal(SIGXFSZ, SIG_IGN);
    /* Words are written at the end, so that the reason of a failure is known. */
    static char words_out[1 << 17];
    setvbuf(stdout, words_out, _IOFBF, sizeof words_out);
    const int status = result_finish(run(argc, argv));
    is_finished = true;
    return status;
}
