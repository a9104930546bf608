/* SPDX-License-Identifier: BSD-3-Clause */
#include "mixture.h"

/* Chances, in hundredths, of a row being as the one before, and of it being
   that a column further; the others are new. */
typedef struct habit {
    int64_t same;
    int64_t next;
} habit;

static const habit habits[MIXTURE_HABITS] = {
    {60, 20}, {5, 90}, {20, 75}, {0, 96}, {30, 0}};
enum { LONGEST = 64 };

typedef struct mixed_row {
    int64_t columns[LONGEST];
    int64_t count;
} mixed_row;

/* Runs of 1 to 12 columns, a few apart or far apart. */
static void new_row(dice *d, mixed_row *row, int64_t ncols)
{
    static const int64_t gaps[] = {3, 30, 300};
    int64_t j = dice_below(d, ncols);
    int64_t length = dice_below(d, 10) < 2 ? 0 : 1 + dice_below(d, LONGEST);
    row->count = 0;
    while (row->count < length && j < ncols) {
        for (int64_t run = 1 + dice_below(d, 12);
             run > 0 && row->count < length && j < ncols; run--)
            row->columns[row->count++] = j++;
        j += 1 + dice_below(d, gaps[dice_below(d, 3)]);
    }
}

static void shift_row(mixed_row *row, int64_t ncols)
{
    if (row->count > 0 && row->columns[row->count - 1] == ncols - 1)
        return;
    for (int64_t t = 0; t < row->count; t++)
        row->columns[t]++;
}

spgemm_csr make_mixture(maker *m, int64_t nrows, int64_t ncols, int which)
{
    const habit *h = &habits[which % MIXTURE_HABITS];
    mixed_row row = {.count = 0};
    csr_builder b = build_begin(nrows, ncols);
    for (int64_t i = 0; i < nrows; i++) {
        const int64_t chance = dice_below(&m->dice, 100);
        if (chance >= h->same + h->next)
            new_row(&m->dice, &row, ncols);
        else if (chance >= h->same)
            shift_row(&row, ncols);
        for (int64_t t = 0; t < row.count; t++)
            build_add(&b, row.columns[t], make_value(m));
        build_end_row(&b);
    }
    return build_finish(&b, m->index_type);
}
