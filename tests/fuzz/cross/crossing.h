/* SPDX-License-Identifier: BSD-3-Clause */
/* One input of the fuzzer: a seed, and the calls that it stands for. */
#ifndef SPGEMM_TESTS_CROSSING_H
#define SPGEMM_TESTS_CROSSING_H

#include "dice.h"
#include "hostile_heap.h"
#include "spgemm/context.h"
#include "spgemm/plan.h"
#include "spgemm/predict.h"
#include "spgemm/rap.h"
#include "spgemm/spgemm.h"
#include "spgemm/stream.h"

typedef enum entry_point {
    ENTRY_PREDICTED,
    ENTRY_PRECISE,
    ENTRY_UPPER_BOUND,
    ENTRY_PLAN,
    ENTRY_REPEAT,
    ENTRY_STREAM,
    ENTRY_PREDICT,
    ENTRY_MATRIX,
    ENTRY_RAP,
    ENTRY_COUNT
} entry_point;

/** What the library is given, all of it in the arena. */
typedef struct arguments {
    spgemm_csr A;
    spgemm_csr B;
    spgemm_csr R; /* of ENTRY_RAP: C = R A B */
    spgemm_csr D;
    spgemm_csr mask;
    spgemm_options options;
    spgemm_allocator hooks;
    spgemm_user_semiring user;
    spgemm_out out;
} arguments;

/** What the hooks and callbacks do to a call. */
typedef struct mischief {
    long fail_at; /* allocation that fails; -1: none */
    bool fails_forever;
    long cancel_at; /* call of progress that cancels; -1: none */
    long asked;     /* calls of progress so far */
    bool has_cancelled;
    double least_told; /* what progress may be told next */
    bool is_told_wrong;
    int lie;       /* how row_nnz answers */
    uint64_t seed; /* of random answers */
} mischief;

typedef struct crossing {
    uint64_t seed;
    bool is_large; /* of thousands to millions of products */
    dice dice;
    entry_point entry;
    arguments *args;
    const spgemm_csr *A; /* as they are passed; B may be A, either NULL */
    const spgemm_csr *B;
    const spgemm_csr *R; /* NULL: B transposed */
    /* What of a crossing of R A B is of R W, W = A B: its B is an outline of W,
       made of these factors. NULL: no such crossing. */
    const struct crossing *second;
    const spgemm_csr *factors[2];
    double least_window; /* of ENTRY_RAP, in bytes; negative: of the library */
    bool is_heavy;       /* worth several threads */
    bool has_options;    /* else NULL is passed: they are all zero */
    bool has_report;
    bool has_hooks;
    bool has_context;
    int wrong_output;   /* 1: C is NULL, 2: A, 3: B, 4: R */
    bool is_damaged;    /* an argument was made wrong on purpose */
    size_t block_bytes; /* of streams */
    double called_at;   /* the clock of the machine, in seconds */
    mischief mischief;
    hostile_heap *heap;
    hostile_heap *context_heap;
    spgemm_context *context;

    const char
        *wrong; /* what was found wrong: the check's name; NULL: nothing */
    char detail[256];
} crossing;

/** Note what is wrong, the first time. Returns false. */
bool cross_fails(crossing *x, const char *check, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** What the call is, in one line. */
void cross_describe(const crossing *x, char *text, size_t size);

/* Whether an event of chance one in n takes place. */
static inline bool one_in(dice *d, int64_t n)
{
    return dice_below(d, n) == 0;
}

#endif
