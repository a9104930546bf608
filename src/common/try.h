/* SPDX-License-Identifier: BSD-3-Clause */
/* One way out of every function that owns something: `status` and `cleanup`. */
#ifndef SPGEMM_COMMON_TRY_H
#define SPGEMM_COMMON_TRY_H

#include "spgemm/spgemm.h"

#define SPGEMM_REQUIRE(cond, error)                                            \
    do {                                                                       \
        if (!(cond)) {                                                         \
            status = (error);                                                  \
            goto cleanup;                                                      \
        }                                                                      \
    } while (0)

#define SPGEMM_TRY(call)                                                       \
    do {                                                                       \
        status = (call);                                                       \
        if (status < 0)                                                        \
            goto cleanup;                                                      \
    } while (0)

#endif
