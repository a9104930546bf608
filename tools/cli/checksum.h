/* SPDX-License-Identifier: BSD-3-Clause */
/* 64 bits that differ if two matrices do. */
#ifndef TOOLS_CHECKSUM_H
#define TOOLS_CHECKSUM_H

#include "spgemm/spgemm.h"

/** Of shape, rowptr, colidx and the bits of the values, each at its place. */
uint64_t checksum(const spgemm_csr *A);

#endif
