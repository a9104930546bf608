/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a process may still take. */
#ifndef TOOLS_ROOM_H
#define TOOLS_ROOM_H

#include <stdint.h>

/** Bytes: the least of what the machine has left and of what the control
    groups of this process leave it; INT64_MAX where neither is known.
    proc and cgroups are "/proc" and "/sys/fs/cgroup". */
int64_t room_bytes(const char *proc, const char *cgroups);

#endif
