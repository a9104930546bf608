/* SPDX-License-Identifier: BSD-3-Clause */
/* Text and pictures inside SVG and HTML. */
#ifndef TOOLS_MARKUP_H
#define TOOLS_MARKUP_H

#include <stddef.h>
#include <stdio.h>

/** A text of users or files, what commands a terminal or a browser escaped. */
void markup_text(FILE *stream, const char *text);

/** Bytes as base64: RFC 4648. */
void markup_base64(FILE *stream, const unsigned char *bytes, size_t size);

#endif
