/* SPDX-License-Identifier: BSD-3-Clause */
/* A comparison as a page of HTML that needs no other file and no script. */
#ifndef TOOLS_COMPARISON_PAGE_H
#define TOOLS_COMPARISON_PAGE_H

#include "arguments.h"
#include "comparison.h"
#include "product.h"

/** Write the page; how the program ends. */
int comparison_page_write(const char *path, const comparison *c,
                          const product *p, const arguments *args);

#endif
