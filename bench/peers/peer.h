/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that multiplies sparse matrices, as the benchmark sees it.

   A peer lives in a process of its own, which multiplies one pair of matrices
   with one number of threads: its state may be static. Where a function
   returns bool, false is a failure, which costs the peer that product. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spgemm/spgemm.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Bits of peer_method.orders, by spgemm_row_order. */
enum {
    PEER_SORTED = 1 << SPGEMM_ROWS_SORTED,
    PEER_UNSORTED = 1 << SPGEMM_ROWS_UNSORTED
};

/** One way to multiply. */
typedef struct peer_method {
    const char *name; /* in the CSV */
    unsigned orders;  /* of the rows of C that it can be asked for */
} peer_method;

enum { PEER_METHODS = 9, PEER_VERSION_BYTES = 96 };

/** A product that is asked for. */
typedef struct peer_product {
    int method; /* of peer.methods */
    spgemm_row_order order;
    int right;             /* B is operand 1; or 0: it is A itself */
    spgemm_report *report; /* may be left as it is */
} peer_product;

typedef struct peer {
    peer_method methods[PEER_METHODS]; /* ended by a NULL name */
    bool is_parallel;                  /* false: it has one thread only */

    /* Start the library; `version` says what it is. */
    bool (*open)(int nthreads, char version[PEER_VERSION_BYTES]);

    /* Copy operand 0 or 1 into the library's own form; not timed. Columns are
       SPGEMM_I32, rows sorted, without duplicates. Called twice for operand 0:
       first with something tiny, which may leak. */
    bool (*take)(int which, const spgemm_csr *X);

    /* C = A*B, with the allocation of C: this is timed. Releases what it made
       if it fails. */
    bool (*multiply)(const peer_product *p);

    /* Entries of C, or -1; and C itself into arrays that are large enough. */
    int64_t (*count)(void);
    bool (*give)(spgemm_csr *C);

    /* Free C. */
    void (*release)(void);

    /* Give freed memory back to the system, beyond malloc_trim(0); or NULL. */
    void (*trim)(void);
} peer;

/** The peer of a module: the one symbol that it exports. */
__attribute__((visibility("default"))) const peer *bench_peer(void);

#ifdef __cplusplus
}
#endif
#endif
