/* SPDX-License-Identifier: BSD-3-Clause */
/* rank in the matrix = rows of the class in the blocks before + rank in the
   block. */
#include "predict/stratified/class_rows.h"

#include "common/checked.h"
#include "common/team.h"
#include "common/try.h"

#define BLOCK_GRAIN 16 /* blocks that are worth a thread */
#define STRETCH     64 /* rows whose classes are compared at once */

/* The picks of one class that are still to be found. */
typedef struct class_walk {
    int class;
    int64_t next;
    int64_t end;
    int64_t before; /* rows of the class in the blocks walked through */
} class_walk;

/* Picks [begin, end) are of one class in one block. */
typedef struct find {
    int64_t block;
    int64_t begin;
    int64_t end;
} find;

/* Walks of all classes that are picked from; returns their number. */
static int begin_walks(class_walk *walks, const class_pick *picks,
                       int64_t count)
{
    int n = 0;
    for (int64_t t = 0; t < count; t++) {
        if (t == 0 || picks[t].class != picks[t - 1].class)
            walks[n++] = (class_walk){picks[t].class, t, t, 0};
        walks[n - 1].end = t + 1;
    }
    return n;
}

/* In which block each pick lies: its rank becomes that in the block. Returns
   the number of finds. */
static int64_t find_blocks(find *finds, class_pick *picks, int64_t count,
                           const predict_input *in)
{
    class_walk walks[PREDICTION_CLASSES];
    const int n = begin_walks(walks, picks, count);
    int64_t found = 0;
    for (int64_t b = 0; b < in->counts->nblocks; b++)
        for (int w = 0; w < n; w++) {
            class_walk *walk = &walks[w];
            const int64_t before = walk->before;
            walk->before += in->counts->blocks[b].rows[walk->class];
            if (walk->next == walk->end ||
                picks[walk->next].rank >= walk->before)
                continue;
            const int64_t begin = walk->next;
            while (walk->next < walk->end &&
                   picks[walk->next].rank < walk->before)
                picks[walk->next++].rank -= before;
            finds[found++] = (find){b, begin, walk->next};
        }
    return found;
}

/* Rows of [begin, end) that are of class c. Those without products are marked as
   class 0, and are of none. */
static int64_t count_rows(const product_counts *counts, int c, int64_t begin,
                          int64_t end)
{
    const uint16_t class = (uint16_t)c; /* sixteen bits: eight rows at once */
    uint16_t n = 0;
    if (c == 0)
        for (int64_t i = begin; i < end; i++)
            n = (uint16_t)(n +
                           (counts->row_class[i] == 0 && counts->row[i] > 0));
    else
        for (int64_t i = begin; i < end; i++)
            n = (uint16_t)(n + (counts->row_class[i] == class));
    return n;
}

typedef struct search {
    class_pick *picks;
    const find *finds;
    const product_counts *counts;
} search;

/* The rows of the picks of find number `n`. */
static void look_through(void *context, int64_t n)
{
    const search *s = context;
    const find *sought = &s->finds[n];
    const product_counts *counts = s->counts;
    class_pick *picks = s->picks;
    const int c = picks[sought->begin].class;
    const int64_t last =
        min_i64(counts->nrows, (sought->block + 1) * counts->block_rows);
    int64_t begin = sought->block * counts->block_rows;
    int64_t before = 0; /* rows of the class in the block, before `begin` */
    for (int64_t t = sought->begin; t < sought->end; begin += STRETCH) {
        const int64_t end = min_i64(last, begin + STRETCH);
        const int64_t after = before + count_rows(counts, c, begin, end);
        for (; t < sought->end && picks[t].rank < after; t++) {
            int64_t i = begin;
            int64_t left = picks[t].rank - before;
            while ((left -= count_rows(counts, c, i, i + 1)) >= 0)
                i++;
            picks[t].row = i;
        }
        before = after;
    }
}

spgemm_status spgemm_find_class_rows(class_pick *picks, int64_t count,
                                     const predict_input *in)
{
    find *finds = spgemm_memory_allocate(in->m, count, sizeof *finds);
    if (!finds)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    const int64_t found = find_blocks(finds, picks, count, in);
    const int team =
        spgemm_team_size(in->options->resources.nthreads, found, BLOCK_GRAIN);
    search s = {picks, finds, in->counts};
    spgemm_team_for(team, found, look_through, &s);
    spgemm_memory_release(in->m, finds, count, sizeof *finds);
    return SPGEMM_SUCCESS;
}
