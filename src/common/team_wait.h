/* SPDX-License-Identifier: BSD-3-Clause */
/* What a team costs beside other work: seconds that the one who called waits for
   the others at the end of a region. */
#ifndef SPGEMM_COMMON_TEAM_WAIT_H
#define SPGEMM_COMMON_TEAM_WAIT_H

#include <stdbool.h>

/** The wait to expect, once a team was waited for so many seconds where
    `expected` were. */
double spgemm_team_wait_learn(double expected, double waited);

/** The wait to expect so many seconds after it was learned. */
double spgemm_team_wait_fade(double expected, double seconds);

/** Of `size` threads, those to use for work of so many seconds of one thread:
    all, or one where they would save less than they are waited for. */
int spgemm_team_wait_size(int size, double work_seconds, double expected);

/** Learns, for all threads of this process. */
void spgemm_team_wait_record(double waited);

/** The wait that threads of this process are to expect now. */
double spgemm_team_wait_now(void);

/** Whether that is longer than on a quiet machine. */
bool spgemm_team_wait_is_long(void);

#endif
