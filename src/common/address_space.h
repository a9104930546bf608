/* SPDX-License-Identifier: BSD-3-Clause */
/* What the limit of the process's address space (RLIMIT_AS, `ulimit -v`)
   leaves. */
#ifndef SPGEMM_COMMON_ADDRESS_SPACE_H
#define SPGEMM_COMMON_ADDRESS_SPACE_H

#include <stdbool.h>
#include <stddef.h>

/* What the library leaves of it to others: OpenMP ends the process when it
   finds no memory for a team, jemalloc when it finds none for a new thread,
   and the system when the stack cannot grow. */
#define ADDRESS_RESERVE ((size_t)16 << 20)

/** Whether there is a limit. */
bool spgemm_address_is_limited(void);

/** Bytes that may still be mapped beside the reserve; SIZE_MAX: no limit. */
size_t spgemm_address_room(void);

#endif
