/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes to a file through gzip. */
#ifndef TOOLS_PACKER_H
#define TOOLS_PACKER_H

#include "target.h"

typedef struct packer packer;

/** Pack what is written to an open target. NULL: no memory. */
packer *packer_open(const target *t);

/** Append; false: errno says why not. */
bool packer_write(packer *p, const void *bytes, size_t size);

/** End what was packed, not the target; false: errno says why not. */
bool packer_end(packer *p);

/** NULL is accepted. */
void packer_close(packer *p);

#endif
