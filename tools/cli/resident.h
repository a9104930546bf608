/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SPGEMM_TOOLS_RESIDENT_H
#define SPGEMM_TOOLS_RESIDENT_H

#include <stdint.h>

/** Bytes of this process that are in memory now; 0 where that is not known. */
int64_t resident_bytes(void);

#endif
