/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands: each returns how the program ends. */
#ifndef TOOLS_COMMANDS_H
#define TOOLS_COMMANDS_H

#include "options.h"

int cmd_info(const arguments *args);
int cmd_predict(const arguments *args);
int cmd_multiply(const arguments *args);
int cmd_compare(const arguments *args);
int cmd_generate(const arguments *args);
int cmd_demo(const arguments *args);

#endif
