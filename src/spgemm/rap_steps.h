/* SPDX-License-Identifier: BSD-3-Clause */
/* C = R W, W = A P: two calls, and the rows of W that are at hand. */
#ifndef SPGEMM_SPGEMM_RAP_STEPS_H
#define SPGEMM_SPGEMM_RAP_STEPS_H

#include "spgemm/rap_window.h"

/* Of the time of both products, about: what the first takes. */
#define RAP_SHARE_OF_W 0.6

/* Progress of one of two calls, to the caller's callback. */
typedef struct rap_share {
    int (*tell)(void *context, double done);
    void *context;
    double begin;
    double end;
    double *told; /* of the whole: what is done again is not undone */
} rap_share;

typedef struct rap {
    memory m;     /* the account that both calls are part of */
    call of_W;    /* A P */
    call of_C;    /* R W; not begun unless has_C */
    spgemm_csr W; /* its shape; where it is made as a whole, that */
    spgemm_csr R; /* op(R), flagged as it was found */
    rap_share shares[2];
    double told;
    double least_window; /* bytes; less than 0: RAP_CHAINED */
    bool has_C;
    bool is_done; /* C is made; else W is to be made as a whole */
} rap;

/* Instead of a window, for tests: rows of W are made where they are used, however
   often, if that can be done. */
#define RAP_CHAINED (-1.0)

/** spgemm_rap() with a window of so many bytes at least; 0, for tests: of what one
    row of R needs, however few products there are and whatever it saves. */
spgemm_status spgemm_rap_within(spgemm_csr *C, const spgemm_csr *R,
                                const spgemm_csr *A, const spgemm_csr *P,
                                const spgemm_options *options,
                                spgemm_report *report, double least_window);

/** Steps of of_W, context: the rap. C by rows of W that pass through a window, or
    W as a whole where such a window would be a good part of it. */
product_steps spgemm_rap_steps;

/** Whether rows of W are better made beside the rows of C that need them. */
bool spgemm_rap_chains(const rap *p);

/** C that way, whole; p->is_done then. */
spgemm_status spgemm_rap_multiply_chained(rap *p);

/** nnz(C), to of_C, from some rows of R that go through both products. */
spgemm_status spgemm_rap_predict(rap *p);

#endif
