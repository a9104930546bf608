/* SPDX-License-Identifier: BSD-3-Clause */
/* Teams for products that are not worth any. The library asks how large a team
   the work is worth, and whether the last ones were waited for; in two thirds of
   the crossings it is answered here, so that small products by several threads
   meet OpenMP's regions and the pool. */
#include <stdbool.h>
#include <stdint.h>

#include "run.h"

enum { TEAMS_OF_LIBRARY, TEAMS_OF_REGIONS, TEAMS_OF_POOL, TEAMS_COUNT };

static int teams;

void teams_choose(uint64_t seed)
{
    teams = (int)(seed % TEAMS_COUNT);
}

int __real_spgemm_team_size(int requested, int64_t work, int64_t grain);
int __wrap_spgemm_team_size(int requested, int64_t work, int64_t grain);
bool __real_spgemm_team_wait_is_long(void);
bool __wrap_spgemm_team_wait_is_long(void);

int __wrap_spgemm_team_size(int requested, int64_t work, int64_t grain)
{
    const int64_t much = INT64_MAX / 2;
    return __real_spgemm_team_size(
        requested, teams == TEAMS_OF_LIBRARY ? work : much, grain);
}

bool __wrap_spgemm_team_wait_is_long(void)
{
    return teams == TEAMS_OF_LIBRARY ? __real_spgemm_team_wait_is_long()
                                     : teams == TEAMS_OF_POOL;
}
