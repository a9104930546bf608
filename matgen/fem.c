/* SPDX-License-Identifier: BSD-3-Clause */
/* The pattern of a stiffness matrix: with M(e,v) != 0 where node v belongs to
   element e, it is that of transpose(M) * M, a dense block for each entry. */
#include "fem.h"

typedef struct incidence {
    const recipe *r;
    const mesh *m;
    int64_t *begin;    /* [nnodes + 1] */
    int32_t *elements; /* of node v at begin[v] ... begin[v + 1] - 1 */
} incidence;

static int64_t node_bound(const void *context, int64_t v)
{
    const incidence *of = context;
    return (of->begin[v + 1] - of->begin[v]) * of->m->nodes_per_element;
}

static int64_t node_fill(const void *context, int64_t v, int32_t *columns)
{
    const incidence *of = context;
    int64_t count = 0;
    for (int64_t p = of->begin[v]; p < of->begin[v + 1]; p++)
        for (int k = 0; k < of->m->nodes_per_element; k++)
            columns[count++] = (int32_t)of->m->node(of->r, of->elements[p], k);
    return count;
}

/* Elements in order for each node. */
static void list_elements(const incidence *of)
{
    const mesh *m = of->m;
    int64_t *ends = of->begin + 1;
    for (int64_t e = 0; e < m->nelements; e++)
        for (int k = 0; k < m->nodes_per_element; k++)
            ends[m->node(of->r, e, k)]++;
    int64_t sum = 0;
    for (int64_t v = 0; v < m->nnodes; v++) {
        const int64_t count = ends[v];
        ends[v] = sum;
        sum += count;
    }
    for (int64_t e = 0; e < m->nelements; e++)
        for (int k = 0; k < m->nodes_per_element; k++)
            of->elements[ends[m->node(of->r, e, k)]++] = (int32_t)e;
}

spgemm_status make_fem(spgemm_csr *A, const recipe *r, const mesh *m)
{
    if (rows_times(m->nnodes, r->dofs) == 0)
        return SPGEMM_ERROR_INVALID;
    spgemm_status status = SPGEMM_ERROR_OUT_OF_MEMORY;
    const incidence of = {
        r, m, calloc((size_t)m->nnodes + 1, sizeof *of.begin),
        calloc((size_t)(m->nelements * m->nodes_per_element) + 1,
               sizeof *of.elements)};
    const row_rule rule = {m->nnodes, m->nnodes, &of, node_bound, node_fill};
    if (of.begin && of.elements) {
        list_elements(&of);
        status = make_nodes(A, &rule, r->dofs);
    }
    free(of.begin);
    free(of.elements);
    return status;
}
