/* SPDX-License-Identifier: BSD-3-Clause */
/* A(i,j) is the probability that a polymer of L monomers in a gel goes from
   state j to state i: the cage model of DNA electrophoresis.

   A. van Heukelum, G. T. Barkema, R. H. Bisseling, DNA electrophoresis studied
   with the cage model, Journal of Computational Physics 180, 2002,
   doi:10.1006/jcph.2002.7095.

   One monomer in L is picked. If it is an end of the walk, or its neighbours in
   the walk are at one place, it goes to a neighbour of that place in the tree,
   up with probability 0.55 and down with 0.45, each of the three alike;
   otherwise it stays. The order of the states and the three digits of the
   values are those of the published matrices. */
#include <stdio.h>
#include <stdlib.h>

#include "kind.h"
#include "walk.h"

/* Probabilities are multiples of 1 / (60 L): 0.55 / 3 is 11 / 60. */
enum { UNITS_UP = 11, UNITS_DOWN = 9, UNITS = 60 };

enum { MOST_MOVES = WALK_MONOMERS * WALK_FAN + 1 };

/* All states, in order, and where each is found: slots[] holds ranks. */
typedef struct state_list {
    walk_layout layout;
    int64_t count;
    int64_t capacity;
    uint64_t *keys;
    uint64_t mask; /* one less than the number of slots, a power of two */
    int32_t *slots;
    double value[UNITS * WALK_MONOMERS + 1]; /* of each multiple */
} state_list;

/* Where a state goes, by key. */
typedef struct move_list {
    int count;
    uint64_t keys[MOST_MOVES];
    int units[MOST_MOVES];
} move_list;

/* ---- States -------------------------------------------------------------- */

/* A walk and its reversal are one state. */
static uint64_t state_key(walk_keys keys)
{
    return keys.forward < keys.backward ? keys.forward : keys.backward;
}

static bool add_state(state_list *s, uint64_t key)
{
    if (s->count == s->capacity) {
        const int64_t capacity = 2 * s->capacity + 1024;
        uint64_t *keys = realloc(s->keys, (size_t)capacity * sizeof *s->keys);
        if (!keys)
            return false;
        s->keys = keys;
        s->capacity = capacity;
    }
    s->keys[s->count++] = key;
    return true;
}

/* Add the states whose walks begin as w does. */
static bool list_states(state_list *s, const walk *w, walk_keys keys)
{
    if (w->length == s->layout.nmonomers)
        return keys.forward > keys.backward || add_state(s, keys.forward);
    walk_fan fan;
    walk_list_fan(w, w->at[w->length - 1], &fan);
    bool is_well = true;
    for (int k = 0; is_well && k < fan.count; k++) {
        walk longer = *w;
        walk_append(&longer, &fan, k);
        walk_keys sum = keys;
        walk_add_monomer(&sum, &s->layout, &longer, w->length);
        is_well = list_states(s, &longer, sum);
    }
    return is_well;
}

static bool rank_states(state_list *s)
{
    int64_t nslots = 1;
    while (nslots < 2 * s->count)
        nslots *= 2;
    s->mask = (uint64_t)nslots - 1;
    s->slots = malloc((size_t)nslots * sizeof *s->slots);
    if (!s->slots)
        return false;
    sort_keys(s->keys, s->count);
    for (int64_t slot = 0; slot < nslots; slot++)
        s->slots[slot] = -1;
    for (int64_t rank = 0; rank < s->count; rank++) {
        uint64_t slot = rng_mix(s->keys[rank]) & s->mask;
        while (s->slots[slot] >= 0)
            slot = (slot + 1) & s->mask;
        s->slots[slot] = (int32_t)rank;
    }
    return true;
}

static int32_t find_rank(const state_list *s, uint64_t key)
{
    uint64_t slot = rng_mix(key) & s->mask;
    while (s->keys[s->slots[slot]] != key)
        slot = (slot + 1) & s->mask;
    return s->slots[slot];
}

/* ---- Moves --------------------------------------------------------------- */

static void add_move(move_list *moves, uint64_t key, int units)
{
    int place = moves->count;
    while (place > 0 && moves->keys[place - 1] > key)
        place--;
    if (place > 0 && moves->keys[place - 1] == key) {
        moves->units[place - 1] += units;
        return;
    }
    for (int k = moves->count++; k > place; k--) {
        moves->keys[k] = moves->keys[k - 1];
        moves->units[k] = moves->units[k - 1];
    }
    moves->keys[place] = key;
    moves->units[place] = units;
}

static void list_moves(move_list *moves, const walk_layout *layout,
                       uint64_t key)
{
    walk w;
    walk_decode(&w, layout, key);
    const int last = w.length - 1;
    moves->count = 0;
    for (int m = 0; m <= last; m++) {
        if (m > 0 && m < last && w.at[m - 1] != w.at[m + 1]) {
            add_move(moves, key, UNITS);
            continue;
        }
        walk_fan fan;
        walk_list_fan(&w, w.at[m > 0 ? m - 1 : 1], &fan);
        const walk_keys rest = walk_keys_without(layout, &w, m);
        for (int k = 0; k < fan.count; k++)
            add_move(moves,
                     state_key(walk_keys_moved(rest, layout, &w, m, &fan, k)),
                     fan.weight[k] * (fan.is_up[k] ? UNITS_UP : UNITS_DOWN));
    }
}

/* ---- The matrix ---------------------------------------------------------- */

static void count_moves(uint8_t *counts, const state_list *s)
{
#pragma omp parallel for schedule(dynamic, 1024)
    for (int64_t j = 0; j < s->count; j++) {
        move_list moves;
        list_moves(&moves, &s->layout, s->keys[j]);
        counts[j] = (uint8_t)moves.count;
    }
}

/* Row j of T: where state j goes. */
static void fill_moves(spgemm_csr *T, const state_list *s)
{
    int32_t *columns = T->colidx;
    double *values = T->values;
#pragma omp parallel for schedule(dynamic, 1024)
    for (int64_t j = 0; j < s->count; j++) {
        move_list moves;
        list_moves(&moves, &s->layout, s->keys[j]);
        for (int k = 0; k < moves.count; k++) {
            columns[T->rowptr[j] + k] = find_rank(s, moves.keys[k]);
            values[T->rowptr[j] + k] = s->value[moves.units[k]];
        }
    }
}

static spgemm_status make_transitions(spgemm_csr *T, const state_list *s)
{
    int64_t nnz = 0;
    uint8_t *counts = malloc((size_t)s->count * sizeof *counts);
    if (!counts)
        return SPGEMM_ERROR_OUT_OF_MEMORY;
    count_moves(counts, s);
    for (int64_t j = 0; j < s->count; j++)
        nnz += counts[j];
    const spgemm_status status = spgemm_csr_create(
        T, s->count, s->count, nnz, SPGEMM_I32, SPGEMM_FP64, NULL);
    if (status == SPGEMM_SUCCESS) {
        for (int64_t j = 0; j < s->count; j++)
            T->rowptr[j + 1] = T->rowptr[j] + counts[j];
        fill_moves(T, s);
        T->flags |= SPGEMM_SORTED_ROWS;
    }
    free(counts);
    return status;
}

static void list_values(state_list *s)
{
    char text[32];
    const int most = UNITS * s->layout.nmonomers;
    for (int units = 0; units <= most; units++) {
        snprintf(text, sizeof text, "%.3g", (double)units / most);
        s->value[units] = strtod(text, NULL);
    }
}

static spgemm_status make_cage(spgemm_csr *A, const recipe *r)
{
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    spgemm_csr T = {0};
    walk w;
    state_list *s = calloc(1, sizeof *s);
    if (!s)
        return status;
    walk_layout_init(&s->layout, (int)r->sizes[0]);
    walk_begin(&w);
    list_values(s);
    if (list_states(s, &w, (walk_keys){0, 0}) && rank_states(s))
        status = make_transitions(&T, s);
    free(s->keys);
    free(s->slots);
    free(s);
    if (status == SPGEMM_SUCCESS)
        status = spgemm_csr_transpose(A, &T);
    spgemm_csr_destroy(&T);
    return status;
}

const matrix_kind kind_cage = {
    .name = "cage",
    .help = "L: cage model of a polymer of L monomers in a gel; its values are "
            "its own",
    .sizes = {{"L", 3, WALK_MONOMERS, MUST_BE_GIVEN}},
    .has_own_values = true,
    .make = make_cage};
