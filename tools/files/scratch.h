/* SPDX-License-Identifier: BSD-3-Clause */
/* Files without a name, gone when they are closed or the program ends; and
   names of files that are on their way. */
#ifndef TOOLS_SCRATCH_H
#define TOOLS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { SCRATCH_NAME_BYTES = 64 };

/** A descriptor of a new empty file in the folder of this descriptor, or where
    temporary files belong; -1: errno says why there is none. */
int scratch_open_in(int folder);
int scratch_open(void);

/** A new file without a name, also to be linked to one. -1: errno is EOPNOTSUPP
    where the file system has none. */
int scratch_nameless(int folder, int access, mode_t mode);

/** A new file with a name of ours; -1: errno says why there is none. */
int scratch_named(int folder, char name[SCRATCH_NAME_BYTES], int access,
                  mode_t mode);

/** Link a file without a name to one of ours; false: errno says why not. And
    whether that can be done here. */
bool scratch_can_link(int descriptor);
bool scratch_link(int descriptor, int folder, char name[SCRATCH_NAME_BYTES]);

/** write() of all; false: errno says why not. */
bool scratch_write(int descriptor, const void *bytes, size_t size);

/** read() of some, whatever signals come; and of all, EIO where there is less. */
ptrdiff_t scratch_read_some(int descriptor, void *bytes, size_t size);
bool scratch_read(int descriptor, void *bytes, size_t size);

#endif
