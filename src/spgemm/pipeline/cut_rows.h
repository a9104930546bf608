/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of some rows, appended to a schedule. */
#ifndef SPGEMM_SPGEMM_PIPELINE_CUT_ROWS_H
#define SPGEMM_SPGEMM_PIPELINE_CUT_ROWS_H

#include "predict/prediction.h"
#include "spgemm/pipeline/schedule.h"

/* A block's chunk should be written and read back within the second cache:
   64 K products make at most 768 KB of entries, and far less when they
   compress. */
#define BLOCK_PRODUCTS 65536

/* 1 / compression of each class: a division a row would be a good part of
   planning. */
typedef struct class_shares {
    double of[PREDICTION_CLASSES];
} class_shares;

class_shares spgemm_class_shares(const prediction *p);

/* What rows are cut by. */
typedef struct cut {
    slab *rows;
    int64_t products;    /* of a block, about */
    int64_t giant;       /* products of a row that is taken by itself */
    int64_t part_length; /* products of a part, for each row of B, at least */
    double room;         /* entries that there is still room for */
} cut;

/** Room in a schedule for so many blocks; those that it has stay.
    @retval SPGEMM_ERROR_OUT_OF_MEMORY */
spgemm_status spgemm_schedule_room(schedule *p, int64_t room);

/** Appends blocks of the rows of at->rows, which end where room ends. Its
    `predicted` grows by theirs.
    @retval SPGEMM_ERROR_OUT_OF_MEMORY */
spgemm_status spgemm_cut_rows(schedule *p, const operands *ops,
                              const class_shares *shares, cut *at);

#endif
