/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver's end of a peer. A process that crashes or takes too long costs
   its answer; the driver goes on. */
#include "client.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The same for all: threads that wait do so asleep, because idle processes of
   other peers share the cores; the team has the size that is asked for. */
static void set_environment(const client *c, const client_options *options)
{
    char text[512];
    snprintf(text, sizeof text, "%d", options->nthreads);
    setenv("OMP_NUM_THREADS", text, 1);
    setenv("OMP_WAIT_POLICY", "passive", 1);
    setenv("OMP_DYNAMIC", "false", 1);
    if (c->module) {
        if (options->peers_huge_pages)
            setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 1);
        return;
    }
    /* jemalloc keeps what is freed, however long the others take. */
    const char *given = getenv("MALLOC_CONF");
    snprintf(text, sizeof text, "dirty_decay_ms:-1,muzzy_decay_ms:-1%s%s",
             given ? "," : "", given ? given : "");
    setenv("MALLOC_CONF", text, 1);
}

static void keep_open(int file)
{
    fcntl(file, F_SETFD, 0);
}

/* If memory runs out, the system is to end this process, not the driver. */
static void offer_to_die_first(void)
{
    const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    if (write(file, "1000", 4) != 4)
        errno = 0;
    close(file);
}

/* The program bench_peer lies beside this one. */
static void program_of(const client *c, char path[PATH_MAX])
{
    const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 16);
    path[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(path, '/');
    if (c->module && slash)
        memcpy(slash + 1, "bench_peer", sizeof "bench_peer");
}

static void run_process(const client *c, int socket, const product_files *files,
                        const client_options *options)
{
    char path[PATH_MAX];
    char numbers[5][12];
    const int values[5] = {socket, files->a, files->b, files->c,
                           options->nthreads};
    for (int k = 0; k < 5; k++)
        snprintf(numbers[k], sizeof numbers[k], "%d", values[k]);
    for (int k = 0; k < 4; k++)
        keep_open(values[k]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    offer_to_die_first();
    set_environment(c, options);
    program_of(c, path);
    dup2(STDERR_FILENO, STDOUT_FILENO); /* standard output is the CSV */
    execl(path, path, c->module ? c->module : "--serve", numbers[0], numbers[1],
          numbers[2], numbers[3], numbers[4], (char *)NULL);
    _exit(127);
}

static void forget(client *c)
{
    close(c->socket);
    c->process = 0;
    c->socket = -1;
}

/* End the process, and tell how it ended: `late` if that is why. */
static void end(client *c, bool is_late, const client_options *options)
{
    int status = 0;
    if (is_late)
        kill(c->process, SIGKILL);
    waitpid(c->process, &status, 0);
    if (is_late)
        snprintf(c->why, sizeof c->why, "took more than %g s",
                 options->limit_seconds);
    else if (WIFSIGNALED(status))
        snprintf(c->why, sizeof c->why, "ended by signal %d (%s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(c->why, sizeof c->why, "ended with status %d",
                 WEXITSTATUS(status));
    forget(c);
}

static bool receive(client *c, void *message, size_t length,
                    const client_options *options)
{
    struct pollfd wait = {.fd = c->socket, .events = POLLIN};
    int ready;
    do {
        ready = poll(&wait, 1, (int)(1000 * options->limit_seconds));
    } while (ready < 0 && errno == EINTR);
    if (ready > 0 && protocol_receive(c->socket, message, length))
        return true;
    end(c, ready == 0, options);
    return false;
}

bool client_start(client *c, const product_files *files,
                  const client_options *options)
{
    int pair[2];
    c->process = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0 ||
        (c->process = fork()) < 0) {
        snprintf(c->why, sizeof c->why, "no process: %s", strerror(errno));
        c->process = 0;
        return false;
    }
    if (c->process == 0)
        run_process(c, pair[1], files, options);
    close(pair[1]);
    c->socket = pair[0];
    if (!receive(c, &c->greeting, sizeof c->greeting, options))
        return false;
    if (!c->greeting.is_open) {
        end(c, false, options);
        snprintf(c->why, sizeof c->why, "did not take the matrices");
        return false;
    }
    return true;
}

bool client_ask(client *c, const request *r, answer *a,
                const client_options *options)
{
    if (protocol_send(c->socket, r, sizeof *r))
        return receive(c, a, sizeof *a, options);
    end(c, false, options);
    return false;
}

void client_stop(client *c)
{
    if (!c->process)
        return;
    shutdown(c->socket, SHUT_RDWR);
    kill(c->process, SIGKILL);
    waitpid(c->process, NULL, 0);
    forget(c);
}
