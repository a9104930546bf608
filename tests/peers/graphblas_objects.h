/* SPDX-License-Identifier: BSD-3-Clause */
/* What GraphBLAS calls our types, semirings and additions; matrices to it and
   back. */
#ifndef SPGEMM_TESTS_GRAPHBLAS_OBJECTS_H
#define SPGEMM_TESTS_GRAPHBLAS_OBJECTS_H

#include <GraphBLAS.h>

#include "spgemm/spgemm.h"

/** End the program, saying what failed, unless `info` is success. */
void must(GrB_Info info, const char *what);

GrB_Type graphblas_type(spgemm_value_type type);

/** Of those that the type has. What only truth values have, GraphBLAS casts
    others to. */
GrB_Semiring graphblas_semiring(spgemm_semiring semiring,
                                spgemm_value_type type);
GrB_BinaryOp graphblas_addition(spgemm_semiring semiring,
                                spgemm_value_type type);

/** A as GraphBLAS holds it, which has no duplicates. Truth values are 0 or 1. */
GrB_Matrix to_graphblas(const spgemm_csr *A);

/** C as we hold it, sorted; C is gone. Free with free_csr(). */
spgemm_csr from_graphblas(GrB_Matrix *C, spgemm_index_type index_type);

#endif
