/* SPDX-License-Identifier: BSD-3-Clause */
/* libarchive ends the process, or crashes, where memory is short: it may, in a
   process that does nothing else. That one sends frames, a head and so many
   bytes: a member's name, some of its content, or a failure. */
#include "member_pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scratch.h"

enum { BLOCK_BYTES = 256 << 10, NAME_BYTES = 256 };

typedef enum frame_type { NOTHING, MEMBER, CONTENT, FAILURE, END } frame_type;

typedef struct frame {
    int32_t type;
    int32_t status; /* of a failure */
    uint32_t size;  /* of what follows */
} frame;

/* ---- The process that reads --------------------------------------------- */

static void send_frame(int pipe, frame_type type, spgemm_status status,
                       const void *bytes, size_t size)
{
    const frame head = {(int32_t)type, (int32_t)status, (uint32_t)size};
    if (!scratch_write(pipe, &head, sizeof head) ||
        !scratch_write(pipe, bytes, size))
        _exit(EXIT_FAILURE);
}

static void send_members(members *m, int pipe)
{
    static char block[BLOCK_BYTES];
    const char *name;
    while ((name = m->next(m)) != NULL) {
        ptrdiff_t got;
        send_frame(pipe, MEMBER, SPGEMM_SUCCESS, name, strlen(name));
        while ((got = m->read(m, block, sizeof block)) > 0)
            send_frame(pipe, CONTENT, SPGEMM_SUCCESS, block, (size_t)got);
        if (got < 0)
            break;
    }
    if (m->status < 0)
        send_frame(pipe, FAILURE, m->status, m->why, strlen(m->why));
    else
        send_frame(pipe, END, SPGEMM_SUCCESS, "", 0);
}

/* What a library has to say before it gives up is not for the user. */
static void silence_errors(void)
{
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
}

static _Noreturn void run_child(member_pipe_open_fn *open, void *context,
                                int pipe)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGPIPE, SIG_DFL);
    silence_errors();
    members *m = open(context);
    if (!m)
        _exit(EXIT_FAILURE);
    send_members(m, pipe);
    _exit(EXIT_SUCCESS);
}

/* ---- The process that wants to know ------------------------------------- */

typedef struct member_pipe {
    members base;
    int pipe;
    pid_t child;
    frame head;    /* of the frame that is being taken */
    uint32_t left; /* bytes of it */
    char name[NAME_BYTES];
} member_pipe;

/* The other process is gone without a word. */
static int report_death(member_pipe *p)
{
    int ended = 0;
    const bool is_known =
        p->child > 0 && waitpid(p->child, &ended, 0) == p->child;
    p->child = 0;
    if (is_known && WIFSIGNALED(ended))
        return members_fail(&p->base, SPGEMM_ERROR_OUT_OF_MEMORY,
                            "the process that unpacks it was ended by signal "
                            "%d, as for want of memory",
                            WTERMSIG(ended));
    return members_fail(&p->base, SPGEMM_ERROR_OUT_OF_MEMORY,
                        "out of memory while it was unpacked");
}

static int take_failure(member_pipe *p)
{
    char why[sizeof p->base.why] = "";
    const size_t size = p->left < sizeof why - 1 ? p->left : sizeof why - 1;
    if (!scratch_read(p->pipe, why, size))
        return report_death(p);
    return members_fail(&p->base, (spgemm_status)p->head.status, "%s", why);
}

/* The head of the next frame; false: failed. */
static bool take_head(member_pipe *p)
{
    if (p->base.status < 0)
        return false;
    if (!scratch_read(p->pipe, &p->head, sizeof p->head)) {
        report_death(p);
        return false;
    }
    p->left = p->head.size;
    if (p->head.type == FAILURE)
        take_failure(p);
    return p->head.type != FAILURE;
}

static ptrdiff_t read_member(members *m, void *buffer, size_t size)
{
    member_pipe *p = (member_pipe *)m;
    if (p->head.type == CONTENT && p->left == 0 && !take_head(p))
        return -1;
    if (p->base.status < 0 || p->head.type != CONTENT)
        return p->base.status < 0 ? -1 : 0;
    const ptrdiff_t got =
        scratch_read_some(p->pipe, buffer, size < p->left ? size : p->left);
    if (got <= 0)
        return report_death(p);
    p->left -= (uint32_t)got;
    return got;
}

/* What is left of a member is passed over. */
static const char *next_member(members *m)
{
    member_pipe *p = (member_pipe *)m;
    char passed[4096];
    if (p->head.type == NOTHING && !take_head(p))
        return NULL;
    while (read_member(m, passed, sizeof passed) > 0)
        ;
    if (p->base.status < 0 || p->head.type != MEMBER)
        return NULL;
    const size_t size =
        p->left < sizeof p->name - 1 ? p->left : sizeof p->name - 1;
    if (!scratch_read(p->pipe, p->name, size)) {
        report_death(p);
        return NULL;
    }
    p->name[size] = '\0';
    p->head.type = CONTENT;
    p->left = 0;
    return p->name;
}

/* The other process may be waiting for input that nobody wants any more. */
static void close_pipe(members *m)
{
    member_pipe *p = (member_pipe *)m;
    close(p->pipe);
    if (p->child > 0) {
        kill(p->child, SIGKILL);
        waitpid(p->child, NULL, 0);
    }
    free(p);
}

members *member_pipe_open(member_pipe_open_fn *open, void *context)
{
    int ends[2];
    member_pipe *p = calloc(1, sizeof *p);
    if (!p || pipe2(ends, O_CLOEXEC) != 0) {
        free(p);
        return NULL;
    }
    *p = (member_pipe){
        .base = {next_member, read_member, close_pipe, SPGEMM_SUCCESS, ""},
        .pipe = ends[0]};
    (void)fcntl(ends[1], F_SETPIPE_SZ, 4 * BLOCK_BYTES);
    p->child = fork();
    if (p->child == 0) {
        close(ends[0]);
        run_child(open, context, ends[1]);
    }
    const int why = errno;
    close(ends[1]);
    if (p->child > 0)
        return &p->base;
    close_pipe(&p->base);
    errno = why;
    return NULL;
}
