/* SPDX-License-Identifier: BSD-3-Clause */
/* An archive that is read by a process of its own. */
#ifndef TOOLS_MEMBER_PIPE_H
#define TOOLS_MEMBER_PIPE_H

#include "members.h"

/** Opens an archive in the new process, where it stays; NULL: no memory. A
    failure is told by the members. */
typedef members *member_pipe_open_fn(void *context);

/**
 * The members of an archive that another process opens and reads. What it dies
 * of, be it a crash or a call of exit(), is a failure of the members here.
 *
 * @return NULL: no memory, no process; errno says why
 */
members *member_pipe_open(member_pipe_open_fn *open, void *context);

#endif
