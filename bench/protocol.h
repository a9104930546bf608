/* SPDX-License-Identifier: BSD-3-Clause */
/* What the driver and the process of a peer say to each other, over a socket:
   a greeting of the peer, then answers to requests until the driver hangs up. */
#ifndef BENCH_PROTOCOL_H
#define BENCH_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>

#include "peers/peer.h"

enum { PROTOCOL_NAME_BYTES = 32 };

typedef struct greeting {
    bool is_open; /* the library started, and has A and B */
    bool is_parallel;
    char version[PEER_VERSION_BYTES];
    char names[PEER_METHODS][PROTOCOL_NAME_BYTES]; /* "": beyond the last */
    unsigned orders[PEER_METHODS];
} greeting;

/* Multiply once. */
typedef struct request {
    int method;
    spgemm_row_order order;
    bool wants_trim; /* before: give all freed memory back */
    bool wants_c;    /* after: write C to the shared file */
} request;

typedef struct answer {
    bool is_done;
    bool has_c;
    double seconds;
    double cpu_seconds; /* user and system, of all threads */
    long page_faults;
    spgemm_report report; /* zero but for this library; no pointers */
} answer;

/** Send or receive a whole message; false if the other side is gone. */
bool protocol_send(int socket, const void *message, size_t length);
bool protocol_receive(int socket, void *message, size_t length);

#endif
