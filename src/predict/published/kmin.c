/* SPDX-License-Identifier: BSD-3-Clause */
/* F = (k - 1) / v, v the k-th smallest of the distinct hashes in (0, 1].

   Z. Bar-Yossef, T. S. Jayram, R. Kumar, D. Sivakumar, L. Trevisan, Counting
   distinct elements in a data stream, RANDOM 2002,
   doi:10.1007/3-540-45726-7_1, algorithm 1, there k / v. Differs from it in:
   k - 1 where k > 1, which makes the estimate unbiased, and its variance, both
   of K. Beyer, P. J. Haas, B. Reinwald, Y. Sismanis, R. Gemulla, On synopses
   for distinct-value estimation under multiset operations, SIGMOD 2007,
   doi:10.1145/1247480.1247504; the k smallest are kept in an array that is
   sorted when it is full, not in a tree; of fewer than k the number is exact,
   as far as 64 bits tell them apart. */
#include "predict/published/kmin.h"

#include <math.h>

#include "common/checked.h"
#include "common/sort_hashes.h"
#include "common/task_queue.h"
#include "common/team.h"

/* Least hashes that are taken in before they are sorted. */
#define LEAST_FREE 64

static int64_t capacity_for(int64_t k)
{
    return k + max_i64(k, LEAST_FREE);
}

bool spgemm_kmin_init(kmin *s, int64_t k, memory *m)
{
    *s = (kmin){.k = k, .capacity = capacity_for(k), .bound = UINT64_MAX};
    s->values = spgemm_memory_allocate(m, s->capacity, sizeof *s->values);
    return s->values;
}

void spgemm_kmin_clear(kmin *s, memory *m)
{
    spgemm_memory_release(m, s->values, s->capacity, sizeof *s->values);
    *s = (kmin){0};
}

void spgemm_kmin_compact(kmin *s)
{
    int64_t distinct = 0;
    spgemm_sort_hashes(s->values, s->used);
    for (int64_t t = 0; t < s->used && distinct < s->k; t++)
        if (distinct == 0 || s->values[t] != s->values[distinct - 1])
            s->values[distinct++] = s->values[t];
    s->used = distinct;
    if (distinct == s->k)
        s->bound = s->values[distinct - 1];
}

static void merge(kmin *all, const kmin *part)
{
    for (int64_t t = 0; t < part->used; t++)
        kmin_add(all, part->values[t]);
}

typedef struct gathering {
    kmin *all;
    kmin_task *run;
    void *work;
    memory *m;
    task_queue tasks;
} gathering;

static void gather(void *context, int rank)
{
    gathering *g = context;
    int64_t t;
    kmin mine;
    (void)rank;
    if (!spgemm_kmin_init(&mine, g->all->k, g->m))
        task_fail(&g->tasks);
    while (task_take(&g->tasks, &t))
        g->run(g->work, t, &mine);
#pragma omp critical(spgemm_kmin)
    merge(g->all, &mine);
    spgemm_kmin_clear(&mine, g->m);
}

spgemm_status spgemm_kmin_gather(kmin *all, kmin_task *run, void *work,
                                 int64_t tasks, int team, memory *m)
{
    const int members = (int)max_i64(1, min_i64(team, tasks));
    gathering g = {.all = all,
                   .run = run,
                   .work = work,
                   .m = m,
                   .tasks = {.count = tasks}};
    spgemm_team_run(members, gather, &g);
    spgemm_kmin_compact(all);
    return task_has_failed(&g.tasks) ? SPGEMM_ERROR_OUT_OF_MEMORY
                                     : SPGEMM_SUCCESS;
}

kmin_count spgemm_kmin_count(const kmin *s)
{
    const double k = (double)s->k;
    if (s->used < s->k)
        return (kmin_count){.count = (double)s->used};
    const double v = ((double)s->values[s->k - 1] + 1.0) * 0x1p-64;
    const double count = (s->k > 1 ? k - 1 : 1.0) / v;
    return (kmin_count){
        .count = count,
        .variance = s->k > 2 ? count * fmax(count - k + 1, 0) / (k - 2) : NAN,
    };
}
