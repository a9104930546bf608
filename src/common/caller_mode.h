/* SPDX-License-Identifier: BSD-3-Clause */
/* The floating-point mode of the thread that called, put aside for as long as the
   call lasts: not only sums depend on it, but what counts as zero, and predictions.
   Progress and sinks, which that thread calls, run in it; what the team asks, a
   semiring or a prediction of rows, in the library's. */
#ifndef SPGEMM_COMMON_CALLER_MODE_H
#define SPGEMM_COMMON_CALLER_MODE_H

#include "common/team.h"
#include "spgemm/spgemm.h"

typedef struct caller_mode {
    team_fpmode mode;
    const struct caller_mode *outer; /* of the call that this one is part of */
} caller_mode;

void spgemm_caller_mode_put_aside(caller_mode *mode);

/** In the reverse order. */
void spgemm_caller_mode_put_back(const caller_mode *mode);

/* Of the call in hand, while a function of the caller's runs. */
typedef struct caller_turn {
    char refusal[SPGEMM_REFUSAL_BYTES];
    fenv_t ours;
    const caller_mode *aside;
} caller_turn;

/** On the thread that called, around a function of the caller's: it runs in the mode
    that the call in hand put aside, and what a call of its own is refused for is not
    told as this one's. */
void spgemm_caller_enter(caller_turn *turn);
void spgemm_caller_leave(const caller_turn *turn);

#endif
