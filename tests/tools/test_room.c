/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that is left, of a machine and of control groups that are made here. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "budget.h"
#include "room.h"

static char proc[64];
static char groups[64];

static void make_folders(void)
{
    static char root[] = "/tmp/spgemm-room-XXXXXX";
    cr_assert(mkdtemp(root));
    snprintf(proc, sizeof proc, "%s/proc", root);
    snprintf(groups, sizeof groups, "%s/groups", root);
    cr_assert_eq(mkdir(proc, 0700), 0);
    cr_assert_eq(mkdir(groups, 0700), 0);
}

static void remove_folders(void)
{
    char words[160];
    snprintf(words, sizeof words, "rm -r '%s' '%s'", proc, groups);
    cr_expect_eq(system(words), 0);
    *strrchr(proc, '/') = '\0';
    cr_expect_eq(rmdir(proc), 0);
}

/* A file of this text, and the folders it is in. */
static void put(const char *root, const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *c = path + strlen(root) + 1; *c; c++)
        if (*c == '/') {
            *c = '\0';
            mkdir(path, 0700);
            *c = '/';
        }
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fputs(text, file);
    fclose(file);
}

TestSuite(room, .init = make_folders, .fini = remove_folders);

Test(room, is_endless_where_nothing_is_known)
{
    cr_expect_eq(room_bytes(proc, groups), INT64_MAX);
}

Test(room, is_what_the_machine_has_available)
{
    put(proc, "meminfo", "MemTotal: 900 kB\nMemAvailable:     7 kB\n");
    cr_expect_eq(room_bytes(proc, groups), 7 * 1024);
}

Test(room, is_the_least_of_the_groups_around_the_process)
{
    put(proc, "meminfo", "MemAvailable: 1000 kB\n");
    put(proc, "self/cgroup", "0::/a/b\n");
    put(groups, "a/b/memory.max", "max\n");
    put(groups, "a/b/memory.current", "1000\n");
    cr_expect_eq(room_bytes(proc, groups), 1000 * 1024);
    put(groups, "a/memory.max", "50000\n");
    put(groups, "a/memory.current", "20000\n");
    cr_expect_eq(room_bytes(proc, groups), 30000);
    put(groups, "memory.max", "40000\n");
    put(groups, "memory.current", "39000\n");
    cr_expect_eq(room_bytes(proc, groups), 1000);
}

Test(room, counts_files_that_were_read_as_free)
{
    put(proc, "self/cgroup", "0::/\n");
    put(groups, "memory.max", "50000\n");
    put(groups, "memory.current", "49000\n");
    put(groups, "memory.stat", "anon 1\ninactive_file 8000\n");
    cr_expect_eq(room_bytes(proc, groups), 9000);
}

Test(room, knows_groups_of_version_1)
{
    put(proc, "self/cgroup", "9:cpu:/x\n4:memory:/a\n");
    put(groups, "memory/a/memory.limit_in_bytes", "5000\n");
    put(groups, "memory/a/memory.usage_in_bytes", "6000\n");
    cr_expect_eq(room_bytes(proc, groups), 0);
    put(groups, "memory/a/memory.stat", "total_inactive_file 2000\n");
    cr_expect_eq(room_bytes(proc, groups), 1000);
}

/* 0 would be no limit to the reader. */
Test(budget, is_a_limit_where_nothing_is_left)
{
    const budget b = {.room = 0, .memory = 1000};
    cr_expect_eq(budget_of_file(&b, 100), 1);
    cr_expect_eq(budget_of_file(&b, -1), 1);
}
