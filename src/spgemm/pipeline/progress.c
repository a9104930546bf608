/* SPDX-License-Identifier: BSD-3-Clause */
/* How far a product has come, told to whoever asked. */
#include "spgemm/pipeline/progress.h"

#include <math.h>

#include "common/caller_mode.h"
#include "common/team.h"
#include "common/timer.h"

#define TELL_SECONDS 0.1

void spgemm_progress_init(progress *p, const spgemm_options *options)
{
    p->callback = options->resources.progress;
    p->context = options->resources.progress_context;
    p->begin = 0.0;
    p->end = 0.0;
    p->products = 0;
    atomic_init(&p->done, 0);
    atomic_init(&p->is_cancelled, false);
    p->next_seconds = 0.0;
    p->told = 0.0;
}

void spgemm_progress_pass(progress *p, double begin, double end,
                          int64_t products)
{
    p->begin = begin;
    p->end = end;
    p->products = products;
    atomic_store(&p->done, 0);
}

void spgemm_progress_set(progress *p, int64_t products)
{
    atomic_store(&p->done, products);
}

static double share_done(progress *p)
{
    const double done = (double)atomic_load(&p->done);
    const double share = p->products > 0 ? done / (double)p->products : 1.0;
    return p->begin + (p->end - p->begin) * fmin(share, 1.0);
}

/* On the thread that called: if it is time. What is done again is not undone. */
static void tell(progress *p)
{
    const double now = timer_seconds();
    if (now < p->next_seconds || atomic_load(&p->is_cancelled))
        return;
    p->next_seconds = now + TELL_SECONDS;
    p->told = fmax(p->told, fmin(share_done(p), 1.0));
    caller_turn turn;
    spgemm_caller_enter(&turn);
    const int answer = p->callback(p->context, p->told);
    spgemm_caller_leave(&turn);
    if (answer != 0)
        atomic_store(&p->is_cancelled, true);
}

bool spgemm_progress_step(progress *p, int rank, int64_t products)
{
    atomic_fetch_add_explicit(&p->done, products, memory_order_relaxed);
    if (rank == 0)
        tell(p);
    return !atomic_load(&p->is_cancelled);
}

void spgemm_progress_wait(progress *p)
{
    do
        tell(p);
    while (!atomic_load(&p->is_cancelled) &&
           !spgemm_team_await(fmax(p->next_seconds - timer_seconds(), 0.0)));
}
