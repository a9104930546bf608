/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a result goes: a file that appears whole or not at all. It is written
   beside its place, brought to the disk and renamed. */
#ifndef TOOLS_TARGET_H
#define TOOLS_TARGET_H

#include <stdbool.h>
#include <stddef.h>

typedef struct target {
    const char *name; /* for messages */
    const char *path; /* NULL: standard output */
    int descriptor;
    bool is_beside; /* a file of its own, not yet at its place */
} target;

/** Open a path, or standard output for "-". One at a time. How the program
    ends otherwise, after a message. What is no regular file (a pipe, a device)
    is written where it is. */
int target_open(target *t, const char *path);

/** Append; false: errno says why not. */
bool target_write(const target *t, const void *bytes, size_t size);

/** Put the file in its place, if `status` is TOOL_OK; remove it otherwise. How
    the program ends: `status`, or a failure after a message. */
int target_close(target *t, int status);

#endif
