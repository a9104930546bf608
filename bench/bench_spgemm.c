/* SPDX-License-Identifier: BSD-3-Clause */
/* Time and memory of C = A*B by this library and its peers: one CSV row a
   repetition. Each peer has a process of its own and is idle unless asked, so
   that libraries, their memory and their crashes stay apart. */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heading.h"
#include "machine.h"
#include "peers/copy.h"
#include "rounds.h"
#include "server.h"
#include "suite.h"

enum { CLIENTS = 32 };

/* What is used from begin to end. */
typedef struct bench {
    bench_options options;
    suite suite;
    client clients[CLIENTS];
    int nclients;
    glob_t modules;
    bandwidth bandwidths[BENCH_THREADS];
    double clock;
    FILE *output;
} bench;

/* ---- Peers --------------------------------------------------------------- */

static void find_modules(bench *b)
{
    char pattern[PATH_MAX + 16];
    ssize_t length = 0;
    b->clients[b->nclients++] = (client){.module = NULL};
    if (b->options.peers) {
        snprintf(pattern, sizeof pattern, "%s/*.so", b->options.peers);
    } else {
        length = readlink("/proc/self/exe", pattern, PATH_MAX);
        pattern[length > 0 ? length : 0] = '\0';
        char *slash = strrchr(pattern, '/');
        strcpy(slash ? slash + 1 : pattern, "peers/*.so");
    }
    if (glob(pattern, 0, NULL, &b->modules) != 0)
        return;
    for (size_t k = 0; k < b->modules.gl_pathc && b->nclients < CLIENTS; k++)
        b->clients[b->nclients++] = (client){.module = b->modules.gl_pathv[k]};
}

static bool share(int file, const spgemm_csr *A)
{
    shared_matrix m;
    if (!shared_create(&m, file, A->nrows, A->ncols, A->nnz))
        return false;
    copy_matrix(&m.matrix, A);
    shared_close(&m);
    return true;
}

/* The name of a peer's module, without folder and suffix. */
static void name_module(const client *c, char name[PROTOCOL_NAME_BYTES])
{
    const char *slash = c->module ? strrchr(c->module, '/') : NULL;
    snprintf(name, PROTOCOL_NAME_BYTES, "%.31s", slash ? slash + 1 : "ours");
    name[strcspn(name, ".")] = '\0';
}

/* Start each peer once on a tiny matrix, to learn what it is. Those that do
   not start are left out. */
static void probe(bench *b)
{
    static const int64_t rowptr[] = {0, 1, 2};
    static const int32_t colidx[] = {0, 1};
    static const double values[] = {1, 2};
    const spgemm_csr A = spgemm_csr_view(2, 2, 2, rowptr, colidx, values,
                                         SPGEMM_I32, SPGEMM_FP64);
    const int file = shared_file();
    const product_files files = {file, file, shared_file()};
    const client_options options = {.nthreads = 1,
                                    .limit_seconds = b->options.limit_seconds};
    int left = 0;
    if (!share(file, &A))
        fputs("bench_spgemm: no shared memory\n", stderr);
    for (int k = 0; k < b->nclients; k++) {
        client c = b->clients[k];
        char name[PROTOCOL_NAME_BYTES];
        name_module(&c, name);
        if (client_start(&c, &files, &options)) {
            fprintf(b->output, "# peer %s: %s%s\n", name, c.greeting.version,
                    c.greeting.is_parallel ? "" : " (one thread only)");
            client_stop(&c);
            b->clients[left++] = c;
        } else {
            fprintf(b->output, "# peer %s: left out: %s\n", name, c.why);
            fprintf(stderr, "bench_spgemm: %s: left out: %s\n", name, c.why);
        }
    }
    b->nclients = left;
    close(files.a);
    close(files.c);
}

static bool has_method(const bench *b, const char *name)
{
    for (int k = 0; k < b->nclients; k++)
        for (int m = 0; m < PEER_METHODS; m++)
            if (strcmp(b->clients[k].greeting.names[m], name) == 0)
                return true;
    return false;
}

/* Whether each method that was asked for is there. */
static bool check_methods(const bench *b)
{
    char name[PROTOCOL_NAME_BYTES];
    const char *word = b->options.methods;
    while (word && *word) {
        const size_t length = strcspn(word, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, word);
        if (!has_method(b, name)) {
            fprintf(stderr, "bench_spgemm: no method '%s'\n", name);
            return false;
        }
        word += length + (word[length] == ',');
    }
    return true;
}

/* ---- Header -------------------------------------------------------------- */

static void measure(bench *b)
{
    b->clock = machine_clock();
    fprintf(b->output, "# clock: %.2f GHz\n", 1e-9 * b->clock);
    for (int t = 0; t < b->options.nthreads; t++) {
        b->bandwidths[t] = machine_bandwidth(b->options.threads[t]);
        fprintf(b->output,
                "# bandwidth, threads %d: copy %.1f GB/s, read %.1f GB/s\n",
                b->options.threads[t], 1e-9 * b->bandwidths[t].copy,
                1e-9 * b->bandwidths[t].read);
    }
}

static void print_header(bench *b)
{
    FILE *out = b->output;
    heading_print(out, "bench_spgemm");
    fprintf(out, "# memory of the peers: glibc malloc\n");
    fprintf(out, "# memory kept: freed memory stays in the process: "
                 "dirty_decay_ms:-1; M_MMAP_MAX 0, M_TRIM_THRESHOLD -1, "
                 "M_TOP_PAD 16 MiB\n"
                 "# memory returned: before the call, spgemm_memory_trim(); "
                 "malloc_trim(0) and the peer's own\n");
    fprintf(out, "# huge pages of the peers: %s\n",
            b->options.peers_huge_pages ? "glibc.malloc.hugetlb=1"
                                        : "not asked for");
    fputs("# threads that wait: asleep, OMP_WAIT_POLICY=passive, in all\n",
          out);
    if (BENCH_ABSENT[0])
        fprintf(out, "# peers not built: %s\n", BENCH_ABSENT);
    probe(b);
    measure(b);
    results_columns(out);
    fflush(out);
}

/* ---- Products ------------------------------------------------------------ */

static double matrix_bytes(const spgemm_csr *A)
{
    return 12 * (double)A->nnz + 8 * (double)(A->nrows + 1);
}

/* No product takes less than its operands and C take to move, and none less
   than its multiplications, eight a cycle. */
static double floor_seconds(const bench *b, int t, const suite_operands *o,
                            const reference *r)
{
    const bandwidth *w = &b->bandwidths[t];
    const double bytes = matrix_bytes(o->A) + matrix_bytes(&r->C) +
                         (o->A == o->B ? 0 : matrix_bytes(o->B));
    const double moving = bytes / (w->copy > w->read ? w->copy : w->read);
    const double multiplying =
        (double)r->products / (8 * b->clock * b->options.threads[t]);
    return moving > multiplying ? moving : multiplying;
}

static bool time_product(bench *b, const char *name, const suite_operands *o,
                         const reference *known)
{
    bool is_well = true;
    const int a = shared_file();
    const bool is_square = o->A == o->B;
    rounds r = {
        .options = &b->options,
        .clients = b->clients,
        .nclients = b->nclients,
        .files = {a, is_square ? a : shared_file(), shared_file()},
        .reference = known,
        .product = {.name = name,
                    .nrows = o->A->nrows,
                    .products = known->products,
                    .nnz_c = known->C.nnz},
        .operand_bytes =
            matrix_bytes(o->A) + (is_square ? 0 : matrix_bytes(o->B)),
        .output = b->output,
    };
    if (!share(r.files.a, o->A) || (!is_square && !share(r.files.b, o->B))) {
        fprintf(stderr, "bench_spgemm: %s: no shared memory\n", name);
        is_well = false;
    }
    for (int t = 0; is_well && t < b->options.nthreads; t++) {
        r.nthreads = b->options.threads[t];
        r.product.floor_seconds = floor_seconds(b, t, o, known);
        fprintf(stderr, "%s, threads %d: %.1f M products, %.1f M entries\n",
                name, r.nthreads, 1e-6 * (double)known->products,
                1e-6 * (double)known->C.nnz);
        is_well = rounds_run(&r);
    }
    close(r.files.a);
    close(r.files.c);
    if (!is_square)
        close(r.files.b);
    return is_well;
}

static bool run_product(bench *b, int k)
{
    const char *name = b->suite.products[k].name;
    suite_operands o;
    reference r;
    bool is_well = suite_load(&b->suite, k, &o);
    if (!is_well)
        fprintf(stderr, "bench_spgemm: %s\n", b->suite.why);
    else if (!(is_well = reference_create(&r, o.A, o.B)))
        fprintf(stderr, "bench_spgemm: %s: cannot be multiplied\n", name);
    if (is_well) {
        is_well = time_product(b, name, &o, &r);
        reference_destroy(&r);
        results_done(b->output, name);
    }
    suite_clear(&o);
    return is_well;
}

static bool add_operands(bench *b)
{
    bool is_well = true;
    b->suite.folder = b->options.matrices;
    for (int k = 0; is_well && k < b->options.noperands; k++)
        is_well = suite_add(&b->suite, b->options.operands[k]);
    if (!is_well)
        fprintf(stderr, "bench_spgemm: %s\n", b->suite.why);
    return is_well;
}

int main(int argc, char **argv)
{
    static bench b;
    bool is_well = true;
    if (argc == 2 + SERVER_ARGUMENTS && strcmp(argv[1], "--serve") == 0)
        return serve(bench_peer(), argv + 2);
    if (!bench_options_read(&b.options, argc, argv) || !add_operands(&b))
        return 2;
    b.output = results_open(b.options.output, b.options.is_resumed);
    if (!b.output) {
        fprintf(stderr, "bench_spgemm: %s: cannot be written\n",
                b.options.output);
        return 2;
    }
    find_modules(&b);
    print_header(&b);
    if (!check_methods(&b))
        return 2;
    for (int k = 0; k < b.suite.count; k++)
        if (!b.options.is_resumed ||
            !results_has(b.options.output, b.suite.products[k].name))
            is_well &= run_product(&b, k);
    globfree(&b.modules);
    return is_well && fflush(b.output) == 0 ? 0 : 1;
}
