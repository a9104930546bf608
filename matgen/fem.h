/* SPDX-License-Identifier: BSD-3-Clause */
/* Meshes of elements that have nodes. */
#ifndef MATGEN_FEM_H
#define MATGEN_FEM_H

#include "kind.h"

typedef struct mesh {
    int64_t nnodes;
    int64_t nelements;
    int nodes_per_element;
    /* Node k of element e. */
    int64_t (*node)(const recipe *r, int64_t e, int k);
} mesh;

/** A(i,j) != 0 where the nodes of i and j share an element; r->dofs unknowns a
    node. INVALID: no number of rows. */
spgemm_status make_fem(spgemm_csr *A, const recipe *r, const mesh *m);

#endif
