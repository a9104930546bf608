/* SPDX-License-Identifier: BSD-3-Clause */
/* A*A beside busy loops: what a call takes where its cores have other work, and
   what a fair share of the machine would give it.

       bench_busy [options] [MATRIX...]

   The median and the tenth longest in a hundred of some calls beside 0, 1, 2 ..
   processes that compute for ever; a tenth of the calls beside each in turn, ten
   times, since a machine is not as fast at all times. n threads and k
   loops on p cores get p / (n + k) of a core each, where that is less than one:
   so much longer should a call take. "counting" is no product: a loop that counts, its
   turns dealt out in an OpenMP region; what the system takes from it, it takes from
   every program. OpenMP is left as the environment says. */
#include <inttypes.h>
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arguments.h"
#include "clocks.h"
#include "doubles.h"
#include "generate.h"
#include "heading.h"
#include "message.h"
#include "status.h"

enum { MOST_LOOPS = 64, MOST_CALLS = 10000, MOST_THREADS = 256 };
enum { LEAST_MAGNITUDE = 4, MAGNITUDES = 4, ROUNDS = 10 };

/* Until loops have a core, and threads that wait have gone to sleep. */
#define SETTLE_MICROSECONDS 50000

typedef struct family {
    const char *name;
    const char *kind;
    int64_t sizes[MAGNITUDES][GENERATOR_SIZES];
} family;

/* Squares of about 10^4, 10^5, 10^6 and 10^7 products. */
static const family families[] = {
    {"mesh", "stencil5", {{21, 21}, {64, 64}, {201, 201}, {633, 633}}},
    {"brick", "stencil27", {{4, 4, 4}, {7, 7, 7}, {12, 12, 12}, {25, 25, 25}}},
    {"uniform", "erdos-renyi", {{156, 8}, {1560, 8}, {15600, 8}, {156000, 8}}},
    {"web", "powerlaw", {{300, 0}, {2900, 0}, {27000, 0}, {260000, 0}}},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* Turns for each product of the magnitude, about as long as it; and of a piece. */
#define COUNTING "counting"
enum { PRODUCT_TURNS = 4, PIECE_TURNS = 20000 };

/* What is timed: A*A, or counting so many turns where A is NULL. */
typedef struct subject {
    const char *name;
    const spgemm_csr *A;
    int64_t turns;
} subject;

typedef struct bench {
    int calls;
    int threads;
    int most_loops;
    int magnitudes[2]; /* least and most */
    int processors;
    pid_t loops[MOST_LOOPS];
} bench;

/* What some calls took, and how many threads took part in the mean. */
typedef struct times {
    double seconds[MOST_CALLS];
    double threads;
    int calls;
} times;

/* Of one thread and of all that are wanted, beside the same loops. */
typedef times pair[2];

static void stop(const char *what)
{
    fprintf(stderr, "bench_busy: %s\n", what);
    exit(1);
}

/* ---- Busy loops ----------------------------------------------------------- */

/* A process of its own from the beginning: a fork between calls would have every
   page of theirs copied when it is next written. */
static pid_t make_loop(void)
{
    const pid_t parent = getpid();
    const pid_t loop = fork();
    if (loop < 0)
        stop("no process can be made");
    if (loop > 0)
        return loop;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0);
    raise(SIGSTOP);
    for (volatile uint64_t turns = 0;;)
        turns = turns + 1;
}

static void make_loops(pid_t *loops, int count)
{
    for (int k = 0; k < count; k++) {
        loops[k] = make_loop();
        waitpid(loops[k], NULL, WUNTRACED);
    }
}

static void signal_loops(const pid_t *loops, int count, int signal)
{
    for (int k = 0; k < count; k++)
        kill(loops[k], signal);
}

/* ---- Calls ---------------------------------------------------------------- */

static void count_turns(int64_t turns, int nthreads)
{
    (void)nthreads; /* without OpenMP */
#pragma omp parallel for num_threads(nthreads) schedule(dynamic, 1)
    for (int64_t begin = 0; begin < turns; begin += PIECE_TURNS)
        for (volatile int64_t t = 0; t < PIECE_TURNS;)
            t = t + 1;
}

/* What a call took; the report is of a product. */
static double time_call(const subject *s, int nthreads, spgemm_report *report)
{
    const spgemm_options options = {.resources.nthreads = nthreads};
    spgemm_csr C;
    const double start = wall_clock();
    if (!s->A)
        count_turns(s->turns, nthreads);
    else if (spgemm_predicted(&C, s->A, s->A, &options, report) !=
             SPGEMM_SUCCESS)
        stop("a product failed");
    const double seconds = wall_clock() - start;
    if (s->A)
        spgemm_csr_destroy(&C);
    return seconds;
}

static void time_calls(times *t, const subject *s, int nthreads, int calls)
{
    spgemm_report report = {.nthreads = nthreads};
    for (int n = 0; n < calls; n++) {
        t->seconds[t->calls++] = time_call(s, nthreads, &report);
        t->threads += report.nthreads;
    }
}

/* What p of all calls took at most; in order. */
static double quantile(const times *t, double p)
{
    return t->seconds[(int)(p * t->calls)];
}

/* Time of n threads beside k loops, over that of one core for each. */
static double slowdown(const bench *b, int n, int k)
{
    const double share = (double)(n + k) / b->processors;
    return share > 1 ? share : 1;
}

static void time_pairs(const bench *b, pair *beside, const subject *s)
{
    const int rounds = b->calls < ROUNDS ? b->calls : ROUNDS;
    for (int round = 0; round < rounds; round++)
        for (int k = 0; k <= b->most_loops; k++) {
            const int calls =
                b->calls * (round + 1) / rounds - b->calls * round / rounds;
            signal_loops(b->loops, k, SIGCONT);
            usleep(SETTLE_MICROSECONDS);
            for (int n = 0; n <= (b->threads > 1); n++)
                time_calls(&beside[k][n], s, n ? b->threads : 1, calls);
            signal_loops(b->loops, k, SIGSTOP);
        }
    for (int k = 0; k <= b->most_loops; k++)
        for (int n = 0; n < 2; n++)
            doubles_sort(beside[k][n].seconds, (size_t)beside[k][n].calls);
}

/* Beside 0 loops, 1, and so on; by one thread, and by all that are wanted. */
static void measure(const bench *b, const subject *s)
{
    spgemm_report report = {.products = s->turns};
    time_call(s, b->threads, &report);
    pair *beside = calloc((size_t)b->most_loops + 1, sizeof *beside);
    if (!beside)
        stop("out of memory");
    time_pairs(b, beside, s);
    const double alone = quantile(&beside[0][0], 0.5);
    for (int k = 0; k <= b->most_loops; k++)
        for (int n = 0; n <= (b->threads > 1); n++) {
            const int threads = n ? b->threads : 1;
            const times *t = &beside[k][n];
            const double median = quantile(t, 0.5);
            const double fair = quantile(&beside[0][n], 0.5) *
                                slowdown(b, threads, k) /
                                slowdown(b, threads, 0);
            printf("%s,%" PRId64 ",%d,%d,%.1f,%.3f,%.3f,%.2f,%.2f\n", s->name,
                   report.products, threads, k, t->threads / t->calls,
                   1e3 * median, 1e3 * quantile(t, 0.9), median / fair,
                   median / alone);
        }
    fflush(stdout);
    free(beside);
}

static void measure_family(const bench *b, const family *f)
{
    for (int m = b->magnitudes[0]; m <= b->magnitudes[1]; m++) {
        recipe r = {.dofs = 1, .seed = 1, .has_reals = true};
        spgemm_csr A;
        memcpy(r.sizes, f->sizes[m - LEAST_MAGNITUDE], sizeof r.sizes);
        if (generate(&A, generator_find(f->kind), &r) != SPGEMM_SUCCESS)
            stop("a matrix cannot be made");
        measure(b, &(subject){f->name, &A, 0});
        spgemm_csr_destroy(&A);
    }
}

static void measure_counting(const bench *b)
{
    int64_t turns = PRODUCT_TURNS;
    for (int m = 1; m <= b->magnitudes[1]; m++) {
        turns *= 10;
        if (m >= b->magnitudes[0])
            measure(b, &(subject){COUNTING, NULL, turns});
    }
}

/* ---- The command line ----------------------------------------------------- */

static const option option_table[] = {
    {"calls", OPTION_INTEGER, "N", .least = 1, .most = MOST_CALLS,
     .help = "of which the median is taken (default: 50)"},
    {"threads", OPTION_INTEGER, "N", .least = 1, .most = MOST_THREADS,
     .help = "(default: all processors)"},
    {"loops", OPTION_INTEGER, "N", .most = MOST_LOOPS,
     .help = "beside 0 to N of them (default: 2)"},
    {"size", OPTION_INTEGER, "N", .least = LEAST_MAGNITUDE,
     .most = LEAST_MAGNITUDE + MAGNITUDES - 1,
     .help = "only the squares of about 10^N products"},
    {.name = NULL}};

static const command program = {
    .name = "bench_busy",
    .operands = "[mesh|brick|uniform|web|counting]...",
    .most_operands = FAMILIES + 1,
    .description =
        "Time squares of 10^4 to 10^7 products, and a loop that counts, beside "
        "processes that compute for ever, by one thread and by several; CSV.",
    .options = option_table,
};

static void read_options(bench *b, const arguments *args)
{
    const int64_t size = arguments_integer(args, "size", 0);
    b->calls = (int)arguments_integer(args, "calls", 50);
    b->threads = (int)arguments_integer(args, "threads", b->processors);
    b->most_loops = (int)arguments_integer(args, "loops", 2);
    b->magnitudes[0] = size ? (int)size : LEAST_MAGNITUDE;
    b->magnitudes[1] = size ? (int)size : LEAST_MAGNITUDE + MAGNITUDES - 1;
}

/* NULL: counting. */
static const family *find_family(const char *name)
{
    if (strcmp(name, COUNTING) == 0)
        return NULL;
    for (int f = 0; f < FAMILIES; f++)
        if (strcmp(families[f].name, name) == 0)
            return &families[f];
    exit(message(TOOL_USAGE, "no matrices are called '%s'; see --help", name));
}

int main(int argc, char **argv)
{
    const family *wanted[FAMILIES + 1] = {NULL};
    int count = 0;
    arguments args;
    bench b = {.processors = omp_get_num_procs()};
    arguments_of_program(&args, &program, argc, argv);
    read_options(&b, &args);
    for (int k = 0; k < args.noperands; k++)
        wanted[count++] = find_family(args.operands[k]);
    if (args.noperands == 0) {
        for (int f = 0; f < FAMILIES; f++)
            wanted[f] = &families[f];
        count = FAMILIES + 1;
    }
    make_loops(b.loops, b.most_loops);
    heading_print(stdout, "bench_busy");
    puts("matrix,products,threads,loops,took_part,median_ms,p90_ms,"
         "of_fair_share,of_one_thread");
    for (int f = 0; f < count; f++)
        if (wanted[f])
            measure_family(&b, wanted[f]);
        else
            measure_counting(&b);
    signal_loops(b.loops, b.most_loops, SIGKILL);
    return 0;
}
