/* SPDX-License-Identifier: BSD-3-Clause */
/* Walks on the infinite tree whose vertices have three neighbours up and three
   down, and keys: two walks have one key if an automorphism of the tree that
   knows up from down takes one into the other. */
#ifndef MATGEN_WALK_H
#define MATGEN_WALK_H

#include <stdbool.h>
#include <stdint.h>

/* Vertices in a walk. The key has 63 bits for 15 of them. */
enum { WALK_MONOMERS = 15, WALK_FAN = 6 };

/* The part of the tree where the walk is, grown from vertex 0. */
typedef struct walk {
    int length;
    int nvertices;
    int8_t at[WALK_MONOMERS];
    int8_t parent[WALK_MONOMERS]; /* vertex 0 has none */
    bool is_up[WALK_MONOMERS];    /* the step from the parent */
} walk;

/* Which bits of a key say that monomers i and j, i < j, are at one place: in
   the walk's key, and in that of its reversal. The bits of the steps, set if
   they go up, are the least; pairs far apart are above pairs near by. */
typedef struct walk_layout {
    int nmonomers;
    uint64_t forward[WALK_MONOMERS][WALK_MONOMERS];
    uint64_t backward[WALK_MONOMERS][WALK_MONOMERS];
} walk_layout;

typedef struct walk_keys {
    uint64_t forward;
    uint64_t backward;
} walk_keys;

/* The neighbours of a vertex: each that the walk has seen, and then those that
   it has not, up and down, as one each, of some weight. */
typedef struct walk_fan {
    int count;
    int8_t from;
    int8_t vertex[WALK_FAN]; /* nvertices: a new one */
    bool is_up[WALK_FAN];
    int weight[WALK_FAN];
} walk_fan;

void walk_layout_init(walk_layout *layout, int nmonomers);

/** The walk of one vertex, and the one of a key. */
void walk_begin(walk *w);
void walk_decode(walk *w, const walk_layout *layout, uint64_t key);

void walk_list_fan(const walk *w, int8_t from, walk_fan *fan);

/** One step more, to vertex k of the fan of the last. */
void walk_append(walk *w, const walk_fan *fan, int k);

/** Add the bits of monomer m and of those before it. */
void walk_add_monomer(walk_keys *keys, const walk_layout *layout, const walk *w,
                      int m);

/** The bits of all monomers but m; and those with m moved to vertex k of the
    fan of its neighbour, or of both its neighbours. */
walk_keys walk_keys_without(const walk_layout *layout, const walk *w, int m);
walk_keys walk_keys_moved(walk_keys without, const walk_layout *layout,
                          const walk *w, int m, const walk_fan *fan, int k);

#endif
