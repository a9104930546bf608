/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the caller of one call: whatever the library is given lies
   here, so that one look tells whether it was written to. */
#ifndef SPGEMM_TESTS_CROSS_ARENA_H
#define SPGEMM_TESTS_CROSS_ARENA_H

#include <stdbool.h>
#include <stddef.h>

enum { ARENA_BYTES = 256 << 20 };

/** Forget all blocks. */
void arena_begin(void);

/** A block of exactly so many bytes, zeroed, never NULL. */
void *arena_take(size_t bytes);

/** The same; seals of it remember its surroundings, not its content. */
void *arena_take_output(size_t bytes);

/** Remember everything as it is now. */
void arena_seal(void);

/** Whether all is as it was sealed; of outputs their content too if `whole`. */
bool arena_is_intact(bool whole);

/** Whether an address lies in it. */
bool arena_holds(const void *address);

#endif
