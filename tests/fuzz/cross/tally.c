/* SPDX-License-Identifier: BSD-3-Clause */
#include "tally.h"

#include <stdio.h>
#include <string.h>

#include "run.h"

const char *entry_text(entry_point entry)
{
    static const char *const texts[ENTRY_COUNT] = {
        "predicted", "precise", "upper_bound", "plan", "repeat",
        "stream",    "predict", "matrix",      "rap"};
    return texts[entry];
}

void tally_call(tally *t, const crossing *x, spgemm_status status,
                const spgemm_report *report)
{
    const int number = status <= 0 && status > -TALLY_STATUSES
                           ? -(int)status
                           : TALLY_STATUSES - 1;
    const double seconds = seconds_now() - x->called_at;
    t->by_status[x->entry][number]++;
    if (seconds > t->longest_seconds) {
        t->longest_seconds = seconds;
        t->longest_seed = x->seed;
    }
    if (!report || status != SPGEMM_SUCCESS)
        return;
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        t->by_accumulator[a] += report->rows_by_accumulator[a];
    if (report->nthreads >= 1 && report->nthreads <= 3)
        t->by_threads[report->nthreads]++;
}

bool tally_failure(tally *t, uint64_t seed, entry_point entry,
                   const char *check, const char *what)
{
    char name[sizeof t->findings[0].check];
    snprintf(name, sizeof name, "%s of %s", check, entry_text(entry));
    t->failures++;
    for (int n = 0; n < t->nfindings; n++)
        if (strcmp(t->findings[n].check, name) == 0) {
            t->findings[n].count++;
            return false;
        }
    if (t->nfindings == TALLY_FINDINGS)
        return false;
    finding *f = &t->findings[t->nfindings++];
    *f = (finding){.seed = seed, .inputs_before = t->inputs, .count = 1};
    memcpy(f->check, name, sizeof name);
    snprintf(f->what, sizeof f->what, "%s", what);
    return true;
}

/* A line of an entry point: how its calls ended. */
static void print_entry(const tally *t, entry_point entry)
{
    long calls = 0;
    for (int s = 0; s < TALLY_STATUSES; s++)
        calls += t->by_status[entry][s];
    printf("  %-12s %9ld", entry_text(entry), calls);
    for (int s = 0; s < TALLY_STATUSES; s++)
        if (t->by_status[entry][s] > 0)
            printf("  %d: %ld", -s, t->by_status[entry][s]);
    printf("\n");
}

void tally_print(const tally *t, double seconds)
{
    long calls = 0;
    for (int e = 0; e < ENTRY_COUNT; e++)
        for (int s = 0; s < TALLY_STATUSES; s++)
            calls += t->by_status[e][s];
    printf("%ld inputs, %ld calls, %ld failures, %.0f inputs a second\n",
           t->inputs, calls, t->failures, (double)t->inputs / seconds);
    printf("calls by status:\n");
    for (int e = 0; e < ENTRY_COUNT; e++)
        print_entry(t, (entry_point)e);
    printf("rows by accumulator:");
    for (int a = 0; a < SPGEMM_ACCUMULATOR_COUNT; a++)
        printf("  %s %ld", spgemm_accumulator_name((spgemm_accumulator)a),
               t->by_accumulator[a]);
    printf("\nrap by a window: %ld calls, %ld of several slabs", t->windows,
           t->windows_moved);
    printf("\ncalls by threads:");
    for (int n = 1; n <= 3; n++)
        printf("  %d: %ld", n, t->by_threads[n]);
    printf("\nlongest call: %.2f s, seed %llu\n", t->longest_seconds,
           (unsigned long long)t->longest_seed);
    for (int n = 0; n < t->nfindings; n++) {
        const finding *f = &t->findings[n];
        printf("%s: %ld times, first after %ld inputs, seed %llu: %s\n",
               f->check, f->count, f->inputs_before,
               (unsigned long long)f->seed, f->what);
    }
}
