/* SPDX-License-Identifier: BSD-3-Clause */
/* Text of files and of users, as it may go to a terminal. */
#ifndef TOOLS_PLAIN_H
#define TOOLS_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Room for a path, however much of it is escaped. */
enum { PLAIN_BYTES = 4 * 4096 };

/** The UTF-8 character that text begins with, and in *code its number; 0: the
    first byte begins none. text is not empty. */
int plain_character(const char *text, uint32_t *code);

/** Whether a character commands a terminal, or the order of what is shown. */
bool plain_is_control(uint32_t code);

/** `text` with each byte of a control, and each that is not UTF-8, written as
    \xNN; cut to `room` bytes, its end included. Returns `to`. */
char *plain_text(char *to, size_t room, const char *text);

#endif
