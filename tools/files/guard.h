/* SPDX-License-Identifier: BSD-3-Clause */
/* A name in a folder that is removed first when exit() or a signal ends the
   program, on whichever thread it comes. */
#ifndef TOOLS_GUARD_H
#define TOOLS_GUARD_H

/** From here on, and until here; pairs may be nested. Signals that somebody
    else ignores or handles stay theirs. */
void guard_begin(void);
void guard_end(void);

/** Between these two no guarded signal ends the program; one that came does so
    in guard_release(). Not nested. */
void guard_hold(void);
void guard_release(void);

/** While held: `name`, in the folder of this descriptor, is the one to remove.
    NULL: none. */
void guard_name(int folder, const char *name);

#endif
