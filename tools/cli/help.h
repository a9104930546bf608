/* SPDX-License-Identifier: BSD-3-Clause */
/* What the table of options says, for people and for shells. */
#ifndef TOOLS_HELP_H
#define TOOLS_HELP_H

#include "arguments.h"

/** Help of the program. */
void help_print(void);

/** The manual page, in roff. */
void manual_print(void);

/** The completion of a shell: "bash", "zsh" or "fish"; false: no such shell. */
bool completion_print(const char *shell);

typedef struct exit_status {
    const char *number;
    const char *help;
} exit_status;

/** What an exit status means; NULL beyond the last. */
const exit_status *exit_status_at(int k);

#endif
