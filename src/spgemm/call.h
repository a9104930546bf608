/* SPDX-License-Identifier: BSD-3-Clause */
/* What the three products and the prediction have in common: a checked call,
   with its memory, its clock and its report. */
#ifndef SPGEMM_SPGEMM_CALL_H
#define SPGEMM_SPGEMM_CALL_H

#include "matrix/csr.h"
#include "predict/predictor.h"
#include "spgemm/kernels.h"
#include "spgemm/plan.h"
#include "spgemm/survey.h"

typedef struct call {
    memory m;
    spgemm_options options;
    spgemm_report report;
    spgemm_report *wanted; /* the caller's, or NULL */
    double start_seconds;
    double lap_seconds;

    const kernels *kernels;
    operands ops;
    survey of_A;
    survey of_B; /* empty where B is A */
    product_counts counts;
    prediction prediction;
    plan p;
    spgemm_csr made; /* C, until it is the caller's */
} call;

/** Options, A and B checked, kernels selected; products are not needed of
    pattern matrices when `needs_values` is false. */
spgemm_status spgemm_call_begin(call *c,
                                const spgemm_csr *A,
                                const spgemm_csr *B,
                                const spgemm_options *options,
                                spgemm_report *report,
                                bool needs_values);

/** What a product does between its checks and its end. */
typedef spgemm_status product_steps(call *c);

/**
 * A product from begin to end: its call checked, the products of each row
 * counted, its steps taken, *C written on success only, all else given back.
 */
spgemm_status spgemm_call_product(spgemm_csr *C,
                                  const spgemm_csr *A,
                                  const spgemm_csr *B,
                                  const spgemm_options *options,
                                  spgemm_report *report,
                                  product_steps *steps);

/** products of each row. */
spgemm_status spgemm_call_count_products(call *c);

/** The prediction of the method chosen. */
spgemm_status spgemm_call_predict(call *c, spgemm_predictor method);

/** Blocks, from the prediction; giant rows in parts if splits_rows. */
spgemm_status spgemm_call_plan(call *c, bool splits_rows);

/** C's header and zeroed rowptr; colidx and values are still to come. */
spgemm_status spgemm_call_make_rowptr(call *c);

/** colidx and values of C, for nnz entries. */
spgemm_status spgemm_call_allocate_entries(call *c, int64_t nnz);

/** Bytes of C's three arrays with nnz entries; SIZE_MAX when they are more. */
size_t spgemm_call_c_bytes(const call *c, int64_t nnz);

/** Threads that the product may ask for. */
int spgemm_call_team(const call *c);

/**
 * Everything but C goes back, the report is filled, and *C is written when
 * status is SPGEMM_SUCCESS. Returns status.
 */
spgemm_status spgemm_call_end(call *c, spgemm_csr *C, spgemm_status status);

#endif
