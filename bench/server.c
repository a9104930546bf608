/* SPDX-License-Identifier: BSD-3-Clause */
/* The process of a peer: multiplies when it is asked to, and sleeps otherwise. */
#include "server.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "clocks.h"
#include "protocol.h"
#include "shared.h"

static long page_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static void trim(const peer *p)
{
    if (p->trim)
        p->trim();
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static bool write_c(const peer *p, int file, int64_t nrows, int64_t ncols)
{
    shared_matrix C;
    const int64_t nnz = p->count();
    if (nnz < 0 || !shared_create(&C, file, nrows, ncols, nnz))
        return false;
    const bool is_given = p->give(&C.matrix);
    shared_close(&C);
    return is_given;
}

/* One file twice is one matrix. */
static int right_of(const shared_matrix m[2])
{
    return m[0].block == m[1].block ? 0 : 1;
}

static answer multiply(const peer *p, const request *r, int file,
                       const shared_matrix m[2])
{
    answer a = {0};
    const peer_product asked = {r->method, r->order, right_of(m), &a.report};
    if (r->wants_trim)
        trim(p);
    const long faults = page_faults();
    const double cpu = cpu_clock();
    const double start = wall_clock();
    a.is_done = p->multiply(&asked);
    a.seconds = wall_clock() - start;
    a.cpu_seconds = cpu_clock() - cpu;
    a.page_faults = page_faults() - faults;
    if (!a.is_done)
        return a;
    if (r->wants_c)
        a.has_c = write_c(p, file, m[0].matrix.nrows, m[1].matrix.ncols);
    p->release();
    return a;
}

/* Multiply something tiny, so that no timed call pays for the start of its
   library: loading kernels, making threads. */
static bool warm_up(const peer *p)
{
    static int64_t rowptr[] = {0, 2, 3};
    static int32_t colidx[] = {0, 1, 1};
    static double values[] = {1, 2, 3};
    const spgemm_csr A = {.nrows = 2,
                          .ncols = 2,
                          .nnz = 3,
                          .rowptr = rowptr,
                          .colidx = colidx,
                          .values = values,
                          .flags = SPGEMM_SORTED_ROWS};
    spgemm_report report;
    bool is_done = p->take(0, &A);
    for (int k = 0; is_done && k < PEER_METHODS && p->methods[k].name; k++)
        for (int order = 0; is_done && order < 2; order++)
            if (p->methods[k].orders & 1U << order) {
                const peer_product asked = {k, (spgemm_row_order)order, 0,
                                            &report};
                is_done = p->multiply(&asked);
                if (is_done)
                    p->release();
            }
    return is_done;
}

static greeting greet(const peer *p, int nthreads, const shared_matrix m[2])
{
    greeting g = {.is_parallel = p->is_parallel};
    for (int k = 0; k < PEER_METHODS && p->methods[k].name; k++) {
        snprintf(g.names[k], sizeof g.names[k], "%s", p->methods[k].name);
        g.orders[k] = p->methods[k].orders;
    }
    g.is_open = p->open(nthreads, g.version) && warm_up(p) &&
                p->take(0, &m[0].matrix) &&
                (right_of(m) == 0 || p->take(1, &m[1].matrix));
    return g;
}

int serve(const peer *p, char *const arguments[SERVER_ARGUMENTS])
{
    int numbers[SERVER_ARGUMENTS];
    shared_matrix m[2];
    request r;
    for (int k = 0; k < SERVER_ARGUMENTS; k++)
        numbers[k] = atoi(arguments[k]);
    const int driver = numbers[0];
    if (!shared_open(&m[0], numbers[1]))
        return EXIT_FAILURE;
    m[1] = m[0];
    if (numbers[2] != numbers[1] && !shared_open(&m[1], numbers[2]))
        return EXIT_FAILURE;
    const greeting g = greet(p, numbers[4], m);
    if (!protocol_send(driver, &g, sizeof g) || !g.is_open)
        return EXIT_FAILURE;
    while (protocol_receive(driver, &r, sizeof r)) {
        const answer a = multiply(p, &r, numbers[3], m);
        if (!protocol_send(driver, &a, sizeof a))
            break;
    }
    return EXIT_SUCCESS;
}
