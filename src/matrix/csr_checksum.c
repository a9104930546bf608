/* SPDX-License-Identifier: BSD-3-Clause */
/* 64 bits that differ, as a rule, if two patterns do: words w of rowptr and
   colidx in pieces, h = (h + w) * odd in four lanes of each, pieces in order.

   It finds an accident, not an adversary: a pattern can be made to collide. */
#include "matrix/csr.h"

#include <stdatomic.h>
#include <string.h>

#include "common/checked.h"
#include "common/team.h"

#define PIECE_BYTES ((int64_t)1 << 20)
#define LANES       4
#define FACTOR      0x9e3779b97f4a7c15u

static uint64_t sum_piece(const char *bytes, int64_t count)
{
    uint64_t lanes[LANES] = {1, 2, 3, 4};
    const int64_t width = (int64_t)sizeof lanes;
    int64_t at = 0;
    for (; at + width <= count; at += width) {
        uint64_t words[LANES];
        memcpy(words, bytes + at, sizeof words);
        for (int t = 0; t < LANES; t++)
            lanes[t] = (lanes[t] + words[t]) * FACTOR;
    }
    uint64_t rest[LANES] = {0};
    memcpy(rest, bytes + at, (size_t)(count - at));
    uint64_t sum = (uint64_t)count;
    for (int t = 0; t < LANES; t++) {
        lanes[t] = (lanes[t] + rest[t]) * FACTOR;
        sum = (sum ^ (lanes[t] >> 29) ^ lanes[t]) * FACTOR;
    }
    return sum;
}

typedef struct summing {
    const char *bytes;
    int64_t count;
    atomic_uint_least64_t sum;
} summing;

/* The order of pieces counts: each is turned by its number. */
static void add_piece(void *context, int64_t k)
{
    summing *s = context;
    const int64_t begin = k * PIECE_BYTES;
    const int64_t length = min_i64(PIECE_BYTES, s->count - begin);
    if (length > 0)
        atomic_fetch_add(&s->sum,
                         (sum_piece(s->bytes + begin, length) + (uint64_t)k) *
                             (2 * (uint64_t)k + FACTOR));
}

uint64_t spgemm_bytes_checksum(const void *array, int64_t count, int team)
{
    summing s = {.bytes = array, .count = count};
    spgemm_team_for(team, count / PIECE_BYTES + 1, add_piece, &s);
    return s.sum;
}

uint64_t spgemm_csr_checksum(const spgemm_csr *A, int nthreads)
{
    const int64_t size = (int64_t)spgemm_index_size(A->index_type);
    const int team = spgemm_team_size(nthreads, A->nnz * size, PIECE_BYTES);
    const uint64_t shape[] = {(uint64_t)A->nrows, (uint64_t)A->ncols,
                              (uint64_t)A->index_type, (uint64_t)A->value_type};
    uint64_t sum = sum_piece((const char *)shape, (int64_t)sizeof shape);
    sum = sum * FACTOR +
          spgemm_bytes_checksum(
              A->rowptr, (A->nrows + 1) * (int64_t)sizeof *A->rowptr, team);
    return sum * FACTOR + spgemm_bytes_checksum(A->colidx, A->nnz * size, team);
}
