/* SPDX-License-Identifier: BSD-3-Clause */
/* The floating-point mode that a call put aside. */
#include "common/caller_mode.h"

#include <stddef.h>

#include "common/refusal.h"

/* The last that was not the default one; NULL: there is none. */
static _Thread_local const caller_mode *aside;

void spgemm_caller_mode_put_aside(caller_mode *mode)
{
    mode->mode = team_fpmode_enter();
    mode->outer = aside;
    if (!mode->mode.was_default)
        aside = mode;
}

void spgemm_caller_mode_put_back(const caller_mode *mode)
{
    aside = mode->outer;
    team_fpmode_leave(&mode->mode);
}

void spgemm_caller_enter(caller_turn *turn)
{
    spgemm_refusal_keep(turn->refusal);
    fegetenv(&turn->ours);
    turn->aside = aside;
    if (aside)
        fesetenv(&aside->mode.caller);
    aside = NULL; /* of calls of its own, the mode is that which it sets */
}

void spgemm_caller_leave(const caller_turn *turn)
{
    aside = turn->aside;
    fesetenv(&turn->ours);
    spgemm_refusal_restore(turn->refusal);
}
