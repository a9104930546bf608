/* SPDX-License-Identifier: BSD-3-Clause */
/* Files without a name, gone when they are closed or the program ends. */
#ifndef TOOLS_SCRATCH_H
#define TOOLS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

/** A descriptor of a new empty file in the folder of `path`, or, for NULL,
    where temporary files belong; -1: errno says why there is none. */
int scratch_open(const char *path);

/** write() of all; false: errno says why not. */
bool scratch_write(int descriptor, const void *bytes, size_t size);

/** The folder of a path, to be freed; NULL without memory. */
char *scratch_folder(const char *path);

#endif
