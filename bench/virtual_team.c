/* SPDX-License-Identifier: BSD-3-Clause */
/* The pieces of each work, and whose they would have been. */
#include "virtual_team.h"

#include <stdbool.h>
#include <stdint.h>

#include "clocks.h"
#include "common/team.h"
#include "spgemm/pipeline/progress.h"

enum { MOST_MEMBERS = 4096, CLOCK_TRIALS = 1000 };

static double clocks[MOST_MEMBERS]; /* when each member is free, in this work */
static int at_hand; /* members of the team that is open; 0: none is */
static int size;    /* of the work that is done; 0: none is */
static int64_t pieces;
static double mark; /* of the clock of this thread, at the last look */
static double look; /* what a look takes, at least */
static virtual_times times;

/* A piece is often of ten microseconds, and a look, which calls the system, takes
   a third of one: no team would look. */
static void measure_look(void)
{
    look = 1.0;
    for (int t = 0; t < CLOCK_TRIALS; t++) {
        const double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
        const double taken = seconds_of(CLOCK_THREAD_CPUTIME_ID) - begin;
        look = taken < look ? taken : look;
    }
}

/* What was computed since the last look. */
static double lap(void)
{
    const double at = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    const double taken = at - mark > look ? at - mark - look : 0;
    mark = at;
    times.all += taken;
    return taken;
}

static void add_serial(void)
{
    const double taken = lap();
    times.elapsed += taken;
    times.serial += taken;
}

void virtual_team_begin(void)
{
    times = (virtual_times){0};
    measure_look();
    mark = seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

virtual_times virtual_team_end(void)
{
    add_serial();
    return times;
}

static int smaller(int count, int most)
{
    return count < most ? count : most;
}

static void begin_work(int count)
{
    add_serial();
    size = smaller(count, at_hand > 0 ? at_hand : MOST_MEMBERS);
    pieces = 0;
    for (int t = 0; t < size; t++)
        clocks[t] = 0;
}

static void end_piece(void)
{
    int free = 0;
    for (int t = 1; t < size; t++)
        free = clocks[t] < clocks[free] ? t : free;
    clocks[free] += lap();
    pieces++;
}

/* A work of one piece is one that all would have shared: none ends where progress
   is asked about. */
static void end_work(void)
{
    double last = 0;
    double sum = 0;
    for (int t = 0; t < size; t++) {
        last = clocks[t] > last ? clocks[t] : last;
        sum += clocks[t];
    }
    times.elapsed += pieces > 1 ? last : sum / size;
    size = 0;
}

/* ---- In place of the library's ------------------------------------------------ */

void __wrap_spgemm_team_open(int count, team_leader *lead, void *context);
void __wrap_spgemm_team_run(int count, team_work *work, void *context);
void __wrap_spgemm_team_for(int count, int64_t tasks, team_task *task,
                            void *context);
int __wrap_spgemm_team_rank(void);
int __wrap_spgemm_team_members(void);
int __wrap_spgemm_team_at_hand(void);
bool __wrap_spgemm_progress_step(progress *p, int rank, int64_t products);
void __wrap_spgemm_progress_leave(progress *p, int rank);

void __wrap_spgemm_team_open(int count, team_leader *lead, void *context)
{
    const bool is_first = at_hand == 0 && size == 0 && count > 1;
    if (is_first)
        at_hand = smaller(count, MOST_MEMBERS);
    lead(context);
    if (is_first)
        at_hand = 0;
}

/* The others find nothing left. */
void __wrap_spgemm_team_run(int count, team_work *work, void *context)
{
    if (count < 2 || size > 0) {
        work(context, 0);
        return;
    }
    begin_work(count);
    work(context, 0);
    end_piece();
    for (int t = 1; t < size; t++) {
        work(context, t);
        clocks[t] += lap();
    }
    end_work();
}

void __wrap_spgemm_team_for(int count, int64_t tasks, team_task *task,
                            void *context)
{
    const bool is_shared = count > 1 && tasks > 1 && size == 0;
    if (is_shared)
        begin_work(count);
    for (int64_t t = 0; t < tasks; t++) {
        task(context, t);
        if (is_shared)
            end_piece();
    }
    if (is_shared)
        end_work();
}

int __wrap_spgemm_team_rank(void)
{
    return 0;
}

int __wrap_spgemm_team_members(void)
{
    return size > 0 ? size : 1;
}

int __wrap_spgemm_team_at_hand(void)
{
    return size > 0 ? 1 : at_hand;
}

bool __wrap_spgemm_progress_step(progress *p, int rank, int64_t products)
{
    (void)p;
    (void)rank;
    (void)products;
    if (size > 0)
        end_piece();
    return true;
}

void __wrap_spgemm_progress_leave(progress *p, int rank)
{
    (void)p;
    (void)rank;
}
