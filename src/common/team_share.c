/* SPDX-License-Identifier: BSD-3-Clause */
/* Works of a team, one after the other: work(rank) by all who come in time.

   OpenMP's own regions end with a wait for all threads, libgomp's threads wait
   awake for milliseconds, there and between two regions, and where other
   processes use the cores as well, the one that is waited for may have lost its
   core to those who wait. So here

   - work is offered: a thread that comes late finds none left, and is not
     waited for; the caller does without it;
   - whoever waits does so awake for a moment, as long as the others need on a
     quiet machine, then asleep.

   How long the caller waits is learned: team_wait.h. */
#include "common/team_share.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <time.h>

#include "common/task_queue.h"
#include "common/team_wait.h"
#include "common/timer.h"

/* How long to wait awake. On a quiet machine threads that share work end within
   a block of it, and there are tenths of a millisecond between two works. Where
   longer waits are expected, somebody else has use for the core. */
#define QUIET_SPIN 3e-4
#define BUSY_SPIN  2e-5

#define TURNS 64 /* of a loop that waits, between two looks at the clock */

#if defined(__x86_64__) || defined(__i386__)
#define PAUSE() __builtin_ia32_pause()
#else
#define PAUSE() ((void)0)
#endif

/* What is offered, in one word: a number that tells works apart, above the seats
   that are free. */
#define SEAT_BITS 32
#define SEATS(o)  ((int)((o)&0xffffffff))
#define NUMBER(o) ((o) >> SEAT_BITS)

/* The number of no work: the team is dismissed. */
#define LAST_NUMBER 0xffffffff

/* Of this thread: */
static _Thread_local team *led;       /* the team at hand */
static _Thread_local team *sharer;    /* whose work it does; NULL: its own */
static _Thread_local int own_rank;    /* there */
static _Thread_local bool is_sharing; /* it, or somebody on whose behalf */

typedef bool condition(team *t, uint_fast64_t value);

static void wake(team_waiters *w)
{
    if (atomic_load(&w->asleep) == 0)
        return;
    pthread_mutex_lock(&w->lock);
    pthread_cond_broadcast(&w->is_up);
    pthread_mutex_unlock(&w->lock);
}

/* false: it does not hold yet. */
static bool wait_awake(condition *holds, team *t, uint_fast64_t value,
                       double seconds)
{
    const bool is_busy = spgemm_team_wait_is_long();
    const double end =
        timer_seconds() + fmin(seconds, is_busy ? BUSY_SPIN : QUIET_SPIN);
    do
        for (int turn = 0; turn < TURNS; turn++) {
            if (holds(t, value))
                return true;
            PAUSE();
        }
    while (timer_seconds() < end);
    return false;
}

/* false: woken by the clock. */
static bool sleep_until(team_waiters *w, const struct timespec *end)
{
    return end ? pthread_cond_timedwait(&w->is_up, &w->lock, end) != ETIMEDOUT
               : pthread_cond_wait(&w->is_up, &w->lock) == 0;
}

static struct timespec time_after(double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const int64_t later = t.tv_nsec + (int64_t)(1e9 * seconds);
    t.tv_sec += (time_t)(later / 1000000000);
    t.tv_nsec = (long)(later % 1000000000);
    return t;
}

/* Until holds(t, value), or for so many seconds: false, it does not hold yet.
   Whoever makes it hold calls wake(). */
static bool wait_until(team_waiters *w, condition *holds, team *t,
                       uint_fast64_t value, double seconds)
{
    if (wait_awake(holds, t, value, seconds))
        return true;
    const bool has_end = seconds < HUGE_VAL;
    const struct timespec end =
        has_end ? time_after(seconds) : (struct timespec){0};
    bool is_in_time = true;
    pthread_mutex_lock(&w->lock);
    /* Told before the last look: one of the two sees the other. */
    atomic_fetch_add(&w->asleep, 1);
    while (is_in_time && !holds(t, value))
        is_in_time = sleep_until(w, has_end ? &end : NULL);
    atomic_fetch_sub(&w->asleep, 1);
    pthread_mutex_unlock(&w->lock);
    return is_in_time || holds(t, value);
}

/* Of a team, or of the caller alone. A callback of the caller's may begin a
   product within a work: that one is on its own. */
static void do_work(team *t, team_work *work, void *context, int rank)
{
    team *const outer = sharer;
    const int outer_rank = own_rank;
    const bool was_sharing = is_sharing;
    sharer = t;
    own_rank = rank;
    is_sharing = was_sharing || t;
    const team_fpmode mode = team_fpmode_enter();
    work(context, rank);
    team_fpmode_leave(&mode);
    sharer = outer;
    own_rank = outer_rank;
    is_sharing = was_sharing;
}

/* ---- Processors ----------------------------------------------------------- */

/* A thread that is woken is often put on the processor of the one that wakes it:
   where all are busy it stays there, two threads beside one busy loop share a
   processor for whole products, and the loop has its own (46 instead of 31 ms; no
   balancing of the system mends it). Where the others sleep it may wait for the end
   of a time slice: a guest of KVM takes a processor that sleeps for one that is
   busy. So helpers leave the caller's. */
#ifdef __linux__
static int this_processor(void)
{
    return sched_getcpu();
}

/* To any other; where it may run is as before. */
static void leave_processor(int processor)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0 ||
        CPU_COUNT(&allowed) < 2)
        return;
    cpu_set_t others = allowed;
    CPU_CLR((size_t)processor, &others);
    if (sched_setaffinity(0, sizeof others, &others) == 0)
        sched_setaffinity(0, sizeof allowed, &allowed);
}
#else
static int this_processor(void)
{
    return -1;
}

static void leave_processor(int processor)
{
    (void)processor;
}
#endif

static void leave_caller(int processor)
{
    if (processor >= 0 && this_processor() == processor)
        leave_processor(processor);
}

/* ---- Those who help ------------------------------------------------------- */

static bool is_another(team *t, uint_fast64_t number)
{
    return NUMBER(atomic_load(&t->offered)) != number;
}

/* A seat at the work that is offered, of this number: the rank there, or 0. */
static int take_seat(team *t, uint_fast64_t *number)
{
    uint_fast64_t o = atomic_load(&t->offered);
    while (SEATS(o) > 0 &&
           !atomic_compare_exchange_weak(&t->offered, &o, o - 1))
        continue;
    *number = NUMBER(o);
    return SEATS(o) > 0 ? t->seats - SEATS(o) + 1 : 0;
}

void spgemm_team_help(team *t)
{
    uint_fast64_t number = 0;
    while (number != LAST_NUMBER) {
        wait_until(&t->helpers, is_another, t, number, HUGE_VAL);
        const int seat = take_seat(t, &number);
        if (seat == 0)
            continue;
        leave_caller(t->processor);
        do_work(t, t->work, t->context, seat);
        atomic_fetch_add(&t->done, 1);
        wake(&t->caller);
    }
    const int processor = t->processor;
    atomic_fetch_add(&t->left, 1);
    wake(&t->caller); /* from its own processor, so that it is not moved */
    leave_caller(processor);
}

/* ---- The one who calls ---------------------------------------------------- */

static bool are_done(team *t, uint_fast64_t count)
{
    return (uint_fast64_t)atomic_load(&t->done) == count;
}

static bool have_left(team *t, uint_fast64_t count)
{
    return (uint_fast64_t)atomic_load(&t->left) == count;
}

/* The seats that are still free are taken away. */
static int close_work(team *t)
{
    if (t->joined < 0) {
        const uint_fast64_t o =
            atomic_exchange(&t->offered, t->number << SEAT_BITS);
        t->joined = t->seats - SEATS(o);
    }
    return t->joined;
}

/* Helpers who are awake have sat down by the end of the loop. One that is behind
   the caller runs when that yields, and leaves; a neighbour who has use for the
   processor would get a time slice. */
static void let_helpers_come(team *t)
{
    for (int turn = 0; turn < TURNS; turn++) {
        if (SEATS(atomic_load(&t->offered)) < t->seats)
            return;
        PAUSE();
    }
    if (t->processor >= 0 && !spgemm_team_wait_is_long())
        sched_yield();
}

/* false: not all who sat down are done yet. */
static bool wait_for_helpers(team *t, double seconds)
{
    const int joined = close_work(t);
    if (joined == 0)
        return true;
    const double start = timer_seconds();
    const bool all =
        wait_until(&t->caller, are_done, t, (uint_fast64_t)joined, seconds);
    t->waited += timer_seconds() - start;
    return all;
}

static void share(team *t, int size, team_work *work, void *context)
{
    const int seats = (size < t->members ? size : t->members) - 1;
    t->work = work;
    t->context = context;
    t->seats = seats;
    t->joined = -1;
    t->waited = 0.0;
    t->processor = t->is_spread ? this_processor() : -1;
    atomic_store(&t->done, 0);
    t->number = (t->number + 1) % LAST_NUMBER;
    atomic_store(&t->offered, t->number << SEAT_BITS | (uint_fast64_t)seats);
    wake(&t->helpers);
    if (!t->has_come)
        let_helpers_come(t);
    t->has_come = true;
    do_work(t, work, context, 0);
    wait_for_helpers(t, HUGE_VAL);
    if (t->joined > 0)
        spgemm_team_wait_record(t->waited);
}

void spgemm_team_lead(team *t, int members, team_leader *lead, void *context)
{
    t->members = members;
    t->has_come = false;
    led = t;
    lead(context);
    led = NULL;
}

void spgemm_team_dismiss(team *t)
{
    atomic_store(&t->offered, (uint_fast64_t)LAST_NUMBER << SEAT_BITS);
    wake(&t->helpers);
    wait_until(&t->caller, have_left, t, (uint_fast64_t)t->members - 1,
               HUGE_VAL);
}

bool spgemm_team_is_none(void)
{
    return !led && !is_sharing;
}

/* Work that is shared by a team of its own. */
typedef struct single_work {
    int size;
    team_work *work;
    void *context;
} single_work;

static void share_single(void *context)
{
    const single_work *w = context;
    share(led, w->size, w->work, w->context);
}

void spgemm_team_run(int size, team_work *work, void *context)
{
    single_work single = {size, work, context};
    if (size < 2 || is_sharing)
        do_work(NULL, work, context, 0);
    else if (led)
        share(led, size, work, context);
    else
        spgemm_team_open(size, share_single, &single);
}

int spgemm_team_rank(void)
{
    return own_rank;
}

bool spgemm_team_await(double seconds)
{
    return !sharer || wait_for_helpers(sharer, seconds);
}

int spgemm_team_at_hand(void)
{
    return is_sharing ? 1 : led ? led->members : 0;
}

/* ---- Loops ---------------------------------------------------------------- */

typedef struct loop {
    team_task *task;
    void *context;
    task_queue tasks;
} loop;

static void take_tasks(void *context, int rank)
{
    loop *l = context;
    int64_t t;
    (void)rank;
    while (task_take(&l->tasks, &t))
        l->task(l->context, t);
}

void spgemm_team_for(int size, int64_t tasks, team_task *task, void *context)
{
    loop l = {.task = task, .context = context, .tasks = {.count = tasks}};
    spgemm_team_run(tasks > 1 ? size : 1, take_tasks, &l);
}
