/* SPDX-License-Identifier: BSD-3-Clause */
/* Why the last call of this thread failed, in a sentence that names the argument
   or the option and what it was. */
#ifndef SPGEMM_COMMON_REFUSAL_H
#define SPGEMM_COMMON_REFUSAL_H

#include "spgemm/spgemm.h"

/** A call of the public interface begins: nothing is to be said of it yet. */
void spgemm_refusal_begin(void);

/** Puts the sentence down, unless there is one of this call, and returns
    `status`. By the thread that called the library alone. */
__attribute__((format(printf, 2, 3))) spgemm_status
spgemm_refuse(spgemm_status status, const char *format, ...);

/** Such a call ends: a failure that nobody explained is what its status says,
    and a success has nothing to say. Returns `status`. */
spgemm_status spgemm_refusal_end(spgemm_status status);

/** The sentence to `text` of SPGEMM_REFUSAL_BYTES; "" on success. */
void spgemm_refusal_copy(char *text, spgemm_status status);

/** Around a function of the caller's, which may have a refusal of its own: to and from
    a copy of SPGEMM_REFUSAL_BYTES. */
void spgemm_refusal_keep(char *copy);
void spgemm_refusal_restore(const char *copy);

#endif
