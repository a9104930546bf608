/* SPDX-License-Identifier: BSD-3-Clause */
/* A team of any size on one thread: its first member does all of a work, piece by
   piece, and the pieces are dealt out afterwards, each to whoever would have been
   free first.

   Takes the place of src/common/team_share.c by --wrap. A piece is a block of rows
   or a task, and ends where the library asks about progress. What threads do to
   each other by memory, caches and clocks is not in it. */
#ifndef BENCH_VIRTUAL_TEAM_H
#define BENCH_VIRTUAL_TEAM_H

/* Seconds of one call. */
typedef struct virtual_times {
    double elapsed; /* as if all members ran side by side */
    double serial;  /* of that, outside of works that are shared */
    double all;     /* computed by all members together */
} virtual_times;

/** The works from now on are by teams of any size that is asked for. */
void virtual_team_begin(void);

/** What has been taken since. */
virtual_times virtual_team_end(void);

#endif
