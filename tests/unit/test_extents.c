/* SPDX-License-Identifier: BSD-3-Clause */
#include "alloc/extents.h"

#include <criterion/criterion.h>

#include "dice.h"

static bool add(extents *e, uintptr_t start, size_t bytes, int64_t freed)
{
    return spgemm_extents_add(e, (extent){start, bytes, freed});
}

Test(extents, are_taken_from_the_shortest_run)
{
    static extents e;
    cr_expect_eq(spgemm_extents_take(&e, 1), 0);
    cr_expect(add(&e, 1000, 100, 1));
    cr_expect(add(&e, 3000, 30, 1));
    cr_expect(add(&e, 2000, 50, 1));
    cr_expect_eq(spgemm_extents_take(&e, 101), 0);
    cr_expect_eq(spgemm_extents_take(&e, 40), 2000);
    cr_expect_eq(spgemm_extents_take(&e, 10), 2040);
    cr_expect_eq(spgemm_extents_take(&e, 31), 1000);
    cr_expect_eq(e.bytes, 69 + 30);
    cr_expect_eq(e.count, 2);
}

Test(extents, that_touch_are_taken_as_one)
{
    static extents e;
    cr_expect(add(&e, 100, 10, 1));
    cr_expect(add(&e, 120, 10, 1));
    cr_expect(add(&e, 110, 10, 1));
    cr_expect_eq(e.count, 1, "freed at one time");
    cr_expect(add(&e, 130, 10, 2));
    cr_expect(add(&e, 90, 10, 3));
    cr_expect_eq(e.count, 3, "freed at three");
    cr_expect_not(spgemm_extents_take_at(&e, 95, 5), "not where one begins");
    cr_expect_not(spgemm_extents_take_at(&e, 90, 51));
    cr_expect(spgemm_extents_take_at(&e, 90, 45));
    cr_expect_eq(e.count, 1);
    cr_expect_eq(e.bytes, 5);
    cr_expect_eq(spgemm_extents_take(&e, 5), 135);
    cr_expect_eq(e.bytes, 0);
}

Test(extents, of_the_oldest_go_first)
{
    static extents e;
    extent x;
    cr_expect(add(&e, 10, 10, 7));
    cr_expect(add(&e, 20, 10, 5));
    cr_expect(add(&e, 30, 10, 6));
    cr_expect_not(spgemm_extents_take_oldest(&e, 4, 99, &x));
    for (int64_t freed = 5; freed <= 7; freed++) {
        cr_assert(spgemm_extents_take_oldest(&e, INT64_MAX, 10, &x));
        cr_expect_eq(x.freed, freed);
    }
    cr_expect_not(spgemm_extents_take_oldest(&e, INT64_MAX, 10, &x));
    cr_expect_eq(e.bytes, 0);
}

Test(extents, that_are_too_many_are_refused)
{
    static extents e;
    for (uintptr_t t = 0; t < EXTENTS; t++)
        cr_assert(add(&e, 20 * t + 20, 10, 1));
    cr_expect_not(add(&e, 20 * EXTENTS + 20, 10, 1));
    cr_expect_not(add(&e, 30, 10, 2));
    cr_expect_eq(e.bytes, 10 * EXTENTS);
    cr_expect(add(&e, 30, 10, 1), "it joins two");
    cr_expect_eq(e.count, EXTENTS - 1);
}

/* ---- Against a model: when each page was freed, 0 where it is not free ------ */

enum { PAGES = 200 };

typedef struct model {
    int64_t freed[PAGES + 1]; /* the last is never free */
} model;

static int model_run(const model *m, int page)
{
    int length = 0;
    while (m->freed[page + length] > 0)
        length++;
    return length;
}

static void expect_model(const extents *e, const model *m)
{
    size_t bytes = 0;
    for (int t = 0; t < e->count; t++) {
        const extent *x = &e->at[t];
        cr_assert(x->bytes > 0);
        for (uintptr_t p = x->start; p < x->start + x->bytes; p++)
            cr_assert_eq(m->freed[p - 1], x->freed);
        if (t > 0) {
            const extent *before = &e->at[t - 1];
            cr_assert(before->start + before->bytes <= x->start);
            cr_assert(before->start + before->bytes < x->start ||
                      before->freed != x->freed);
        }
        bytes += x->bytes;
    }
    cr_assert_eq(bytes, e->bytes);
    for (int p = 0; p < PAGES; p++)
        bytes -= m->freed[p] > 0;
    cr_assert_eq(bytes, 0);
}

static void set(model *m, uintptr_t start, size_t bytes, int64_t freed)
{
    for (size_t p = 0; p < bytes; p++)
        m->freed[start - 1 + p] = freed;
}

static void free_some(extents *e, model *m, dice *d, int64_t now)
{
    const int page = (int)dice_below(d, PAGES);
    const int most = 1 + (int)dice_below(d, 12);
    int length = 0;
    while (length < most && page + length < PAGES &&
           m->freed[page + length] == 0)
        length++;
    if (length == 0)
        return;
    cr_assert(add(e, (uintptr_t)page + 1, (size_t)length, now));
    set(m, (uintptr_t)page + 1, (size_t)length, now);
}

static void take_some(extents *e, model *m, dice *d)
{
    const int wanted = 1 + (int)dice_below(d, 12);
    int best = PAGES + 1;
    for (int p = 0; p < PAGES; p++) {
        const int run = p == 0 || m->freed[p - 1] == 0 ? model_run(m, p) : 0;
        if (run >= wanted && run < best)
            best = run;
    }
    const uintptr_t start = spgemm_extents_take(e, (size_t)wanted);
    cr_assert_eq(start > 0, best <= PAGES);
    if (start == 0)
        return;
    cr_assert_eq(model_run(m, (int)start - 1), best);
    set(m, start, (size_t)wanted, 0);
}

static void take_there(extents *e, model *m, dice *d)
{
    const uintptr_t start = 1 + (uintptr_t)dice_below(d, PAGES);
    const int wanted = 1 + (int)dice_below(d, 6);
    if (!spgemm_extents_take_at(e, start, (size_t)wanted))
        return;
    cr_assert_geq(model_run(m, (int)start - 1), wanted);
    set(m, start, (size_t)wanted, 0);
}

Test(extents, are_what_a_table_of_pages_is)
{
    static extents e;
    static model m;
    dice d = {7};
    extent x;
    for (int64_t t = 1; t <= 20000; t++) {
        switch (dice_below(&d, 6)) {
        case 0:
            take_some(&e, &m, &d);
            break;
        case 1:
            take_there(&e, &m, &d);
            break;
        case 2:
            if (spgemm_extents_take_oldest(&e, t / 50 - 2, 3, &x)) {
                cr_assert_leq(x.bytes, 3);
                cr_assert_leq(x.freed, t / 50 - 2);
                set(&m, x.start, x.bytes, 0);
            }
            break;
        default:
            free_some(&e, &m, &d, 1 + t / 50);
        }
        expect_model(&e, &m);
    }
}
