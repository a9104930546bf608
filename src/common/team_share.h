/* SPDX-License-Identifier: BSD-3-Clause */
/* A team: one thread that has works to share, and those who help it. Where they
   come from is team_open.c's. */
#ifndef SPGEMM_COMMON_TEAM_SHARE_H
#define SPGEMM_COMMON_TEAM_SHARE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/team.h"

/* Where threads sleep until something holds. */
typedef struct team_waiters {
    atomic_int asleep;
    pthread_mutex_t lock;
    pthread_cond_t is_up;
} team_waiters;

/* Begins as zeros, but for its TEAM_WAITERS. */
typedef struct team {
    int members;
    uint_fast64_t number; /* of the work */
    team_work *work;
    void *context;
    int seats;      /* of the work, beside the caller's */
    int joined;     /* once it is closed: who sat there; before: -1 */
    double waited;  /* for them, seconds */
    bool is_spread; /* helpers leave the processor that the caller is on */
    bool has_come;  /* helpers were given time to come to the first work */
    int processor;  /* of the caller; -1: not known */

    atomic_uint_fast64_t offered;
    atomic_int done; /* of those who joined */
    atomic_int left; /* for good */
    team_waiters helpers;
    team_waiters caller;
} team;

#define TEAM_WAITERS                                                           \
    {                                                                          \
        .lock = PTHREAD_MUTEX_INITIALIZER, .is_up = PTHREAD_COND_INITIALIZER   \
    }

/** Does what is shared, until the team is dismissed. */
void spgemm_team_help(team *t);

/** Calls lead(context) on this thread, with this team at hand. */
void spgemm_team_lead(team *t, int members, team_leader *lead, void *context);

/** No work will come. Returns when all who help have left. */
void spgemm_team_dismiss(team *t);

/** Whether this thread may open a team: none is at hand, nor does it work for
    one. */
bool spgemm_team_is_none(void);

#endif
