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
#include <unistd.h>

/* Those that end a program by default, and that a program may handle: faults of
   the program itself are left alone. */
static const int numbers[] = {SIGHUP,  SIGINT,  SIGQUIT,  SIGPIPE,
                              SIGALRM, SIGTERM, SIGUSR1,  SIGUSR2,
                              SIGXCPU, SIGPROF, SIGVTALRM};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

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

static void end_by(int signal_number)
{
    if (guarded_name)
        unlinkat(guarded_folder, guarded_name, 0);
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

static void exchange(void (*from)(int), void (*to)(int))
{
    for (int k = 0; k < NUMBERS; k++) {
        struct sigaction action;
        sigaction(numbers[k], NULL, &action);
        if ((action.sa_flags & SA_SIGINFO) || action.sa_handler != from)
            continue;
        action = (struct sigaction){.sa_handler = to, .sa_flags = SA_RESTART};
        sigaction(numbers[k], &action, NULL);
    }
}

void guard_begin(void)
{
    if (depth++ == 0)
        exchange(SIG_DFL, handle);
}

void guard_end(void)
{
    if (--depth == 0)
        exchange(handle, SIG_DFL);
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
