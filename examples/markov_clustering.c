/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Markov clustering: M(i, j) is the chance of a walk at i to go to j. M = M*M
 * walks on (expansion), squaring each entry favours what is likely (inflation);
 * in the end every node flows to the centres of its cluster.
 *
 * S. van Dongen, Graph Clustering by Flow Simulation, PhD thesis, University of
 * Utrecht, 2000. His matrices are ours transposed: rows, not columns, sum to 1.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <spgemm/spgemm.h>

#define TRY(call)                                                              \
    do {                                                                       \
        status = (call);                                                       \
        if (status != SPGEMM_SUCCESS)                                          \
            goto cleanup;                                                      \
    } while (0)

enum { NODES = 34, EDGES = 78, MOST_ROUNDS = 100 };

/* Friends in a karate club that split in two, around nodes 0 and 33. W. W.
   Zachary, Journal of Anthropological Research 33(4):452-473, 1977. */
static const int8_t edges[EDGES][2] = {
    {0, 1},   {0, 2},   {0, 3},   {0, 4},   {0, 5},   {0, 6},   {0, 7},
    {0, 8},   {0, 10},  {0, 11},  {0, 12},  {0, 13},  {0, 17},  {0, 19},
    {0, 21},  {0, 31},  {1, 2},   {1, 3},   {1, 7},   {1, 13},  {1, 17},
    {1, 19},  {1, 21},  {1, 30},  {2, 3},   {2, 7},   {2, 8},   {2, 9},
    {2, 13},  {2, 27},  {2, 28},  {2, 32},  {3, 7},   {3, 12},  {3, 13},
    {4, 6},   {4, 10},  {5, 6},   {5, 10},  {5, 16},  {6, 16},  {8, 30},
    {8, 32},  {8, 33},  {9, 33},  {13, 33}, {14, 32}, {14, 33}, {15, 32},
    {15, 33}, {18, 32}, {18, 33}, {19, 33}, {20, 32}, {20, 33}, {22, 32},
    {22, 33}, {23, 25}, {23, 27}, {23, 29}, {23, 32}, {23, 33}, {24, 25},
    {24, 27}, {24, 31}, {25, 31}, {26, 29}, {26, 33}, {27, 33}, {28, 31},
    {28, 33}, {29, 32}, {29, 33}, {30, 32}, {30, 33}, {31, 32}, {31, 33},
    {32, 33}};

/* Both directions of each edge, and a loop at each node. */
static spgemm_status make_graph(spgemm_csr *M)
{
    enum { TRIPLETS = 2 * EDGES + NODES };
    int32_t rows[TRIPLETS];
    int32_t cols[TRIPLETS];
    double values[TRIPLETS];
    int n = 0;
    for (int e = 0; e < EDGES; e++) {
        rows[n] = cols[n + 1] = edges[e][0];
        cols[n] = rows[n + 1] = edges[e][1];
        n += 2;
    }
    for (int i = 0; i < NODES; i++, n++)
        rows[n] = cols[n] = i;
    for (int t = 0; t < n; t++)
        values[t] = 1;
    return spgemm_csr_from_coo(M, NODES, NODES, n, rows, cols, values,
                               SPGEMM_I32, SPGEMM_FP64, NULL);
}

/* M(i, j) = M(i, j)^power, rows scaled to sum 1. Returns how far the furthest
   row is from having equal entries: 0 where all flow has settled. */
static double inflate(spgemm_csr *M, double power)
{
    double *values = M->values;
    double furthest = 0;
    for (int64_t i = 0; i < M->nrows; i++) {
        double sum = 0;
        double squares = 0;
        double largest = 0;
        for (int64_t p = M->rowptr[i]; p < M->rowptr[i + 1]; p++) {
            values[p] = pow(values[p], power);
            sum += values[p];
        }
        for (int64_t p = M->rowptr[i]; p < M->rowptr[i + 1]; p++) {
            values[p] /= sum;
            squares += values[p] * values[p];
            largest = fmax(largest, values[p]);
        }
        furthest = fmax(furthest, largest - squares);
    }
    return furthest;
}

/* The smallest node of the cluster that `i` was joined to. */
static int find(const int *cluster, int i)
{
    while (cluster[i] != i)
        i = cluster[i];
    return i;
}

/* cluster[i] is the smallest node of the cluster of node i: nodes that flow to
   one centre are together. */
static void read_clusters(int *cluster, const spgemm_csr *M)
{
    for (int i = 0; i < NODES; i++)
        cluster[i] = i;
    for (int i = 0; i < NODES; i++)
        for (int64_t p = M->rowptr[i]; p < M->rowptr[i + 1]; p++) {
            const int a = find(cluster, i);
            const int b = find(cluster, ((const int32_t *)M->colidx)[p]);
            cluster[a > b ? a : b] = a < b ? a : b;
        }
    for (int i = 0; i < NODES; i++)
        cluster[i] = find(cluster, i);
}

/* Whether each node flows to some centres, in all with certainty; and whether
   most friends are in one cluster, 0 and 33 are not. */
static bool clusters_are_right(const int *cluster, const spgemm_csr *M)
{
    int together = 0;
    for (int i = 0; i < NODES; i++) {
        double sum = 0;
        for (int64_t p = M->rowptr[i]; p < M->rowptr[i + 1]; p++)
            sum += ((const double *)M->values)[p];
        if (!(fabs(sum - 1) < 1e-12))
            return false;
    }
    for (int e = 0; e < EDGES; e++)
        together += cluster[edges[e][0]] == cluster[edges[e][1]];
    return cluster[0] != cluster[33] && together > EDGES * 3 / 4;
}

int main(void)
{
    /* Flow below 1/100,000 is dropped, and all but 16 entries of a row. */
    const spgemm_options pruned = {.filter.drop_tolerance = 1e-5,
                                   .filter.keep_top = 16};
    spgemm_status status;
    spgemm_csr M = {0};
    spgemm_csr next = {0};
    int cluster[NODES];
    bool is_right = false;

    TRY(make_graph(&M));
    inflate(&M, 1);
    double unsettled = 1;
    int round = 0;
    for (; round < MOST_ROUNDS && unsettled > 1e-9; round++) {
        TRY(spgemm_predicted(&next, &M, &M, &pruned, NULL));
        spgemm_csr_destroy(&M);
        M = next;
        next = (spgemm_csr){0};
        unsettled = inflate(&M, 2);
    }
    read_clusters(cluster, &M);
    printf("settled after %d rounds, %" PRId64 " entries\n", round, M.nnz);
    for (int c = 0; c < NODES; c++) {
        if (cluster[c] != c)
            continue;
        printf("cluster:");
        for (int i = c; i < NODES; i++)
            if (cluster[i] == c)
                printf(" %d", i);
        printf("\n");
    }
    is_right = unsettled <= 1e-9 && clusters_are_right(cluster, &M);
cleanup:
    if (status != SPGEMM_SUCCESS)
        fprintf(stderr, "markov_clustering: %s\n",
                spgemm_status_string(status));
    else if (!is_right)
        fprintf(stderr, "markov_clustering: wrong result\n");
    spgemm_csr_destroy(&M);
    return status == SPGEMM_SUCCESS && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
