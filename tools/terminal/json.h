/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON, written as it is produced. Numbers read back as the same double; what
   JSON has no number for (NaN, infinity) is null. The text is ASCII or UTF-8:
   a byte of a string that is not UTF-8, such as one of a file's name, is the
   four characters \xNN. */
#ifndef TOOLS_JSON_H
#define TOOLS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct json {
    FILE *stream;
    int depth;
    bool is_first; /* no member yet at this depth */
} json;

/** One object, with "schema": 1. The end writes a line break. */
void json_open(json *j, FILE *stream);
void json_close(json *j);

/** key: NULL within an array. */
void json_begin_object(json *j, const char *key);
void json_end_object(json *j);
void json_begin_array(json *j, const char *key);
void json_end_array(json *j);

void json_text(json *j, const char *key, const char *text);
void json_integer(json *j, const char *key, int64_t number);
void json_number(json *j, const char *key, double number);
void json_boolean(json *j, const char *key, bool value);

/** 64 bits as 16 hexadecimal digits, in quotes. */
void json_bits(json *j, const char *key, uint64_t bits);

#endif
