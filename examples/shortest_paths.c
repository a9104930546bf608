/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shortest paths between all pairs of nodes: with a zero diagonal and the
 * semiring (min, +), W*W has the shortest paths of at most 2 edges, its square
 * those of at most 4, and so on until nothing changes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <spgemm/spgemm.h>

#define TRY(call)                                                              \
    do {                                                                       \
        status = (call);                                                       \
        if (status != SPGEMM_SUCCESS)                                          \
            goto cleanup;                                                      \
    } while (0)

enum { SIDE = 12, NODES = SIDE * SIDE };

/* A number from 1 to 9, always the same for the same street. */
static double street_minutes(int from, int to)
{
    const uint32_t x = (uint32_t)(from * NODES + to) * 2654435761u;
    return 1 + (double)(x >> 16) * 9 / 65536;
}

/* A town of SIDE x SIDE crossings. W(i, j) is the time from i to j along one
   street; what is not stored is infinite. Rows run one way: east, west, ... */
static spgemm_status make_town(spgemm_csr *W)
{
    int32_t from[4 * NODES];
    int32_t to[4 * NODES];
    double minutes[4 * NODES];
    int64_t n = 0;
    for (int i = 0; i < NODES; i++) {
        const int x = i % SIDE;
        const int y = i / SIDE;
        const int next_x = y % 2 ? x - 1 : x + 1;
        int ends[4] = {i, -1, -1, -1};
        ends[1] = next_x >= 0 && next_x < SIDE ? y * SIDE + next_x : -1;
        ends[2] = y > 0 ? i - SIDE : -1;
        ends[3] = y + 1 < SIDE ? i + SIDE : -1;
        for (int t = 0; t < 4; t++)
            if (ends[t] >= 0) {
                from[n] = i;
                to[n] = ends[t];
                /* The diagonal: staying takes no time. */
                minutes[n++] = ends[t] == i ? 0 : street_minutes(i, ends[t]);
            }
    }
    return spgemm_csr_from_coo(W, NODES, NODES, n, from, to, minutes,
                               SPGEMM_I32, SPGEMM_FP64, NULL);
}

/* dense[i * NODES + j] = A(i, j); `missing` where nothing is stored. */
static void spread(double *dense, const spgemm_csr *A, double missing)
{
    for (int64_t t = 0; t < (int64_t)NODES * NODES; t++)
        dense[t] = missing;
    for (int64_t i = 0; i < NODES; i++)
        for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++)
            dense[i * NODES + ((const int32_t *)A->colidx)[p]] =
                ((const double *)A->values)[p];
}

/* Whether `paths` has what Floyd and Warshall find. */
static bool agrees_with_floyd_warshall(const spgemm_csr *paths,
                                       const spgemm_csr *W, double *have,
                                       double *want)
{
    const double infinite = 1e300;
    spread(have, paths, infinite);
    spread(want, W, infinite);
    for (int k = 0; k < NODES; k++)
        for (int i = 0; i < NODES; i++)
            for (int j = 0; j < NODES; j++) {
                const double sum = want[i * NODES + k] + want[k * NODES + j];
                if (sum < want[i * NODES + j])
                    want[i * NODES + j] = sum;
            }
    for (int t = 0; t < NODES * NODES; t++) {
        /* The same path, its streets added in another order. */
        const double off = have[t] - want[t];
        if (off > 1e-12 * want[t] || off < -1e-12 * want[t])
            return false;
    }
    return true;
}

int main(void)
{
    spgemm_status status;
    spgemm_csr W = {0};
    spgemm_csr paths = {0};
    spgemm_csr longer = {0};
    double *dense = malloc(sizeof *dense * 2 * NODES * NODES);
    bool is_right = false;

    TRY(dense ? SPGEMM_SUCCESS : SPGEMM_ERROR_OUT_OF_MEMORY);
    TRY(make_town(&W));
    TRY(make_town(&paths));
    for (int edges = 1;; edges *= 2) {
        printf("paths of at most %d streets: %" PRId64 " pairs\n", edges,
               paths.nnz);
        TRY(spgemm_predicted(
            &longer, &paths, &paths,
            &(spgemm_options){.product.semiring = SPGEMM_MIN_PLUS}, NULL));
        const bool is_done = spgemm_csr_equal(&longer, &paths);
        spgemm_csr_destroy(&paths);
        paths = longer;
        longer = (spgemm_csr){0};
        if (is_done)
            break;
    }
    is_right =
        agrees_with_floyd_warshall(&paths, &W, dense, dense + NODES * NODES);
    printf("across the town: %.3f minutes\n", dense[NODES - 1]);
cleanup:
    if (status != SPGEMM_SUCCESS)
        fprintf(stderr, "shortest_paths: %s\n", spgemm_status_string(status));
    else if (!is_right)
        fprintf(stderr, "shortest_paths: wrong result\n");
    spgemm_csr_destroy(&W);
    spgemm_csr_destroy(&paths);
    spgemm_csr_destroy(&longer);
    free(dense);
    return status == SPGEMM_SUCCESS && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
