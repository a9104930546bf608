/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread of its own shows the time, so that what is timed is not slowed. */
#include "progress.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "interrupt.h"

enum { FIRST_SECONDS = 1 };
#define TICK_NANOSECONDS 200000000L

/* Of less nothing can be told. */
#define LEAST_SHARE 0.01

static struct {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool is_silent;
    bool is_running;
    bool is_ending;
    const char *label;
    atomic_int_least64_t bytes;
    _Atomic double share;
} line = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) +
           1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

static void show(double seconds)
{
    const int64_t bytes = atomic_load(&line.bytes);
    const double share = atomic_load(&line.share);
    fprintf(stderr, "\r\033[K%s: %.0f s", line.label, seconds);
    if (bytes > 0)
        fprintf(stderr, ", %.0f MB", 1e-6 * (double)bytes);
    if (share >= LEAST_SHARE)
        fprintf(stderr, ", %.0f %%, %.0f s left", 100 * share,
                seconds * (1 - share) / share);
    fflush(stderr);
}

static void *watch(void *unused)
{
    (void)unused;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    struct timespec next = start;
    next.tv_sec += FIRST_SECONDS;
    bool is_shown = false;
    pthread_mutex_lock(&line.mutex);
    while (!line.is_ending) {
        pthread_cond_timedwait(&line.ended, &line.mutex, &next);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (line.is_ending || seconds_between(next, now) < 0)
            continue;
        show(seconds_between(start, now));
        is_shown = true;
        next = now;
        next.tv_nsec += TICK_NANOSECONDS;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
    }
    pthread_mutex_unlock(&line.mutex);
    if (is_shown)
        fputs("\r\033[K", stderr);
    return NULL;
}

void progress_silence(void)
{
    line.is_silent = true;
}

void progress_begin(const char *label)
{
    if (line.is_silent || !isatty(STDERR_FILENO))
        return;
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&line.ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    line.label = label;
    line.is_ending = false;
    atomic_store(&line.bytes, 0);
    atomic_store(&line.share, 0);
    line.is_running = pthread_create(&line.thread, NULL, watch, NULL) == 0;
}

void progress_end(void)
{
    if (!line.is_running)
        return;
    pthread_mutex_lock(&line.mutex);
    line.is_ending = true;
    pthread_cond_signal(&line.ended);
    pthread_mutex_unlock(&line.mutex);
    pthread_join(line.thread, NULL);
    pthread_cond_destroy(&line.ended);
    line.is_running = false;
}

void progress_bytes(void *context, int64_t bytes)
{
    (void)context;
    atomic_store(&line.bytes, bytes);
}

int progress_share(void *context, double done)
{
    (void)context;
    atomic_store(&line.share, done);
    return interrupt_signal();
}
