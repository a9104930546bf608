/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of W = A P: those from some row on that are still to be used, and none
   twice. */
#ifndef SPGEMM_SPGEMM_RAP_WINDOW_H
#define SPGEMM_SPGEMM_RAP_WINDOW_H

#include "spgemm/execute/ordered.h"
#include "spgemm/pipeline/call.h"

/* Rows [begin, end) of W, side by side. */
typedef struct rap_window {
    call *c; /* A P */
    ordered_pass pass;
    int64_t begin;
    int64_t end;
    int64_t *rowptr; /* [room + 1], of row begin on; rowptr[0] = 0 */
    int64_t room;
    char *colidx;
    char *values;
    int64_t colidx_capacity;
    int64_t values_capacity;
} rap_window;

/** Room for so many entries. The products of A P are counted and predicted. To be
    ended, on failure too. */
spgemm_status spgemm_rap_window_begin(rap_window *w, call *c, progress *told,
                                      int64_t capacity);

/** Rows [begin, end): those that it has stay, those before go, the others are
    multiplied. Neither end may be less than it was. */
spgemm_status spgemm_rap_window_move(rap_window *w, int64_t begin, int64_t end);

/** The rows at hand as a matrix, a view. */
spgemm_csr spgemm_rap_window_rows(const rap_window *w);

void spgemm_rap_window_end(rap_window *w);

#endif
