/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream into memory that tells whether it had enough. */
#ifndef TOOLS_MEMORY_FILE_H
#define TOOLS_MEMORY_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct memory_file {
    FILE *stream;
    char *bytes; /* once it is closed; to be freed, on failure too */
    size_t size;
} memory_file;

/** Each false: no memory. */
bool memory_file_open(memory_file *m);
bool memory_file_close(memory_file *m);

#endif
