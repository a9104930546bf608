/* SPDX-License-Identifier: BSD-3-Clause */
/* An environment in which calls that are repeated take the same time. */
#ifndef BENCH_STEADY_H
#define BENCH_STEADY_H

/**
 * Start this program anew, once, where freed memory stays in the process for
 * the next call and threads that wait do so asleep. Returns in that program, or
 * in this one if it cannot be started.
 */
void steady_restart(char **argv);

#endif
