/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals that ask to end: noted, where something long can be ended in order. */
#ifndef TOOLS_INTERRUPT_H
#define TOOLS_INTERRUPT_H

/** From here on SIGINT and SIGTERM are noted, unless they are ignored; and
    until here. One at a time. */
void interrupt_begin(void);
void interrupt_end(void);

/** The signal that was noted, or 0. */
int interrupt_signal(void);

/** How a program ends that a signal has ended, as shells have it. */
static inline int interrupt_status(int signal_number)
{
    return 128 + signal_number;
}

#endif
