/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes to a file through gzip, xz, bzip2 or zstd. */
#ifndef TOOLS_PACKER_H
#define TOOLS_PACKER_H

#include "target.h"

/** The ending of packing k, without the dot: "gz"; NULL beyond the last. */
const char *packer_ending(int k);

typedef struct packer packer;

/** Pack by ending k what is written to an open target. NULL, after a message:
    it cannot be done. */
packer *packer_open(target *t, int k);

/** Append; false: errno says why not. */
bool packer_write(packer *p, const void *bytes, size_t size);

/** End what was packed, if `status` is TOOL_OK; not the target. How the program
    ends: `status`, or a failure after a message. NULL is accepted. */
int packer_close(packer *p, int status);

#endif
