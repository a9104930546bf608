/* SPDX-License-Identifier: BSD-3-Clause */
#include "predict/published/kmin.h"

#include <criterion/criterion.h>
#include <math.h>

#include "common/hash.h"

/* `distinct` hashes, each `times` times, dealt out to tasks. */
typedef struct stream {
    uint64_t key;
    int64_t distinct;
    int64_t times;
    int64_t tasks;
} stream;

static void add_task(void *work, int64_t t, kmin *s)
{
    const stream *w = work;
    for (int64_t x = t; x < w->distinct * w->times; x += w->tasks)
        kmin_add(s, hash_index(w->key, x % w->distinct));
}

static kmin gather(const stream *w, int64_t k, int team, memory *m)
{
    kmin s;
    stream copy = *w;
    cr_assert(spgemm_kmin_init(&s, k, m));
    cr_assert_eq(spgemm_kmin_gather(&s, add_task, &copy, w->tasks, team, m),
                 SPGEMM_SUCCESS);
    return s;
}

Test(kmin, counts_few_exactly)
{
    memory m;
    spgemm_memory_init(&m, NULL);
    for (int64_t distinct = 0; distinct < 100; distinct++) {
        const stream w = {
            .key = 3, .distinct = distinct, .times = 40, .tasks = 7};
        kmin s = gather(&w, 100, 2, &m);
        const kmin_count found = spgemm_kmin_count(&s);
        cr_expect_eq(found.count, (double)distinct);
        cr_expect_eq(found.variance, 0.0);
        spgemm_kmin_clear(&s, &m);
    }
    cr_expect_eq(m.live_bytes, 0);
}

static bool same_sketch(const kmin *s, const kmin *t)
{
    bool is_same = s->used == t->used && s->used == s->k;
    for (int64_t v = 0; v < s->used && is_same; v++)
        is_same = s->values[v] == t->values[v];
    return is_same;
}

Test(kmin, is_a_set_however_it_is_gathered)
{
    static const int64_t sizes[] = {1, 2, 3, 64, 1000};
    memory m;
    spgemm_memory_init(&m, NULL);
    for (size_t c = 0; c < sizeof sizes / sizeof sizes[0]; c++) {
        const stream once = {
            .key = 9, .distinct = 5000, .times = 1, .tasks = 1};
        kmin want = gather(&once, sizes[c], 1, &m);
        for (int64_t tasks = 1; tasks <= 100; tasks += 33)
            for (int team = 1; team <= 7; team += 3) {
                const stream w = {
                    .key = 9, .distinct = 5000, .times = 3, .tasks = tasks};
                kmin got = gather(&w, sizes[c], team, &m);
                cr_expect(same_sketch(&got, &want), "k %d, %d tasks, team %d",
                          (int)sizes[c], (int)tasks, team);
                spgemm_kmin_clear(&got, &m);
            }
        spgemm_kmin_clear(&want, &m);
    }
}

Test(kmin, of_one_is_one_over_the_least_hash)
{
    memory m;
    uint64_t least = UINT64_MAX;
    const stream w = {.key = 4, .distinct = 1000, .times = 2, .tasks = 3};
    spgemm_memory_init(&m, NULL);
    for (int64_t x = 0; x < 1000; x++)
        if (hash_index(4, x) < least)
            least = hash_index(4, x);
    kmin s = gather(&w, 1, 1, &m);
    const kmin_count found = spgemm_kmin_count(&s);
    cr_expect_float_eq(found.count, 0x1p64 / (double)least, 1e-9 * found.count);
    cr_expect(isnan(found.variance));
    spgemm_kmin_clear(&s, &m);
}

/* Over 1000 keys: the mean within 4 of its standard errors, the spread within
   10 % of the stated one, 4.5 of its own standard deviations. */
static void expect_honest(int64_t k, int64_t distinct)
{
    enum { KEYS = 1000 };
    memory m;
    double sum = 0;
    double squares = 0;
    double stated = 0;
    spgemm_memory_init(&m, NULL);
    for (uint64_t t = 0; t < KEYS; t++) {
        const stream w = {.key = hash_key(t, HASH_ROWS),
                          .distinct = distinct,
                          .times = 1,
                          .tasks = 1};
        kmin s = gather(&w, k, 1, &m);
        const kmin_count found = spgemm_kmin_count(&s);
        const double error = found.count / (double)distinct - 1;
        sum += error;
        squares += error * error;
        stated += found.variance / (double)distinct / (double)distinct;
        spgemm_kmin_clear(&s, &m);
    }
    const double deviation = sqrt(squares / KEYS);
    cr_expect_leq(fabs(sum / KEYS), 4 * deviation / sqrt(KEYS), "k %d: %g",
                  (int)k, sum / KEYS);
    cr_expect_float_eq(deviation / sqrt(stated / KEYS), 1.0, 0.1,
                       "k %d of %d: %g, stated %g", (int)k, (int)distinct,
                       deviation, sqrt(stated / KEYS));
}

Test(kmin, is_unbiased_and_knows_its_error)
{
    expect_honest(16, 3000);
    expect_honest(100, 3000);
    expect_honest(100, 150);
    expect_honest(1000, 3000);
}
