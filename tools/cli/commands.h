/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands: each returns how the program ends. */
#ifndef TOOLS_COMMANDS_H
#define TOOLS_COMMANDS_H

#include "arguments.h"

/** Command k; NULL beyond the last. */
const command *command_at(int k);

/** Its name; NULL beyond the last. */
const char *command_name(int k);

/** The command of this name, or NULL. */
const command *command_find(const char *name);

int cmd_info(const arguments *args);
int cmd_predict(const arguments *args);
int cmd_chain(const arguments *args);
int cmd_multiply(const arguments *args);
int cmd_compare(const arguments *args);
int cmd_convert(const arguments *args);
int cmd_spy(const arguments *args);
int cmd_generate(const arguments *args);
int cmd_demo(const arguments *args);

#endif
