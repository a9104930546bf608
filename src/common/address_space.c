/* SPDX-License-Identifier: BSD-3-Clause */
/* What the limit of the process's address space leaves. */
#include "common/address_space.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static rlim_t address_limit(void)
{
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

bool spgemm_address_is_limited(void)
{
    return address_limit() != RLIM_INFINITY;
}

/* Bytes mapped; 0 where the system does not tell. */
static size_t mapped_bytes(void)
{
    char text[64];
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    return (size_t)strtoull(text, NULL, 10) * (size_t)sysconf(_SC_PAGESIZE);
}

size_t spgemm_address_room(void)
{
    const rlim_t limit = address_limit();
    if (limit == RLIM_INFINITY)
        return SIZE_MAX;
    const size_t taken = mapped_bytes() + ADDRESS_RESERVE;
    return limit > taken ? (size_t)limit - taken : 0;
}
