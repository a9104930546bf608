/* SPDX-License-Identifier: BSD-3-Clause */
/* The places of products, found once for all repetitions of a product. */
#ifndef SPGEMM_SPGEMM_EXECUTE_PLACE_H
#define SPGEMM_SPGEMM_EXECUTE_PLACE_H

#include "spgemm/execute/pass.h"

/* Those of all blocks of a schedule. Zeroed: none. */
typedef struct block_places {
    uint8_t *width; /* [rows of C] bytes of a place; 0: the row has none */
    int64_t *begin; /* [blocks + 1] where those of a block begin */
    uint8_t *places;
    int64_t rows;
    int64_t blocks;
} block_places;

/** Whether the values of a block of C can be made under the columns that are
    there, by kernels->refill. */
bool spgemm_is_refillable(const pass_input *in, const row_range *range);

/**
 * The places of C's rows, by `team` threads: of those that take no more bytes
 * than the row has in C and, of sums alone, are not taken together with others.
 * None, where there is no memory for them. Fails only where progress asks to stop.
 *
 * @note Time O(products), memory at most that of C's entries, 1 byte a row
 */
spgemm_status spgemm_place_products(block_places *p, const pass_input *in,
                                    const spgemm_csr *C, int team);

void spgemm_block_places_clear(block_places *p, memory *m);

/** Those of block b. */
product_places spgemm_places_of_block(const block_places *p, const schedule *s,
                                      int64_t b);

#endif
