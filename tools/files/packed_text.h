/* SPDX-License-Identifier: BSD-3-Clause */
/* The one text of a compressed file or of a tar archive. */
#ifndef TOOLS_PACKED_TEXT_H
#define TOOLS_PACKED_TEXT_H

#include "members.h"
#include "source.h"

/** One member: the text of an open source (context), that is packed. Its end is reached
    when the whole file was read to its end. NULL: no memory. */
members *packed_text_open(void *context);

#endif
