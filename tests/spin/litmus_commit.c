/* SPDX-License-Identifier: BSD-3-Clause */
/* Hand-offs of the real commit queue: two threads publish neighbouring blocks
   at the same moment, and each moves the frontier if it finds the lock free.
   A block that nobody places is a lost hand-off: with an unlock that is only a
   release store, some in a million are lost on x86. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "spgemm/execute/commit.h"

enum { THREADS = 2, BLOCKS_A_THREAD = 4, BLOCKS = THREADS * BLOCKS_A_THREAD };

typedef struct race {
    long rounds;
    long lost;
    atomic_long arrived; /* threads at the barrier, over all rounds */
    memory m;
    schedule p;
    growable entries;
    commit_queue q;
    int64_t rowptr[1];
    result results[BLOCKS];
} race;

typedef struct racer {
    race *r;
    int me;
} racer;

/* All threads reach step `step` before one goes on. */
static void meet(race *r, long step)
{
    atomic_fetch_add(&r->arrived, 1);
    for (long spins = 0; atomic_load(&r->arrived) < step * THREADS; spins++)
        if (spins % 4096 == 4095)
            sched_yield();
}

static void begin_round(race *r)
{
    for (int b = 0; b < BLOCKS; b++) {
        atomic_store(&r->q.published[b].by, NULL);
        r->results[b] = (result){.block = b};
    }
    atomic_store(&r->q.frontier, 0);
    r->entries.used = 0;
}

static void *run_race(void *argument)
{
    const racer *me = argument;
    race *r = me->r;
    long step = 0;
    for (long round = 0; round < r->rounds; round++) {
        if (me->me == 0)
            begin_round(r);
        meet(r, ++step);
        for (int t = 0; t < BLOCKS_A_THREAD; t++) {
            spgemm_commit_publish(&r->q, &r->results[t * THREADS + me->me]);
            spgemm_commit_advance(&r->q);
        }
        meet(r, ++step);
        if (me->me == 0)
            r->lost += atomic_load(&r->q.frontier) != BLOCKS;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static race r;
    racer racers[THREADS];
    pthread_t threads[THREADS];
    r.rounds = argc > 1 ? atol(argv[1]) : 1000000;
    spgemm_memory_init(&r.m, NULL);
    r.p = (schedule){.m = &r.m, .count = BLOCKS};
    spgemm_commit_init(&r.q, &r.p, 4, NUMBERS_WITHOUT_NAN, &r.m);
    if (!spgemm_growable_init(&r.entries, &r.m, 4, 8, 1, 1) ||
        spgemm_commit_begin(&r.q, &r.entries, r.rowptr, 0) < 0) {
        fputs("out of memory\n", stderr);
        return 2;
    }
    for (int t = 0; t < THREADS; t++) {
        racers[t] = (racer){&r, t};
        if (pthread_create(&threads[t], NULL, run_race, &racers[t]) != 0) {
            fputs("no threads\n", stderr);
            return 2;
        }
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    printf("%ld rounds of %d hand-offs, %ld lost\n", r.rounds, BLOCKS, r.lost);
    spgemm_commit_clear(&r.q);
    spgemm_growable_clear(&r.entries);
    return r.lost == 0 ? 0 : 1;
}
