/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that accumulators work in. */
#include "kernels/row/scratch.h"

#include <string.h>

#include "common/checked.h"

#define LEAST_WINDOW 4096

/* Between the windows of two rows, so that equal columns of the rows do not
   fall on the same set of the cache. */
#define BLOCK_GAP 72

void spgemm_scratch_init(scratch *s, memory *m, size_t value_size,
                         size_t index_size)
{
    *s = (scratch){.m = m, .value_size = value_size, .index_size = index_size};
}

static void clear_window(scratch *s)
{
    const int64_t n = s->window_columns;
    spgemm_memory_release(s->m, s->sums, n, s->value_size);
    spgemm_memory_release(s->m, s->marks, n, sizeof *s->marks);
    spgemm_memory_release(s->m, s->lines, n / 8, sizeof *s->lines);
    spgemm_memory_release(s->m, s->words, n / 64, sizeof *s->words);
    spgemm_memory_release(s->m, s->line_list, n / 8 + PACK_SLACK,
                          sizeof *s->line_list);
    spgemm_memory_release(s->m, s->word_list, n / 64 + PACK_SLACK,
                          sizeof *s->word_list);
    spgemm_memory_release(s->m, s->masks, n / 64, sizeof *s->masks);
    s->window_columns = 0;
    s->masks = NULL;
    s->sums = NULL;
    s->marks = NULL;
    s->lines = NULL;
    s->words = NULL;
    s->line_list = NULL;
    s->word_list = NULL;
}

static void clear_block(scratch *s)
{
    spgemm_memory_release(s->m, s->supernode_sums,
                          SUPERNODE_ROWS * s->supernode_stride, s->value_size);
    s->supernode_sums = NULL;
    s->supernode_columns = 0;
    s->supernode_stride = 0;
}

static void clear_positions(scratch *s)
{
    spgemm_memory_release(s->m, s->positions, s->position_columns,
                          sizeof *s->positions);
    s->positions = NULL;
    s->position_columns = 0;
}

static void clear_hash(scratch *s)
{
    spgemm_memory_release(s->m, s->keys, s->slots, s->index_size);
    spgemm_memory_release(s->m, s->slot_sums, s->slots, s->value_size);
    spgemm_memory_release(s->m, s->columns, s->slots, s->index_size);
    spgemm_memory_release(s->m, s->spare, s->slots, s->index_size);
    s->slots = 0;
    s->keys = NULL;
    s->slot_sums = NULL;
    s->columns = NULL;
    s->spare = NULL;
}

static void clear_words(scratch *s)
{
    spgemm_memory_release(s->m, s->words64, s->nwords, sizeof *s->words64);
    s->words64 = NULL;
    s->nwords = 0;
}

static void clear_discarded(scratch *s)
{
    spgemm_memory_release(s->m, s->discarded, s->ndiscarded, s->index_size);
    s->discarded = NULL;
    s->ndiscarded = 0;
}

void spgemm_scratch_clear(scratch *s)
{
    clear_window(s);
    clear_block(s);
    clear_positions(s);
    clear_hash(s);
    clear_words(s);
    clear_discarded(s);
    spgemm_memory_release(s->m, s->shifted, 1, sizeof *s->shifted);
    s->shifted = NULL;
}

/* LEAST_WINDOW times a power of two, or that and some quarters of it: enough
   for the columns wanted, and little more where they are many. */
static int64_t window_capacity(int64_t wanted)
{
    int64_t n = LEAST_WINDOW;
    while (2 * n < wanted)
        n *= 2;
    const int64_t step = max_i64(n / 4, LEAST_WINDOW);
    return wanted <= n ? n : n + (wanted - n + step - 1) / step * step;
}

bool spgemm_scratch_grow_window(scratch *s, int64_t columns, bool has_marks)
{
    clear_window(s);
    const int64_t n = window_capacity(columns);
    s->window_columns = n;
    s->sums = spgemm_memory_allocate(s->m, n, s->value_size);
    if (has_marks)
        s->marks = spgemm_memory_allocate_zeroed(s->m, n, sizeof *s->marks);
    s->lines = spgemm_memory_allocate_zeroed(s->m, n / 8, sizeof *s->lines);
    s->words = spgemm_memory_allocate_zeroed(s->m, n / 64, sizeof *s->words);
    s->line_list =
        spgemm_memory_allocate(s->m, n / 8 + PACK_SLACK, sizeof *s->line_list);
    s->word_list =
        spgemm_memory_allocate(s->m, n / 64 + PACK_SLACK, sizeof *s->word_list);
    s->masks = spgemm_memory_allocate(s->m, n / 64, sizeof *s->masks);
    const bool is_whole = s->masks && s->sums && (s->marks || !has_marks) &&
                          s->lines && s->words && s->line_list && s->word_list;
    if (!is_whole)
        clear_window(s);
    return is_whole;
}

bool spgemm_scratch_grow_supernode(scratch *s, int64_t columns)
{
    clear_block(s);
    s->supernode_columns = window_capacity(columns);
    s->supernode_stride = s->supernode_columns + BLOCK_GAP;
    s->supernode_sums = spgemm_memory_allocate(
        s->m, SUPERNODE_ROWS * s->supernode_stride, s->value_size);
    if (!s->supernode_sums)
        clear_block(s);
    return s->supernode_sums != NULL;
}

bool spgemm_scratch_grow_positions(scratch *s, int64_t columns)
{
    clear_positions(s);
    const int64_t n = window_capacity(columns);
    s->positions = spgemm_memory_allocate(s->m, n, sizeof *s->positions);
    if (!s->positions)
        return false;
    s->position_columns = n;
    memset(s->positions, 0xff, (size_t)n * sizeof *s->positions);
    return true;
}

bool spgemm_scratch_make_shifted(scratch *s)
{
    if (s->shifted)
        return true;
    s->shifted = spgemm_memory_allocate(s->m, 1, sizeof *s->shifted);
    spgemm_scratch_forget_repeats(s);
    return s->shifted != NULL;
}

void spgemm_scratch_forget_repeats(scratch *s)
{
    s->never_shifts = false;
    if (!s->shifted)
        return;
    s->shifted->next = 0;
    for (int k = 0; k < SHIFTED_KINDS; k++)
        s->shifted->kinds[k].row = -1;
}

bool spgemm_scratch_grow_hash(scratch *s, int64_t slots)
{
    clear_hash(s);
    s->slots = slots;
    s->keys = spgemm_memory_allocate(s->m, slots, s->index_size);
    s->slot_sums = spgemm_memory_allocate(s->m, slots, s->value_size);
    s->columns = spgemm_memory_allocate(s->m, slots, s->index_size);
    s->spare = spgemm_memory_allocate(s->m, slots, s->index_size);
    const bool is_whole = s->keys && s->slot_sums && s->columns && s->spare;
    if (is_whole)
        memset(s->keys, 0xff, (size_t)slots * s->index_size);
    else
        clear_hash(s);
    return is_whole;
}

bool spgemm_scratch_grow_words(scratch *s, int64_t n)
{
    const int64_t wanted = max_i64(n, 2 * s->nwords);
    clear_words(s);
    s->words64 = spgemm_memory_allocate(s->m, wanted, sizeof *s->words64);
    s->nwords = s->words64 ? wanted : 0;
    return s->words64 != NULL;
}

bool spgemm_scratch_grow_discarded(scratch *s, int64_t n)
{
    if (n <= s->ndiscarded)
        return true;
    clear_discarded(s);
    s->discarded = spgemm_memory_allocate(s->m, n, s->index_size);
    s->ndiscarded = s->discarded ? n : 0;
    return s->discarded != NULL;
}

void spgemm_scratch_take_hash(scratch *s, scratch *old)
{
    spgemm_scratch_init(old, s->m, s->value_size, s->index_size);
    old->slots = s->slots;
    old->keys = s->keys;
    old->slot_sums = s->slot_sums;
    old->columns = s->columns;
    spgemm_memory_release(s->m, s->spare, s->slots, s->index_size);
    s->slots = 0;
    s->keys = NULL;
    s->slot_sums = NULL;
    s->columns = NULL;
    s->spare = NULL;
}

static bool is_zero(const void *bytes, size_t n)
{
    const char *first = bytes;
    return n == 0 || (first[0] == 0 && memcmp(first, first + 1, n - 1) == 0);
}

bool spgemm_scratch_is_clean(const scratch *s)
{
    const size_t columns = (size_t)s->window_columns;
    return (!s->marks || is_zero(s->marks, columns * sizeof *s->marks)) &&
           is_zero(s->lines, columns / 8 * sizeof *s->lines) &&
           is_zero(s->words, columns / 64 * sizeof *s->words);
}
