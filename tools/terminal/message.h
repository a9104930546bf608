/* SPDX-License-Identifier: BSD-3-Clause */
/* What the command says when it cannot go on. */
#ifndef TOOLS_MESSAGE_H
#define TOOLS_MESSAGE_H

#include "spgemm/spgemm.h"

/** The program that messages are of; "spgemm" at first. */
void message_set_program(const char *name);

/** "PROGRAM: TEXT" on standard error, as plain text; returns `status`. */
__attribute__((format(printf, 2, 3))) int message(int status,
                                                  const char *format, ...);

/** How the command ends after a call of the library failed. */
int message_end(spgemm_status status);

/** A message about a failed call of the library; message_end(status). */
int message_failure(const char *what, spgemm_status status);

/** A message about a failed system call, by errno; TOOL_FAILURE. */
int message_system(const char *what);

/** The choice that `word` was most likely meant to be, or NULL. choice(k) is
    NULL beyond the last. */
const char *nearest(const char *word, const char *(*choice)(int k));

#endif
