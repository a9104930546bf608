/* SPDX-License-Identifier: BSD-3-Clause */
/* Products that go to a file block by block, and are never whole in memory. */
#ifndef TOOLS_STREAM_PRODUCT_H
#define TOOLS_STREAM_PRODUCT_H

#include <stdbool.h>

#include "product.h"

/** Whether this output can be written so: a regular file, there or not, that
    is not packed. */
bool stream_product_can_write(const char *path);

/**
 * C to a file, within its options.resources.memory_limit_bytes.
 *
 * @param[out] done  of the product; CANCELLED: by options.resources.progress, by a
 *                   signal, or since the file could not be written
 * @return how the program ends otherwise, after a message: of the file
 */
int stream_product(const product *p, const char *path, spgemm_report *report,
                   spgemm_status *done);

#endif
