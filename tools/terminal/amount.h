/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers as people read them. */
#ifndef TOOLS_AMOUNT_H
#define TOOLS_AMOUNT_H

#include <stdint.h>

enum { AMOUNT_BYTES = 32 };

/** A count with its thousands set apart, 1,234,567. Each returns `text`. */
char *amount_count(char text[AMOUNT_BYTES], int64_t count);

/** "1 thread", "2 threads". */
char *amount_threads(char text[AMOUNT_BYTES], int count);

/** Bytes by three digits: "1.48 MB". */
char *amount_bytes(char text[AMOUNT_BYTES], double bytes);

/** Seconds by three digits: "1.48 ms". */
char *amount_seconds(char text[AMOUNT_BYTES], double seconds);

/** Hundredths with a sign, and so many digits as tell something: "+0.12",
    "-340". */
char *amount_percent(char text[AMOUNT_BYTES], double percent);

#endif
