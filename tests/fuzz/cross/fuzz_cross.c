/* SPDX-License-Identifier: BSD-3-Clause */
/* The fuzzer that crosses: every public option and entry point together, on
   small matrices (--large: of up to some million products), against a reference
   that shares no code with src/.

     fuzz_cross [--seed S] [--count N] [--seconds T] [--seeds FILE] [--isa NAME]
                [--large] [--keep-going | --all]

   A seed stands for some calls. They are made in a child, so that a crash is a
   failure among others; a failing seed is run alone by --seed S --count 1. */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

enum {
    WATCH_INPUTS = 256, /* between two looks at the clock */
    WATCH_LARGE_INPUTS = 1,
    PATIENCE_SECONDS = 60, /* for so many inputs */
    MOST_KEPT = 4096,
    CHILD_DONE = 0,
    CHILD_FAILED = 3
};

typedef struct arguments_of_main {
    uint64_t seed;
    uint64_t count;
    double seconds; /* 0: no limit */
    const char *seeds;
    bool is_large;
    bool keeps_going;
    bool prints_all; /* failures, not the first of each check alone */
} arguments_of_main;

/* What child and parent share. */
typedef struct progress_of_child {
    tally tally;
    uint64_t next; /* input that is run, or to be run */
    crossing x;    /* as far as the child came with it */
    bool is_late;
} progress_of_child;

/* ---- The clock of the library --------------------------------------------- */

int __real_clock_gettime(clockid_t clock, struct timespec *at);
int __wrap_clock_gettime(clockid_t clock, struct timespec *at);

/* Time passes by 60 ms a look, so that progress is told often. */
int __wrap_clock_gettime(clockid_t clock, struct timespec *at)
{
    static atomic_llong looks;
    const long long ms = 60 * atomic_fetch_add(&looks, 1);
    (void)clock;
    *at =
        (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}

double seconds_now(void)
{
    struct timespec now;
    __real_clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- Inputs --------------------------------------------------------------- */

static uint64_t kept[MOST_KEPT];
static uint64_t nkept;

/* Lines of a seed each; what follows it, or a '#', is a comment. */
static void read_seeds(const char *path)
{
    char line[512];
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(2);
    }
    while (nkept < MOST_KEPT && fgets(line, sizeof line, file))
        if (line[0] >= '0' && line[0] <= '9')
            kept[nkept++] = strtoull(line, NULL, 10);
    fclose(file);
}

/* Kept seeds first. */
static uint64_t seed_of(const arguments_of_main *a, uint64_t input)
{
    return input < nkept ? kept[input] : a->seed + (input - nkept);
}

static void note_failure(tally *t, uint64_t seed, const crossing *x,
                         bool prints_all)
{
    char call[700];
    char what[1024];
    cross_describe(x, call, sizeof call);
    snprintf(what, sizeof what, "%s: %s; %s", x->wrong, x->detail, call);
    if (tally_failure(t, seed, x->entry, x->wrong, what) || prints_all)
        fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, what);
}

/* ---- Child and parent ----------------------------------------------------- */

static int run_inputs(const arguments_of_main *a, progress_of_child *shared,
                      uint64_t total, double deadline)
{
    static hostile_heap heap;
    static hostile_heap context_heap;
    crossing *x = &shared->x;
    tally *t = &shared->tally;
    const uint64_t between = a->is_large ? WATCH_LARGE_INPUTS : WATCH_INPUTS;
    x->is_large = a->is_large;
    x->heap = &heap;
    x->context_heap = &context_heap;
    for (; shared->next < total; shared->next++) {
        const uint64_t seed = seed_of(a, shared->next);
        if (shared->next % between == 0) {
            alarm(PATIENCE_SECONDS);
            shared->is_late = seconds_now() > deadline;
            if (shared->is_late)
                return CHILD_DONE;
        }
        cross_draw(x, seed);
        cross_run(x, t);
        t->inputs++;
        if (!x->wrong)
            continue;
        note_failure(t, seed, x, a->prints_all);
        if (!a->keeps_going) {
            shared->next++;
            return CHILD_FAILED;
        }
    }
    return CHILD_DONE;
}

/* How a child ended that did not end by itself. */
static void note_crash(const arguments_of_main *a, progress_of_child *shared,
                       int state)
{
    char what[128];
    const uint64_t seed = seed_of(a, shared->next);
    if (WIFSIGNALED(state))
        snprintf(what, sizeof what, "ended by signal %d", WTERMSIG(state));
    else
        snprintf(what, sizeof what, "exited with %d", WEXITSTATUS(state));
    fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, what);
    tally_failure(&shared->tally, seed, shared->x.entry, what, what);
    shared->tally.inputs++;
    shared->next++;
}

/* All inputs, by one child after another. */
static void run_all(const arguments_of_main *a, progress_of_child *shared)
{
    const uint64_t total = nkept + a->count;
    const double deadline = a->seconds > 0 ? seconds_now() + a->seconds : 1e300;
    while (shared->next < total && !shared->is_late) {
        int state = 0;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            exit(run_inputs(a, shared, total, deadline));
        if (child < 0 || waitpid(child, &state, 0) != child) {
            perror("fuzz_cross");
            exit(2);
        }
        const bool is_done =
            WIFEXITED(state) && (WEXITSTATUS(state) == CHILD_DONE ||
                                 WEXITSTATUS(state) == CHILD_FAILED);
        if (!is_done)
            note_crash(a, shared, state);
        if (shared->tally.failures > 0 && !a->keeps_going)
            return;
    }
}

/* One input by itself, in this process, for a debugger. */
static int replay(uint64_t seed, bool is_large)
{
    static hostile_heap heaps[2];
    static tally t;
    static crossing x = {.heap = &heaps[0], .context_heap = &heaps[1]};
    char call[700];
    x.is_large = is_large;
    cross_draw(&x, seed);
    cross_describe(&x, call, sizeof call);
    printf("seed %" PRIu64 ": %s\n", seed, call);
    fflush(stdout);
    cross_run(&x, &t);
    printf("%s%s%s\n", x.wrong ? x.wrong : "nothing is wrong",
           x.wrong ? ": " : "", x.wrong ? x.detail : "");
    return x.wrong != NULL;
}

/* ---- Arguments ------------------------------------------------------------ */

static const char usage[] =
    "usage: fuzz_cross [--seed S] [--count N] [--seconds T] [--seeds FILE]\n"
    "                  [--isa base|avx2|avx512] [--large]\n"
    "                  [--keep-going | --all]\n";

static void read_argument(arguments_of_main *a, const char *name, char *value)
{
    if (strcmp(name, "--seed") == 0)
        a->seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--count") == 0)
        a->count = strtoull(value, NULL, 10);
    else if (strcmp(name, "--seconds") == 0)
        a->seconds = strtod(value, NULL);
    else if (strcmp(name, "--seeds") == 0)
        a->seeds = value;
    else if (strcmp(name, "--isa") == 0)
        setenv("SPGEMM_ISA", value, 1);
    else {
        fputs(usage, stderr);
        exit(2);
    }
}

int main(int argc, char **argv)
{
    arguments_of_main a = {.seed = 1, .count = 10000};
    for (int n = 1; n < argc; n++) {
        if (strcmp(argv[n], "--keep-going") == 0)
            a.keeps_going = true;
        else if (strcmp(argv[n], "--large") == 0)
            a.is_large = true;
        else if (strcmp(argv[n], "--all") == 0)
            a.keeps_going = a.prints_all = true;
        else if (n + 1 < argc)
            read_argument(&a, argv[n], argv[n + 1]), n++;
        else
            read_argument(&a, "", NULL);
    }
    if (a.seeds)
        read_seeds(a.seeds);
    if (a.count == 1 && nkept == 0)
        return replay(a.seed, a.is_large);
    progress_of_child *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("fuzz_cross");
        return 2;
    }
    const double start = seconds_now();
    run_all(&a, shared);
    tally_print(&shared->tally, seconds_now() - start);
    return shared->tally.failures > 0;
}
