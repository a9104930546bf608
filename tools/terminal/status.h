/* SPDX-License-Identifier: BSD-3-Clause */
/* How the command ends. */
#ifndef TOOLS_STATUS_H
#define TOOLS_STATUS_H

enum {
    TOOL_OK = 0,
    TOOL_DIFFERENT = 1, /* compare found a difference */
    TOOL_MAY_FIT = 1,   /* predict: C may fit the limit, or not */
    TOOL_USAGE = 2,
    TOOL_INPUT = 3, /* unreadable or invalid input */
    TOOL_LIMIT = 4, /* refused by a memory limit, or does not fit it */
    TOOL_FAILURE = 5
};

#endif
