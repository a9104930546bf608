/* SPDX-License-Identifier: BSD-3-Clause */
/* The boundary map of a matching complex: rows are the sets of K disjoint
   triples of N points, columns those of K - 1, both in lexicographic order,
   and A(s,t) != 0 where t is s less one of its triples.

   m133-b3 is that of 4 triples of 13 points up to the order of its rows and
   columns, on which nnz(A*A) depends: here it is 0.05 % more. */
#include "kind.h"

/* A triple is a number below 2^12; a set is a key, its least triple first. */
enum { MOST_POINTS = 30, MOST_TRIPLES = 5, TRIPLE_BITS = 12 };

/* All triples in lexicographic order, each as a set of bits. */
typedef struct triple_list {
    int64_t count;
    uint32_t points[1 << TRIPLE_BITS];
} triple_list;

typedef struct key_list {
    int64_t count;
    uint64_t *keys;
} key_list;

/* The sets of K triples, and those of K - 1. */
typedef struct boundary {
    int64_t ntriples;
    key_list rows;
    key_list cols;
} boundary;

static void list_triples(triple_list *t, int64_t npoints)
{
    t->count = 0;
    for (int64_t x = 0; x < npoints; x++)
        for (int64_t y = x + 1; y < npoints; y++)
            for (int64_t z = y + 1; z < npoints; z++)
                t->points[t->count++] = 1u << x | 1u << y | 1u << z;
}

/* The sets that begin with `key` and have `left` triples more. */
static void list_sets(key_list *sets, const triple_list *t, int64_t left,
                      uint64_t key, int64_t from, uint32_t taken)
{
    if (left == 0) {
        sets->keys[sets->count++] = key;
        return;
    }
    for (int64_t k = from; k < t->count; k++)
        if ((t->points[k] & taken) == 0)
            list_sets(sets, t, left - 1, key << TRIPLE_BITS | (uint64_t)k,
                      k + 1, taken | t->points[k]);
}

/* N! / (3!^K K! (N - 3 K)!) */
static int64_t count_sets(int64_t npoints, int64_t ntriples)
{
    int64_t count = 1;
    for (int64_t k = 0; k < ntriples; k++) {
        const int64_t left = npoints - 3 * k;
        count *= left * (left - 1) * (left - 2) / 6;
    }
    for (int64_t k = 2; k <= ntriples; k++)
        count /= k;
    return count;
}

static int64_t boundary_bound(const void *context, int64_t i)
{
    (void)i;
    return ((const boundary *)context)->ntriples;
}

static int64_t boundary_fill(const void *context, int64_t i, int32_t *columns)
{
    const boundary *b = context;
    const uint64_t set = b->rows.keys[i];
    for (int64_t k = 0; k < b->ntriples; k++) {
        const int low = (int)k * TRIPLE_BITS;
        const uint64_t part = set >> low >> TRIPLE_BITS << low |
                              (set & (((uint64_t)1 << low) - 1));
        const uint64_t *found =
            bsearch(&part, b->cols.keys, (size_t)b->cols.count, sizeof part,
                    compare_keys);
        columns[k] = (int32_t)(found - b->cols.keys);
    }
    return b->ntriples;
}

static spgemm_status make_boundary(spgemm_csr *A, int64_t npoints,
                                   int64_t ntriples)
{
    const int64_t nrows = count_sets(npoints, ntriples);
    const int64_t ncols = count_sets(npoints, ntriples - 1);
    if (nrows < 1 || nrows > MOST_ROWS || ncols > MOST_ROWS)
        return SPGEMM_ERROR_INVALID;
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    triple_list *triples = malloc(sizeof *triples);
    boundary b = {ntriples,
                  {0, calloc((size_t)nrows, sizeof(uint64_t))},
                  {0, calloc((size_t)ncols, sizeof(uint64_t))}};
    const row_rule rule = {nrows, ncols, &b, boundary_bound, boundary_fill};
    if (triples && b.rows.keys && b.cols.keys) {
        list_triples(triples, npoints);
        list_sets(&b.rows, triples, ntriples, 0, 0, 0);
        list_sets(&b.cols, triples, ntriples - 1, 0, 0, 0);
        status = make_rows(A, &rule);
    }
    free(triples);
    free(b.rows.keys);
    free(b.cols.keys);
    return status;
}

static spgemm_status make_matching(spgemm_csr *A, const recipe *r)
{
    return make_boundary(A, r->sizes[0], r->sizes[1]);
}

const matrix_kind kind_matching = {
    .name = "matching-complex",
    .help = "N K: boundary map from the sets of K disjoint triples of N points "
            "to those of K - 1",
    .sizes = {{"N", 3, MOST_POINTS, MUST_BE_GIVEN},
              {"K", 1, MOST_TRIPLES, MUST_BE_GIVEN}},
    .make = make_matching};

static spgemm_status make_m133_b3(spgemm_csr *A, const recipe *r)
{
    (void)r;
    return make_boundary(A, 13, 4);
}

const matrix_kind kind_m133_b3 = {
    .name = "m133-b3", .help = "matching-complex 13 4", .make = make_m133_b3};
