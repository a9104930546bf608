/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory that accumulators work in: one per thread, reused from row to
   row, clean between rows. Sizes follow the rows met, so that a thread that
   meets short rows stays in its cache. */
#ifndef SPGEMM_KERNELS_ROW_SCRATCH_H
#define SPGEMM_KERNELS_ROW_SCRATCH_H

#include <stdbool.h>

#include "alloc/memory.h"
#include "kernels/simd/pack.h"
#include "matrix/shift_pattern.h"
#include "spgemm/spgemm.h"

/* Columns that a window covers: 2 MB of doubles. Wider rows are taken in slices
   of this, or hashed, or fill a window of their own. A multiple of 4096. */
#define WINDOW_COLUMNS ((int64_t)1 << 18)

/* Rows taken together at most, and the columns of their windows: 3 MB. Shells
   have six unknowns a node: with six rows, not two times three, pwtk-like takes
   134 ms where it took 153 (one thread of a Zen 4). */
#define SUPERNODE_ROWS    6
#define SUPERNODE_COLUMNS ((int64_t)1 << 16)

/* A row of C that others repeat; see accumulators/shifted_program.h. */
#define SHIFTED_NNZ      256
#define SHIFTED_LENGTH   512
#define SHIFTED_PRODUCTS 3072

typedef struct shifted_program {
    int64_t length;                   /* of A's row */
    int64_t nnz;                      /* of C's row */
    uint8_t places[SHIFTED_PRODUCTS]; /* in C's row, of each product in turn */
    union {
        int32_t i32[SHIFTED_NNZ + 8];
        int64_t i64[SHIFTED_NNZ + 8];
    } columns; /* of C's row */
} shifted_program;

/* Rows of one period. */
typedef struct shifted_period {
    int64_t row; /* of A, the first that the programs were written of; or -1 */
    shifted_program programs[MOST_PERIOD];
} shifted_period;

/* A row of B that the row in hand takes. */
typedef struct shifted_source {
    const char *at; /* its values */
    int64_t stride; /* bytes to those of the row that takes its place */
    int64_t length;
} shifted_source;

/* Lines of a grid differ in few ways. Measured, one thread of a Zen 4, ms with
   1, 6, 12, 24 of them: multigrid-AP 160, 143, 145, 149; multigrid-RAP 51, 50,
   50, 50. */
#define SHIFTED_KINDS 6

typedef struct shifted_programs {
    int64_t next; /* the oldest: to be overwritten */
    shifted_period kinds[SHIFTED_KINDS];
    shifted_source sources[SHIFTED_LENGTH]; /* of the program in hand */
} shifted_programs;

/* One serves one kernel: what is clean for another may not be for this. */
typedef struct scratch {
    memory *m;
    size_t value_size;
    size_t index_size;

    /* Windows: entry x stands for column first + x. Between rows all sums are
       -0, and all bytes 0. */
    int64_t window_columns; /* capacity: a multiple of 4096 */
    void *sums;             /* [window_columns] of the value type */
    uint8_t *marks;         /* [window_columns] touched; NULL: not used */
    uint8_t *lines;         /* [window_columns / 8], of eight columns */
    uint8_t *words;         /* [window_columns / 64] touched */
    uint32_t *line_list;    /* [window_columns / 8 + PACK_SLACK] */
    uint32_t *word_list;    /* [window_columns / 64 + PACK_SLACK] */
    uint64_t *masks;        /* [window_columns / 64] of the words listed */

    /* Unsorted rows: the place of a column in its row, -1 between rows. */
    int64_t position_columns; /* capacity: 0, or as window_columns */
    int32_t *positions;       /* [position_columns] */

    /* Rows taken together: as many windows of sums as SUPERNODE_ROWS; or the sums of
       a column side by side, ALIKE_ROWS of them. */
    int64_t supernode_columns; /* capacity: 0, or as window_columns */
    int64_t supernode_stride;  /* from a row to the next */
    void *supernode_sums;      /* [SUPERNODE_ROWS * supernode_stride] */

    shifted_programs *shifted; /* NULL until they are needed */
    bool never_shifts; /* a row was too long for a program: others are */

    /* Hash: all keys -1 between rows. */
    int64_t slots;   /* capacity: 0, or a power of two */
    void *keys;      /* [slots] of the index type */
    void *slot_sums; /* [slots] of the value type */
    void *columns;   /* [slots] of the index type: found, in order */
    void *spare;     /* [slots] of the index type: for sorting */

    int64_t nwords;
    uint64_t *words64; /* [nwords] keys and places of one row */

    /* Columns that are found anew and not kept. */
    int64_t ndiscarded;
    void *discarded; /* [ndiscarded] of the index type */

    int64_t rows_by_accumulator[SPGEMM_ACCUMULATOR_COUNT];
    int64_t chained_products; /* made of rows that were made here, too */
} scratch;

/** An empty scratch: nothing is allocated before it is needed. */
void spgemm_scratch_init(scratch *s, memory *m, size_t value_size,
                         size_t index_size);

void spgemm_scratch_clear(scratch *s);

/** Windows for `columns` columns, whose sums are still to be
    set. false: no memory. */
bool spgemm_scratch_grow_window(scratch *s, int64_t columns, bool has_marks);

/** Windows for SUPERNODE_ROWS rows of `columns` <= SUPERNODE_COLUMNS, whose sums are
    still to be set. The others must be large enough. false: no memory. */
bool spgemm_scratch_grow_supernode(scratch *s, int64_t columns);

/** Positions for `columns` columns. false: no memory. */
bool spgemm_scratch_grow_positions(scratch *s, int64_t columns);

/** Memory for programs, none of them written. false: no memory. */
bool spgemm_scratch_make_shifted(scratch *s);

/** Those that are there are of another product. */
void spgemm_scratch_forget_repeats(scratch *s);

/**
 * A hash of `slots` (a power of two) slots. Its content is lost: a table that
 * grows while it is in use is taken out with spgemm_scratch_take_hash() first.
 */
bool spgemm_scratch_grow_hash(scratch *s, int64_t slots);

static inline bool scratch_hash(scratch *s, int64_t slots)
{
    return slots <= s->slots || spgemm_scratch_grow_hash(s, slots);
}

/** Words for n of them, whose content is lost. false: no memory. */
bool spgemm_scratch_grow_words(scratch *s, int64_t n);

static inline bool scratch_words(scratch *s, int64_t n)
{
    return n <= s->nwords || spgemm_scratch_grow_words(s, n);
}

/** Room for n columns, of which nothing is read. false: no memory. */
bool spgemm_scratch_grow_discarded(scratch *s, int64_t n);

/** Whether the windows are all zero, as they must be between rows. O(window):
    for assertions. */
bool spgemm_scratch_is_clean(const scratch *s);

/** Moves the hash of s to *old, whose other parts are empty; of a table that grows,
    `spare` is given back first. */
void spgemm_scratch_take_hash(scratch *s, scratch *old);

#endif
