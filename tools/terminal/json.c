/* SPDX-License-Identifier: BSD-3-Clause */
/* A JSON emitter. The program sets no locale: numbers have decimal points. */
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "plain.h"

static void print_string(json *j, const char *text)
{
    fputc('"', j->stream);
    while (*text) {
        uint32_t code;
        const int length = plain_character(text, &code);
        if (length == 0)
            fprintf(j->stream, "\\\\x%02x", (unsigned char)*text);
        else if (plain_is_control(code))
            fprintf(j->stream, "\\u%04x", (unsigned)code);
        else
            fprintf(j->stream, "%s%.*s",
                    *text == '"' || *text == '\\' ? "\\" : "", length, text);
        text += length > 0 ? length : 1;
    }
    fputc('"', j->stream);
}

static void begin_line(json *j)
{
    fprintf(j->stream, "\n%*s", 2 * j->depth, "");
}

static void begin_member(json *j, const char *key)
{
    if (!j->is_first)
        fputc(',', j->stream);
    j->is_first = false;
    begin_line(j);
    if (key) {
        print_string(j, key);
        fputs(": ", j->stream);
    }
}

static void open_with(json *j, const char *key, char bracket)
{
    begin_member(j, key);
    fputc(bracket, j->stream);
    j->depth++;
    j->is_first = true;
}

static void close_with(json *j, char bracket)
{
    j->depth--;
    if (!j->is_first)
        begin_line(j);
    j->is_first = false;
    fputc(bracket, j->stream);
}

void json_open(json *j, FILE *stream)
{
    *j = (json){.stream = stream, .depth = 1, .is_first = true};
    fputc('{', stream);
    json_integer(j, "schema", 1);
}

void json_close(json *j)
{
    close_with(j, '}');
    fputc('\n', j->stream);
}

void json_begin_object(json *j, const char *key)
{
    open_with(j, key, '{');
}

void json_end_object(json *j)
{
    close_with(j, '}');
}

void json_begin_array(json *j, const char *key)
{
    open_with(j, key, '[');
}

void json_end_array(json *j)
{
    close_with(j, ']');
}

void json_text(json *j, const char *key, const char *text)
{
    begin_member(j, key);
    print_string(j, text);
}

void json_integer(json *j, const char *key, int64_t number)
{
    begin_member(j, key);
    fprintf(j->stream, "%" PRId64, number);
}

void json_number(json *j, const char *key, double number)
{
    char text[32] = "null";
    for (int digits = 15; isfinite(number) && digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    begin_member(j, key);
    fputs(text, j->stream);
}

void json_boolean(json *j, const char *key, bool value)
{
    begin_member(j, key);
    fputs(value ? "true" : "false", j->stream);
}

void json_bits(json *j, const char *key, uint64_t bits)
{
    begin_member(j, key);
    fprintf(j->stream, "\"%016" PRIx64 "\"", bits);
}
