/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Breadth-first search from several sources at once: row s of the frontier F
 * has the nodes reached last from source s, row s of V all that were reached.
 * A step is F<not V> = F*A, then V = V + F.
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

enum { NODES = 5000, DEGREE = 2, EDGES = NODES * DEGREE, SOURCES = 4 };

static const int32_t sources[SOURCES] = {0, 17, 1234, 4999};

/* Two edges out of each node: a ring of a hundredth, and anywhere. */
static spgemm_status make_graph(spgemm_csr *A)
{
    static int32_t from[EDGES];
    static int32_t to[EDGES];
    static uint8_t ones[EDGES];
    uint64_t random = 1;
    for (int e = 0; e < EDGES; e++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        from[e] = e / DEGREE;
        to[e] = e % DEGREE ? (int32_t)((random >> 33) % NODES)
                           : (from[e] + NODES / 100) % NODES;
        ones[e] = 1;
    }
    return spgemm_csr_from_coo(A, NODES, NODES, EDGES, from, to, ones,
                               SPGEMM_I32, SPGEMM_BOOL, NULL);
}

/* The identity: I * V + D is the sum of two matrices. */
static spgemm_status make_identity(spgemm_csr *I, int32_t n)
{
    const spgemm_status status =
        spgemm_csr_create(I, n, n, n, SPGEMM_I32, SPGEMM_BOOL, NULL);
    for (int32_t i = 0; status == SPGEMM_SUCCESS && i < n; i++) {
        I->rowptr[i + 1] = i + 1;
        ((int32_t *)I->colidx)[i] = i;
        ((uint8_t *)I->values)[i] = 1;
    }
    return status;
}

/* level[s * NODES + i] = `depth` for each node i that F has from source s. */
static void mark(int *level, const spgemm_csr *F, int depth)
{
    for (int64_t s = 0; s < SOURCES; s++)
        for (int64_t p = F->rowptr[s]; p < F->rowptr[s + 1]; p++)
            level[s * NODES + ((const int32_t *)F->colidx)[p]] = depth;
}

static spgemm_status search(int *level, const spgemm_csr *A)
{
    spgemm_status status;
    spgemm_csr F = {0};
    spgemm_csr V = {0};
    spgemm_csr I = {0};
    spgemm_csr next = {0};
    const int32_t rows[SOURCES] = {0, 1, 2, 3};
    const uint8_t ones[SOURCES] = {1, 1, 1, 1};
    TRY(spgemm_csr_from_coo(&F, SOURCES, NODES, SOURCES, rows, sources, ones,
                            SPGEMM_I32, SPGEMM_BOOL, NULL));
    TRY(spgemm_csr_from_coo(&V, SOURCES, NODES, SOURCES, rows, sources, ones,
                            SPGEMM_I32, SPGEMM_BOOL, NULL));
    TRY(make_identity(&I, SOURCES));
    for (int depth = 0; F.nnz > 0 && depth < NODES; depth++) {
        printf("depth %2d: %5" PRId64 " nodes\n", depth, F.nnz);
        mark(level, &F, depth);

        /* One way to a node is enough: any_pair. */
        TRY(spgemm_predicted(
            &next, &F, A,
            &(spgemm_options){.product.semiring = SPGEMM_ANY_PAIR,
                              .filter.mask = &V,
                              .filter.mask_mode = SPGEMM_MASK_COMPLEMENT},
            NULL));
        spgemm_csr_destroy(&F);
        F = next;
        next = (spgemm_csr){0};

        TRY(spgemm_predicted(
            &next, &I, &F,
            &(spgemm_options){.product.semiring = SPGEMM_OR_AND,
                              .product.D = &V},
            NULL));
        spgemm_csr_destroy(&V);
        V = next;
        next = (spgemm_csr){0};
    }
cleanup:
    spgemm_csr_destroy(&F);
    spgemm_csr_destroy(&V);
    spgemm_csr_destroy(&I);
    return status;
}

/* Whether a queue finds the same levels. */
static bool agrees_with_queue(const int *level, const spgemm_csr *A)
{
    static int want[NODES];
    static int32_t queue[NODES];
    for (int s = 0; s < SOURCES; s++) {
        int tail = 0;
        for (int i = 0; i < NODES; i++)
            want[i] = -1;
        queue[tail++] = sources[s];
        want[sources[s]] = 0;
        for (int head = 0; head < tail; head++) {
            const int32_t i = queue[head];
            for (int64_t p = A->rowptr[i]; p < A->rowptr[i + 1]; p++) {
                const int32_t j = ((const int32_t *)A->colidx)[p];
                if (want[j] < 0) {
                    want[j] = want[i] + 1;
                    queue[tail++] = j;
                }
            }
        }
        for (int i = 0; i < NODES; i++)
            if (level[s * NODES + i] != want[i])
                return false;
    }
    return true;
}

int main(void)
{
    static int level[SOURCES * NODES];
    spgemm_status status;
    spgemm_csr A = {0};
    bool is_right = false;
    for (int t = 0; t < SOURCES * NODES; t++)
        level[t] = -1; /* not reached */
    TRY(make_graph(&A));
    TRY(search(level, &A));
    is_right = agrees_with_queue(level, &A);
cleanup:
    if (status != SPGEMM_SUCCESS)
        fprintf(stderr, "breadth_first: %s\n", spgemm_status_string(status));
    else if (!is_right)
        fprintf(stderr, "breadth_first: wrong result\n");
    spgemm_csr_destroy(&A);
    return status == SPGEMM_SUCCESS && is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
