/* SPDX-License-Identifier: BSD-3-Clause */
/* MemAvailable of the machine; of each control group that this process is in,
   and of those around it, the limit less what is held, but for the files that
   the system would drop. Version 2 has one tree, version 1 one for memory. */
#include "room.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/checked.h"

enum { PATH_BYTES = 1024 };

/* The first number of a line "KEY NUMBER" (KEY "": of the file); `fallback`:
   there is none. */
static int64_t read_number(const char *path, const char *key, int64_t fallback)
{
    char line[256];
    const size_t length = strlen(key);
    int64_t number = fallback;
    FILE *file = fopen(path, "re");
    if (!file)
        return fallback;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, key, length) == 0 &&
            sscanf(line + length, "%" SCNd64, &number) == 1)
            break;
    fclose(file);
    return number;
}

/* A version of control groups: where they are, and their files. */
typedef struct cgroup_version {
    const char *folder;
    const char *limit;
    const char *held;
    const char *files; /* that were read, and are not in use */
} cgroup_version;

static int64_t number_of(const char *folder, const char *name, const char *key,
                         int64_t none)
{
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    return length < PATH_BYTES ? read_number(path, key, none) : none;
}

static int64_t room_of_group(const char *folder, const cgroup_version *v)
{
    const int64_t limit = number_of(folder, v->limit, "", INT64_MAX);
    const int64_t held = number_of(folder, v->held, "", 0);
    const int64_t files = number_of(folder, "memory.stat", v->files, 0);
    if (limit == INT64_MAX)
        return INT64_MAX;
    return max_i64(0, limit - max_i64(0, held - files));
}

/* Of the group `path` and of all around it. */
static int64_t room_of_groups(const char *root, const cgroup_version *v,
                              const char *path)
{
    char folder[PATH_BYTES];
    int64_t room = INT64_MAX;
    const int top = snprintf(folder, sizeof folder, "%s%s", root, v->folder);
    if (top >= PATH_BYTES || (size_t)top + strlen(path) >= sizeof folder)
        return INT64_MAX;
    strcpy(folder + top, path);
    for (char *slash = folder; slash; slash = strrchr(folder + top, '/')) {
        if (slash > folder)
            *slash = '\0';
        room = min_i64(room, room_of_group(folder, v));
    }
    return room;
}

/* Lines of /proc/self/cgroup: "0::PATH", or "4:memory:PATH". */
static int64_t room_of_process(const char *list, const char *root)
{
    static const cgroup_version first = {"/memory", "memory.limit_in_bytes",
                                         "memory.usage_in_bytes",
                                         "total_inactive_file"};
    static const cgroup_version second = {"", "memory.max", "memory.current",
                                          "inactive_file"};
    char line[PATH_BYTES];
    int64_t room = INT64_MAX;
    FILE *file = fopen(list, "re");
    if (!file)
        return room;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        const char *controllers = strchr(line, ':');
        const char *path = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!path)
            continue;
        if (controllers + 1 == path)
            room = min_i64(room, room_of_groups(root, &second, path + 1));
        else if (strncmp(controllers, ":memory:", 8) == 0)
            room = min_i64(room, room_of_groups(root, &first, path + 1));
    }
    fclose(file);
    return room;
}

int64_t room_bytes(const char *proc, const char *cgroups)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/meminfo", proc);
    const int64_t kilobytes =
        read_number(path, "MemAvailable:", INT64_MAX / 1024);
    snprintf(path, sizeof path, "%s/self/cgroup", proc);
    const int64_t machine =
        kilobytes == INT64_MAX / 1024 ? INT64_MAX : 1024 * kilobytes;
    return min_i64(machine, room_of_process(path, cgroups));
}
