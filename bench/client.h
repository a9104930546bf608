/* SPDX-License-Identifier: BSD-3-Clause */
/* The driver's end of a peer: its process, started, asked and stopped. */
#ifndef BENCH_CLIENT_H
#define BENCH_CLIENT_H

#include <sys/types.h>

#include "protocol.h"
#include "shared.h"

/** What all peers of a product share. */
typedef struct product_files {
    int a;
    int b; /* a itself: B is A */
    int c; /* C of the last answer that has one */
} product_files;

typedef struct client {
    const char *module; /* path; NULL: this library, in this program */
    pid_t process;      /* 0: none */
    int socket;
    greeting greeting;
    char why[128]; /* why there is no process */
} client;

/** How processes are started. */
typedef struct client_options {
    int nthreads;
    double limit_seconds;  /* for one answer */
    bool peers_huge_pages; /* malloc of the peers asks for huge pages */
} client_options;

/** Start the process and wait for its greeting; false: why says why not. */
bool client_start(client *c, const product_files *files,
                  const client_options *options);

/** Multiply once. false: the process is gone, why says how it ended. */
bool client_ask(client *c, const request *r, answer *a,
                const client_options *options);

/** End the process if it is there. */
void client_stop(client *c);

#endif
