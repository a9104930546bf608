/* SPDX-License-Identifier: BSD-3-Clause */
/* A line on the terminal while something takes more than a second; nothing
   where standard error is not a terminal. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdint.h>

/** From here on show nothing, wherever standard error goes. */
void progress_silence(void);

/** Begin and end what `label` names. One at a time. */
void progress_begin(const char *label);
void progress_end(void);

/** How far it has come. A spgemm_mtx_options.progress. */
void progress_bytes(void *context, int64_t bytes);

/** The same, as a share of the whole, from which the time that is left is
    estimated. A spgemm_options.progress: not 0 when a signal asks to end. */
int progress_share(void *context, double done);

#endif
