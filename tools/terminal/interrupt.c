/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that ask to end. */
#include "interrupt.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

static const int numbers[] = {SIGINT, SIGTERM};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static volatile sig_atomic_t noted;

static void note(int signal_number)
{
    noted = signal_number;
}

/* Handlers of ours for the default ones, or the other way round. */
static void exchange(void (*from)(int), void (*to)(int))
{
    for (int k = 0; k < NUMBERS; k++) {
        struct sigaction action;
        sigaction(numbers[k], NULL, &action);
        if (action.sa_handler != from)
            continue;
        action = (struct sigaction){.sa_handler = to, .sa_flags = SA_RESTART};
        sigaction(numbers[k], &action, NULL);
    }
}

void interrupt_begin(void)
{
    noted = 0;
    exchange(SIG_DFL, note);
}

void interrupt_end(void)
{
    exchange(note, SIG_DFL);
}

int interrupt_signal(void)
{
    return noted;
}
