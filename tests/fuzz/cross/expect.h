/* SPDX-License-Identifier: BSD-3-Clause */
/* What holds after a call, whatever was asked for. */
#ifndef SPGEMM_TESTS_CROSS_EXPECT_H
#define SPGEMM_TESTS_CROSS_EXPECT_H

#include "causes.h"

/** A call as it stands before it is made. */
typedef struct before {
    long live; /* blocks of the hooks */
    size_t live_bytes;
} before;

/** Arm the hooks and the callbacks, and seal the arena. */
before expect_begin(crossing *x);

/** The call must succeed from now on: nothing fails, cancels or is limited. */
void expect_disarm(crossing *x);

/** Whether the status is one that the headers have for what was asked; and on
    failure the caller's memory and the hooks are as before. */
bool expect_status(crossing *x, const causes *c, spgemm_status status,
                   const before *b);

/** Whether C is what was wanted, well formed, and where it should be. Its rows
    are sorted afterwards. */
bool expect_product(crossing *x, spgemm_csr *C, const spgemm_csr *want);

/** The same of C's entries alone. */
bool expect_entries(crossing *x, spgemm_csr *C, const spgemm_csr *want);

/** Whether `text` says why a call failed, and nothing where it did not; it is
    that of the thread, too. */
bool expect_reason(crossing *x, spgemm_status status, const char *text);

/** Whether a fault names what is wrong, and where. */
bool expect_fault(crossing *x, const spgemm_fault *fault);

/** Whether a report is of this C, and of this failure. */
bool expect_report(crossing *x, const spgemm_report *r, spgemm_status status,
                   const spgemm_csr *want, const before *b);

/** Whether nothing is out, and nothing was harmed. */
bool expect_nothing_left(crossing *x);

#endif
