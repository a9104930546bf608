/* SPDX-License-Identifier: BSD-3-Clause */
/* Who takes the state from FREE goes on, and the other waits: the program, to
   change a name, or the handler of a signal, to remove it and to end. A signal
   is noted before the state is tried, and the note is looked at after the state
   is given back, so that one of the two sees it. */
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

/* Those that end a program by default. Faults of the program itself wait for
   nobody. */
static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGPIPE,
                              SIGALRM, SIGTERM, SIGUSR1,  SIGUSR2,
                              SIGXCPU, SIGPROF, SIGVTALRM};
static const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV};
enum {
    NUMBERS = sizeof numbers / sizeof *numbers,
    FAULTS = sizeof faults / sizeof *faults
};

enum { FREE, HELD, ENDING };
static atomic_int state;
static atomic_int noted;
static int guarded_folder;
static const char *guarded_name;
static int depth;

static bool take(int next)
{
    int now = FREE;
    return atomic_compare_exchange_strong(&state, &now, next);
}

static void remove_name(void)
{
    if (guarded_name)
        unlinkat(guarded_folder, guarded_name, 0);
}

static void end_by(int signal_number)
{
    remove_name();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void handle(int signal_number)
{
    const int before = errno;
    atomic_store(&noted, signal_number);
    if (take(ENDING))
        end_by(signal_number);
    errno = before;
}

static void exchange(int signal_number, void (*from)(int), void (*to)(int))
{
    struct sigaction action;
    sigaction(signal_number, NULL, &action);
    if ((action.sa_flags & SA_SIGINFO) || action.sa_handler != from)
        return;
    action = (struct sigaction){.sa_handler = to, .sa_flags = SA_RESTART};
    sigaction(signal_number, &action, NULL);
}

void guard_begin(void)
{
    static bool is_registered;
    if (!is_registered)
        is_registered = atexit(remove_name) == 0; /* libgomp may exit */
    if (depth++ > 0)
        return;
    for (int k = 0; k < NUMBERS; k++)
        exchange(numbers[k], SIG_DFL, handle);
    for (int k = 0; k < FAULTS; k++)
        exchange(faults[k], SIG_DFL, end_by);
}

void guard_end(void)
{
    if (--depth > 0)
        return;
    for (int k = 0; k < NUMBERS; k++)
        exchange(numbers[k], handle, SIG_DFL);
    for (int k = 0; k < FAULTS; k++)
        exchange(faults[k], end_by, SIG_DFL);
}

void guard_hold(void)
{
    while (!take(HELD))
        pause(); /* another thread's handler ends the program */
}

void guard_name(int folder, const char *name)
{
    guarded_folder = folder;
    guarded_name = name;
}

void guard_release(void)
{
    atomic_store(&state, FREE);
    const int signal_number = atomic_load(&noted);
    if (signal_number != 0 && take(ENDING))
        end_by(signal_number);
}
