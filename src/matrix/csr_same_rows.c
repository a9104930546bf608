/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose columns are those of the row `period` before, each `shift` further
   to the right: (1, 0) for the unknowns of one node of a mesh, (1, 1) for
   stencils. */
#include "common/checked.h"
#include "matrix/csr.h"

#define SAMPLES 1024

/* Where a great share is asked for, and a few have not a quarter of it, it is not there:
   by chance, of 7,000 matrices that have 0.4, once; that have half, of 780,000. */
#define GREAT_SHARE 0.4
#define FEW_SAMPLES 32

/* Samples ahead of the one that is compared: of these columns are asked for, and
   of twice as many row pointers. */
#define AHEAD 12

/* 2^32 over it. */
#define GOLDEN_RATIO ((uint32_t)2654435769)

/* Rows this short are compared without a branch an entry. */
#define SHORT_ROW 16

static ALWAYS_INLINE bool is_same(const spgemm_csr *A, bool is_wide, int64_t i,
                                  int64_t period, int64_t shift)
{
    const int64_t begin = A->rowptr[i];
    const int64_t end = A->rowptr[i + 1];
    const int64_t length = end - begin;
    const int64_t back = begin - A->rowptr[i - period];
    if (length == 0 || A->rowptr[i - period + 1] + back != end)
        return false;
    /* Without sign: columns that are not checked yet may be anything. */
    uint64_t difference = 0;
    for (int64_t q = begin; q < end; q++) {
        difference |= (uint64_t)column_at(A->colidx, is_wide, q - back) +
                      (uint64_t)shift -
                      (uint64_t)column_at(A->colidx, is_wide, q);
        if (length > SHORT_ROW && difference != 0)
            break;
    }
    return difference == 0;
}

static bool is_same_row(const spgemm_csr *A, int64_t i, int64_t period,
                        int64_t shift)
{
    return A->index_type == SPGEMM_I64 ? is_same(A, true, i, period, shift)
                                       : is_same(A, false, i, period, shift);
}

static bool are_inside(const spgemm_csr *A, int64_t i, int64_t period)
{
    return i >= period && spgemm_csr_row_is_inside(A, i) &&
           spgemm_csr_row_is_inside(A, i - period);
}

int64_t spgemm_csr_row_shift(const spgemm_csr *A, int64_t i, int64_t period)
{
    if (!are_inside(A, i, period))
        return 0;
    const bool is_wide = A->index_type == SPGEMM_I64;
    const int64_t here = column_at(A->colidx, is_wide, A->rowptr[i]);
    const int64_t before = column_at(A->colidx, is_wide, A->rowptr[i - period]);
    int64_t shift;
    return !__builtin_sub_overflow(here, before, &shift) &&
                   is_same_row(A, i, period, shift)
               ? shift
               : 0;
}

/* The least n with n / samples >= share. */
static int64_t least_count(double share, int64_t samples)
{
    int64_t n = max_i64(0, (int64_t)(share * (double)samples) - 1);
    while ((double)n / (double)samples < share)
        n++;
    return n;
}

/* Rows spread over A: sample t is one of `step` rows, and which is scattered by the
   golden ratio. At equal distances, they might all begin a line of a grid. */
typedef struct spread_rows {
    const spgemm_csr *A;
    int64_t period;
    int64_t step;
    int64_t count;
} spread_rows;

static ALWAYS_INLINE int64_t row_of_sample(const spread_rows *r, int64_t t)
{
    const uint64_t share = (uint32_t)t * GOLDEN_RATIO; /* of 2^32 */
    return r->period + r->step * t + (int64_t)(share * (uint64_t)r->step >> 32);
}

/* Asks for what comparing sample t reads soon, and later ones read later. */
static void prefetch_sample(const spread_rows *r, int64_t t)
{
    const spgemm_csr *A = r->A;
    const size_t size = spgemm_index_size(A->index_type);
    if (t + AHEAD < r->count)
        PREFETCH(&A->rowptr[row_of_sample(r, t + AHEAD)]);
    if (t >= r->count)
        return;
    const int64_t near = row_of_sample(r, t);
    if (!are_inside(A, near, r->period))
        return;
    const char *colidx = A->colidx;
    PREFETCH(colidx + (size_t)A->rowptr[near] * size);
    PREFETCH(colidx + (size_t)A->rowptr[near - r->period] * size);
}

/* Whether `wanted` or more of so many rows are. */
static bool are_same(const spread_rows *r, int64_t shift, int64_t wanted)
{
    int64_t same = 0;
    for (int64_t t = -AHEAD; t < 0; t++)
        prefetch_sample(r, t + AHEAD);
    for (int64_t t = 0; same < wanted && same + r->count - t >= wanted; t++) {
        const int64_t i = row_of_sample(r, t);
        prefetch_sample(r, t + AHEAD);
        same += are_inside(r->A, i, r->period) &&
                is_same_row(r->A, i, r->period, shift);
    }
    return same >= wanted;
}

static bool is_share_same(const spgemm_csr *A, int64_t period, int64_t shift,
                          double share, int64_t most)
{
    const int64_t pairs = A->nrows - period;
    const int64_t samples = min_i64(pairs, most);
    const spread_rows r = {A, period, pairs / samples, samples};
    return are_same(&r, shift, least_count(share, samples));
}

bool spgemm_csr_is_often_same(const spgemm_csr *A, int64_t period,
                              int64_t shift, double share)
{
    if (A->nrows <= period)
        return false;
    if (share >= GREAT_SHARE &&
        !is_share_same(A, period, shift, share / 4, FEW_SAMPLES))
        return false;
    return is_share_same(A, period, shift, share, SAMPLES);
}

void spgemm_csr_mark_same(const spgemm_csr *A, int64_t begin, int64_t end,
                          uint8_t *same)
{
    for (int64_t i = begin; i < end; i++)
        same[i] = i > 0 && is_same_row(A, i, 1, 0);
}
