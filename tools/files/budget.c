/* SPDX-License-Identifier: BSD-3-Clause */
/* A file may take what it holds: BUDGET_RATIO for each of its bytes, where xz
   packs the entries of stencils and diagonals to a sixteenth to a thirtieth.
   What it only claims is bounded: products take some 50 bytes a row, so that
   the 4 million empty rows of EMPTY_ROWS_BYTES are some 200 MB of them. */
#include "budget.h"

#include "common/checked.h"
#include "room.h"

#define MEMORY_BYTES     ((int64_t)128 << 20)
#define EMPTY_ROWS_BYTES ((int64_t)32 << 20)
#define UNPACKED_BYTES   ((int64_t)64 << 20)

budget budget_make(int64_t memory_limit)
{
    return (budget){.room = room_bytes("/proc", "/sys/fs/cgroup"),
                    .memory = max_i64(memory_limit, MEMORY_BYTES),
                    .empty_rows = max_i64(memory_limit, EMPTY_ROWS_BYTES),
                    .unpacked = max_i64(memory_limit, UNPACKED_BYTES)};
}

int64_t budget_of_file(const budget *b, int64_t file_bytes)
{
    int64_t held;
    if (file_bytes < 0 ||
        __builtin_mul_overflow(file_bytes, (int64_t)BUDGET_RATIO, &held) ||
        __builtin_add_overflow(held, b->memory, &held))
        held = INT64_MAX;
    return max_i64(1, min_i64(b->room, held));
}
