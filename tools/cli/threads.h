/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of everything that a command does. */
#ifndef TOOLS_THREADS_H
#define TOOLS_THREADS_H

#include "arguments.h"

/** As many as --threads says, if it is given, of what has no such option of its
    own, too: files are written by them, and checksums added. */
void threads_set(const arguments *args);

#endif
