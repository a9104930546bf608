/* SPDX-License-Identifier: BSD-3-Clause */
/* The process of a peer. */
#ifndef BENCH_SERVER_H
#define BENCH_SERVER_H

#include "peers/peer.h"

/** Files that the driver left open, by their numbers, in this order on the
    command line of the process: SOCKET A B C THREADS. */
enum { SERVER_ARGUMENTS = 5 };

/** Serve until the driver hangs up; the exit status of the process. */
int serve(const peer *p, char *const arguments[SERVER_ARGUMENTS]);

#endif
