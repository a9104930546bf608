/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a result goes: a file that appears whole or not at all. It is written
   without a name, brought to the disk, and put in its place; where the file
   system has no files without a name, it is written beside its place. */
#ifndef TOOLS_TARGET_H
#define TOOLS_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include "place.h"
#include "scratch.h"

typedef struct target {
    const char *name; /* for messages */
    int descriptor;
    bool is_replaced; /* a new file, not yet in its place */
    bool is_named;    /* beside its place, under a temporary name */
    place place;      /* of what is replaced */
    char temporary[SCRATCH_NAME_BYTES];
} target;

/** Open a path, or standard output for "-". One at a time. How the program
    ends otherwise, after a message. What is no regular file (a pipe, a device)
    is written where it is; a link stays, and the file that it leads to is
    replaced. The new file has the mode and, as far as this user may give them,
    the owner and the group of the old one. */
int target_open(target *t, const char *path);

/** Append; false: errno says why not. */
bool target_write(const target *t, const void *bytes, size_t size);

/** Put the file in its place, if `status` is TOOL_OK and no signal was noted;
    remove it otherwise. How the program ends: `status`, interrupt_status()
    without a message, or a failure after one. */
int target_close(target *t, int status);

/** All of a file: how the program ends, after a message if it is not written. */
int target_write_file(const char *path, const void *bytes, size_t size);

#endif
