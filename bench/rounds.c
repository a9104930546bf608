/* SPDX-License-Identifier: BSD-3-Clause */
/* All methods on one product with one number of threads, in turn, so that
   noise of the machine falls on all alike.

   The first call of a method is verified. Some calls then begin with no freed
   memory at hand, as in a program that multiplies once. After that freed memory
   is kept, as in one that multiplies again and again, and the methods take
   turns, in another order each time. */
#include "rounds.h"

#include <stdint.h>
#include <stdlib.h>

#include "doubles.h"
#include "machine.h"

enum {
    ENTRANTS = 64,
    RETURNED_CALLS = 3,
    LEAST_KEPT = 3,
    MOST_KEPT = 1000,
    ENTRY_BYTES = 12
};

/* A method that takes longer than this many times the fastest gets the fewest
   repetitions. */
static const double slow_ratio = 3;

/* Peers that are timed beside one another. */
typedef struct batch {
    int begin;
    int end;
} batch;

/* One method in one order of rows. */
typedef struct entrant {
    client *client;
    int method;
    spgemm_row_order order;
    bool is_out;
    bool is_slow;
    bool is_warm; /* had its first call with kept memory */
    double returned_seconds;
    double spent_seconds;
    int kept;
    double seconds[MOST_KEPT];
    double cpu_seconds[MOST_KEPT];
    long page_faults; /* fewest of a kept call */
} entrant;

static client_options client_options_of(const rounds *r)
{
    return (client_options){.nthreads = r->nthreads,
                            .limit_seconds = r->options->limit_seconds,
                            .peers_huge_pages = r->options->peers_huge_pages};
}

static const char *name_of(const entrant *e)
{
    return e->client->greeting.names[e->method];
}

static results_row row_of(const rounds *r, const entrant *e, bool is_kept,
                          int repetition)
{
    return (results_row){.method = name_of(e),
                         .order = e->order,
                         .nthreads = r->nthreads,
                         .is_kept = is_kept,
                         .repetition = repetition};
}

static void drop(const rounds *r, entrant *e, const char *why)
{
    const results_row row = row_of(r, e, false, 0);
    e->is_out = true;
    results_skip(r->output, &r->product, &row, why);
}

/* ---- Entrants ------------------------------------------------------------ */

static int add_methods(const rounds *r, client *c, entrant *entrants, int count)
{
    const spgemm_row_order orders[] = {SPGEMM_ROWS_SORTED,
                                       SPGEMM_ROWS_UNSORTED};
    for (int k = 0; k < PEER_METHODS && c->greeting.names[k][0]; k++) {
        if (!bench_options_has_method(r->options, c->greeting.names[k]))
            continue;
        for (int o = 0; o < 2; o++)
            if (count < ENTRANTS && r->options->orders & 1U << orders[o] &&
                c->greeting.orders[k] & 1U << orders[o])
                entrants[count++] =
                    (entrant){.client = c, .method = k, .order = orders[o]};
    }
    return count;
}

static bool is_wanted(const rounds *r, const client *c)
{
    bool is_wanted = false;
    for (int k = 0; k < PEER_METHODS && c->greeting.names[k][0]; k++)
        is_wanted |= bench_options_has_method(r->options, c->greeting.names[k]);
    return is_wanted && (r->nthreads == 1 || c->greeting.is_parallel);
}

static int start_all(const rounds *r, batch part, entrant *entrants)
{
    const client_options options = client_options_of(r);
    int count = 0;
    for (int k = part.begin; k < part.end; k++) {
        client *c = &r->clients[k];
        if (!is_wanted(r, c))
            continue;
        const int first = count;
        count = add_methods(r, c, entrants, count);
        if (!client_start(c, &r->files, &options))
            for (int e = first; e < count; e++)
                drop(r, &entrants[e], c->why);
    }
    return count;
}

/* ---- Calls --------------------------------------------------------------- */

/* Ask for one product. A process that ends is started again for the other
   methods of its peer. */
static bool call(const rounds *r, entrant *e, bool wants_trim, bool wants_c,
                 answer *a)
{
    const client_options options = client_options_of(r);
    const request asked = {e->method, e->order, wants_trim, wants_c};
    if (!e->client->process && !client_start(e->client, &r->files, &options)) {
        drop(r, e, e->client->why);
        return false;
    }
    if (!client_ask(e->client, &asked, a, &options)) {
        drop(r, e, e->client->why);
        return false;
    }
    if (!a->is_done)
        drop(r, e, "could not multiply");
    else if (wants_c && !a->has_c)
        drop(r, e, "did not give C");
    return !e->is_out;
}

/* Whether the C of the last answer is right. */
static bool verify_answer(const rounds *r, entrant *e)
{
    shared_matrix C;
    if (!shared_open(&C, r->files.c)) {
        drop(r, e, "C cannot be read");
        return false;
    }
    const char *why = verify(r->reference, &C.matrix, e->order);
    shared_close(&C);
    (void)shared_clear(r->files.c);
    if (why) {
        char text[128];
        snprintf(text, sizeof text, "WRONG: C %s", why);
        drop(r, e, text);
    }
    return !why;
}

/* The calls that begin without freed memory come one after the other, the
   first one untimed: a virtual machine may give pages that are free for some
   seconds back to its host, and a page that comes anew from there takes many
   times as long as one that the system only has to clear. */
static void run_returned(const rounds *r, entrant *e)
{
    answer a;
    double spent = 0;
    if (e->is_out || !call(r, e, true, true, &a) || !verify_answer(r, e))
        return;
    for (int k = 0; k < RETURNED_CALLS && spent <= r->options->seconds; k++) {
        if (!call(r, e, true, false, &a))
            return;
        const results_row row = row_of(r, e, false, k);
        results_write(r->output, &r->product, &row, &a);
        if (k == 0 || a.seconds < e->returned_seconds)
            e->returned_seconds = a.seconds;
        spent += a.seconds;
    }
}

/* fastest: of all methods so far, by order of rows. */
static void run_all_returned(const rounds *r, entrant *entrants, int count,
                             double fastest[2])
{
    for (int k = 0; k < count; k++) {
        const entrant *e = &entrants[k];
        run_returned(r, &entrants[k]);
        if (!e->is_out && e->returned_seconds < fastest[e->order])
            fastest[e->order] = e->returned_seconds;
    }
    for (int k = 0; k < count; k++)
        entrants[k].is_slow = entrants[k].returned_seconds >
                              slow_ratio * fastest[entrants[k].order];
}

static bool is_finished(const rounds *r, const entrant *e)
{
    const int least = e->is_slow ? 1 : LEAST_KEPT;
    return e->is_out || e->kept >= r->options->repetitions ||
           (e->kept >= least && e->spent_seconds >= r->options->seconds);
}

/* Whether a first call was the one that took pages which calls of the peer's
   other methods have given back: it is left out, once. */
static bool is_warming(entrant *e, const answer *a)
{
    const bool is_first = e->kept == 0 && !e->is_warm;
    e->is_warm = true;
    return is_first && a->page_faults > 0;
}

static void record_kept(const rounds *r, entrant *e, const answer *a)
{
    const results_row row = row_of(r, e, true, e->kept);
    results_write(r->output, &r->product, &row, a);
    if (e->kept == 0 || a->page_faults < e->page_faults)
        e->page_faults = a->page_faults;
    e->seconds[e->kept] = a->seconds;
    e->cpu_seconds[e->kept++] = a->cpu_seconds;
    e->spent_seconds += a->seconds;
}

/* A method that follows another of its own process finds A and B in the caches;
   one that follows another library does not. In an order of its own in each
   round, no method is always the one or the other. */
static void shuffle(int *turns, int count, uint64_t *seed)
{
    for (int k = count - 1; k > 0; k--) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        const int other = (int)((*seed >> 33) % (uint64_t)(k + 1));
        const int turn = turns[k];
        turns[k] = turns[other];
        turns[other] = turn;
    }
}

static void run_kept(const rounds *r, entrant *entrants, int count)
{
    int turns[ENTRANTS];
    uint64_t seed = 1;
    for (int k = 0; k < count; k++)
        turns[k] = k;
    for (int round = 0; round <= r->options->repetitions; round++) {
        shuffle(turns, count, &seed);
        for (int k = 0; k < count; k++) {
            entrant *e = &entrants[turns[k]];
            answer a;
            if (!is_finished(r, e) && call(r, e, false, false, &a) &&
                !is_warming(e, &a))
                record_kept(r, e, &a);
        }
    }
}

/* ---- What was seen ------------------------------------------------------- */

static void print_summary(entrant *entrants, int count)
{
    fprintf(stderr, "  %-16s %-8s %12s %10s %10s %6s %12s\n", "method", "rows",
            "returned ms", "kept ms", "cpu ms", "times", "page faults");
    for (int k = 0; k < count; k++) {
        entrant *e = &entrants[k];
        if (!e->kept)
            continue;
        fprintf(stderr, "  %-16s %-8s %12.2f %10.2f %10.2f %6d %12ld\n",
                name_of(e), results_order(e->order), 1e3 * e->returned_seconds,
                1e3 * doubles_median(e->seconds, (size_t)e->kept),
                1e3 * doubles_median(e->cpu_seconds, (size_t)e->kept), e->kept,
                e->page_faults);
    }
}

/* Whether no method of this library was found wrong. */
static bool is_ours_well(const rounds *r, const entrant *entrants, int count)
{
    for (int k = 0; k < count; k++)
        if (entrants[k].client == r->clients && entrants[k].is_out)
            return false;
    return true;
}

static bool run_batch(const rounds *r, batch part, double fastest[2])
{
    entrant *entrants = calloc(ENTRANTS, sizeof *entrants);
    if (!entrants)
        return false;
    const int count = start_all(r, part, entrants);
    run_all_returned(r, entrants, count, fastest);
    run_kept(r, entrants, count);
    print_summary(entrants, count);
    for (int k = part.begin; k < part.end; k++)
        client_stop(&r->clients[k]);
    const bool is_well = is_ours_well(r, entrants, count);
    free(entrants);
    return is_well;
}

/* ---- Batches ------------------------------------------------------------- */

/* What a process may hold: A and B twice, C with what its library needs to make
   it, and for this library the arrays of the upper bound. */
static double process_bytes(const rounds *r, const client *c)
{
    const results_product *p = &r->product;
    const double nnz_c = (double)p->nnz_c;
    const double entries = c == r->clients ? (double)p->products : nnz_c;
    return 2 * r->operand_bytes + ENTRY_BYTES * (2 * nnz_c + entries);
}

/* As many peers as have room in memory beside one another; one at least. */
static batch next_batch(const rounds *r, int begin)
{
    double left =
        0.8 * machine_free_bytes() - ENTRY_BYTES * (double)r->product.nnz_c;
    int end = begin;
    while (end < r->nclients &&
           (!is_wanted(r, &r->clients[end]) ||
            (left -= process_bytes(r, &r->clients[end])) > 0))
        end++;
    return (batch){begin, end > begin ? end : begin + 1};
}

bool rounds_run(const rounds *r)
{
    double fastest[2] = {1e300, 1e300};
    bool is_well = true;
    for (batch part = {0, 0}; part.end < r->nclients;) {
        part = next_batch(r, part.end);
        if (part.end < r->nclients)
            fprintf(r->output,
                    "# %s, threads %d: peers do not fit into memory "
                    "beside one another: %d of %d\n",
                    r->product.name, r->nthreads, part.end, r->nclients);
        is_well &= run_batch(r, part, fastest);
    }
    return is_well;
}
