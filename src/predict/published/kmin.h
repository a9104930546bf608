/* SPDX-License-Identifier: BSD-3-Clause */
/* The k smallest distinct of a stream of hashes, and how many distinct ones
   they stand for. It is a set: whoever gathers it, in whatever order and in
   how many parts, the sketch is the same. */
#ifndef SPGEMM_PREDICT_PUBLISHED_KMIN_H
#define SPGEMM_PREDICT_PUBLISHED_KMIN_H

#include "alloc/memory.h"
#include "common/compiler.h"
#include "spgemm/spgemm.h"

typedef struct kmin {
    int64_t k;
    int64_t capacity; /* of values: 2 k, or some more */
    int64_t used;
    uint64_t bound;   /* a hash from here on is none of the k smallest */
    uint64_t *values; /* in no order, some repeated */
} kmin;

/** How many distinct hashes there were. */
typedef struct kmin_count {
    double count;
    double variance; /* 0: exact; NaN: none, as k < 3 */
} kmin_count;

/** false: no memory. */
bool spgemm_kmin_init(kmin *s, int64_t k, memory *m);
void spgemm_kmin_clear(kmin *s, memory *m);

/** Each value once, the k smallest, in increasing order. */
void spgemm_kmin_compact(kmin *s);

static ALWAYS_INLINE void kmin_add(kmin *s, uint64_t hash)
{
    if (LIKELY(hash >= s->bound))
        return;
    s->values[s->used++] = hash;
    if (s->used == s->capacity)
        spgemm_kmin_compact(s);
}

/** Task t of some: adds its hashes to the sketch of its thread. */
typedef void kmin_task(void *work, int64_t t, kmin *s);

/**
 * The hashes of `tasks` tasks into `all`, by a team.
 *
 * @retval SPGEMM_ERROR_OUT_OF_MEMORY  for the sketch of a thread: 16 k bytes
 */
spgemm_status spgemm_kmin_gather(kmin *all, kmin_task *run, void *work,
                                 int64_t tasks, int team, memory *m);

/** Of a compact sketch. */
kmin_count spgemm_kmin_count(const kmin *s);

#endif
